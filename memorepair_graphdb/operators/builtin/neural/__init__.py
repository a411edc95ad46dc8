"""The operators for neural skills: tool selectors that forget rows."""
