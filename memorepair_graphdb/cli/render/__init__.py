"""Turns what a command found into tables, drawings and files."""
