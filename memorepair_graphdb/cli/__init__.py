"""Holds the command line, the only room that prints: words in, tables or JSON out."""
