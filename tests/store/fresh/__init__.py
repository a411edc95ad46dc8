"""What holds in a database that was never set up, or that is somebody else's: on a server of its own."""
