"""Barrier-first repair of an agent's derived memory, on Neo4j."""
