"""Checks that a successor must pass, whichever operator built it."""
