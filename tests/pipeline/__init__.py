"""The repair pipeline on a real server, held against a model of it that shares no code."""
