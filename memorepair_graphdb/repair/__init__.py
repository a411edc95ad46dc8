"""Repairs: one module for each step, in the order that `pipeline` gives them."""
