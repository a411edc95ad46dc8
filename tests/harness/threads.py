"""One thread for each numeric library.

The processes of a session share the cores already. OpenBLAS's threads wait for each other in a loop that burns the core
they wait for: a module of neural operators took 9 s of CPU so, and more than 30 s with two threads on busy cores.
The variables are read when the library is loaded, and pass to every process that a test starts.
"""

from __future__ import annotations

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
