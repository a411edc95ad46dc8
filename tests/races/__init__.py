"""Races on the real server: clients that start together, and a graph that must be sound whoever wins.

The law of the room: every invariant is judged twice, by the project's checks and by an oracle of the tests' own.
"""
