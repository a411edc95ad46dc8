"""What an operator is, what it is given, and what it and its validators return."""
