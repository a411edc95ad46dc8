"""The operators that come with the package, a module or a room each."""
