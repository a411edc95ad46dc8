"""Holds adapter@1: a tool selector in shards, each a low-rank adapter and a head (param).

A row is in one shard and one slice, by its key; weights that were trained on a row that left are trained anew.

SISA (Bourtoule et al. 2021) over a rank-8 adapter (Hu et al. 2022) on frozen features of requests. Rows and labels are
read as `selector@1` reads them. `operator.register` puts it into a registry.
"""
