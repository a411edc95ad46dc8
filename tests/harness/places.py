"""Where the checkout is, and where the real workloads are.

MEMOREPAIR_DATA names the directory of the workloads; by default it is `shared/data` beside the checkout.
"""

from __future__ import annotations

import os
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
PACKAGE = CHECKOUT / "memorepair_graphdb"
DATA = Path(os.environ.get("MEMOREPAIR_DATA", CHECKOUT.parent / "shared" / "data"))
MCP_SERVER = Path(__file__).with_name("mcp_server.py")
ODD_MCP_SERVER = Path(__file__).with_name("odd_mcp_server.py")
