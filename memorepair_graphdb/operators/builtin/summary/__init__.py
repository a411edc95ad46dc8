"""summary@2: the central sentences of the live sources, copied word for word, each with its source (regen).

Nothing is phrased anew, and every sentence says where it stands.

`register` puts it into a registry.
"""
