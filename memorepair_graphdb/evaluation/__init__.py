"""Measures the package: how fast it is beside bare statements and other solvers, and how well its repairs hold.

`memorepair bench NAME` runs what `catalogue` lists; help, checks of the arguments and their messages come from there.
A new measurement is one module (in `speed` or `quality`) and one entry in `catalogue.MEASUREMENTS`.

Those who only repair need none of this: only the command `bench`, and `load --workload`, import this room, and the
packages that only it needs are in the extra `evaluation`. Real data is read where it lies; none is copied into the
project.
"""
