"""Holds the operators for neural skills: tool selectors that forget rows."""
