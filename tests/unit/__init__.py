"""Models and wire format: checked without a server."""
