"""Holds words too common to identify a person or a thing: function words and parts of addresses."""

_STOP_WORDS = """
a about above after again all also am an and any are as at be because been before being below between both but by
can cannot could did do does doing down during each else few for from further had has have having he her here hers
him his how i if in into is it its itself just may me might more most must my no nor not now of off on once one only
or other our ours out over own per same shall she should so some such than that the their theirs them then there
these they this those through to too two under until up upon us use used using very was we were what when where
which while who whom whose why will with within without would yes you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English; other languages rely on the frequency in the space."""

_ADDRESS_WORDS = """
api apis url urls id ids http https www com org net html json xml csv pdf
"""
COMMON_WORDS = STOP_WORDS | frozenset(_ADDRESS_WORDS.split())
"""Also what a search cannot say how common it is, since it takes `www.example.com` for one word: never a name."""
