"""Plays `memorepair demo`: a small support agent's memory, and what becomes of it when its sources change.

It works in two spaces of its own, and empties no others.
"""
