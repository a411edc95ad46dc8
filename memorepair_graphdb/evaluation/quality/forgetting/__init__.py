"""selector@1 measured on MetaTool: what forgetting costs, and how near it comes to a retraining.

The law of the room: the operator is used as it is; ways that are only compared with it live here.
"""
