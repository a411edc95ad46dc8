"""Plans a repair: what can be rebuilt, from what, at which cost, and what is worth it. Planning writes nothing."""
