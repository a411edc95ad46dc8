"""adapter@1: a tool selector in shards, each a low-rank adapter and a head; what forgets a row is trained anew (param).

The law of the room: a row is in one shard and one slice, by its key; weights that saw a row that left are never kept.

SISA (Bourtoule et al. 2021) over a rank-8 adapter (Hu et al. 2022) on frozen features of requests. Rows and labels are
read as `selector@1` reads them. `operator.register` puts it into a registry.
"""
