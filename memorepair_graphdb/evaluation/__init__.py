"""Measuring the project on real data.

The law of the room: it uses what a user can use, copies no data into the project, and nothing but the cli imports it.
"""
