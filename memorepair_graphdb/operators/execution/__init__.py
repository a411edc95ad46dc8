"""Runs operators and their checks, with limits of time and memory."""
