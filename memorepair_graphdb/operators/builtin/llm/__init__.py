"""llm@1: a summary in a model's words, from live sources alone (regen).

The model is given what is in service and nothing else; what it answers is data, typed and checked.

`register` puts it into a registry.
"""
