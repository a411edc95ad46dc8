"""Frozen data of the project. The law of the room: no I/O, no clock, no graph; input is checked where it enters."""
