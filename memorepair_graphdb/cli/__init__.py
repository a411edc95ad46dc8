"""The command line: words in, tables or JSON out; the only room that prints."""
