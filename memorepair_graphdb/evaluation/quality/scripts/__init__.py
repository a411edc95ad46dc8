"""Measures the residue check in twelve scripts: names and addresses planted in other sentences, and clean texts."""
