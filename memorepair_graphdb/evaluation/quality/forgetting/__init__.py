"""Measures selector@1 on MetaTool: what forgetting costs, and how near it comes to a retraining.

The operator is used as it is; ways that are only compared with it live here.
"""
