"""Speaks to Neo4j, alone in the package. Functions take a transaction first and never open one."""
