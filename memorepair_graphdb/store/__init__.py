"""The only room that speaks Cypher, neo4j and neomodel. Functions take a transaction first and never open one."""
