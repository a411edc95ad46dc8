"""replay@2: a cached result, from a real call. A tool is called under its contract, or not."""

from ...protocol.tools import NotOffered, ToolRunner
from .recorded import RecordedRunner
from .replay_2 import register

__all__ = ["NotOffered", "RecordedRunner", "ToolRunner", "register"]
