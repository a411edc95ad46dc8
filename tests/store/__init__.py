"""The store's functions and statements, one room at a time, on the real server.

The law of the room: no races here; what is asserted is the graph, read by other means than those under test.
"""
