"""The steps of a repair, one module each. The law of the room: imports run down, and planning has no effects."""
