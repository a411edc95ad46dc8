"""Copies the central sentences of the live sources word for word, each with its source: summary@1 and summary@2.

Nothing is phrased anew, and every sentence says where it stands.

`register` puts it into a registry.
"""
