"""`memorepair demo`: a small support agent's memory, and what becomes of it when its sources change.

The law of the room: it works in two spaces of its own, and empties no others.
"""
