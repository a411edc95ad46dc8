"""replay@2: a cached result, from a real call. The law of the room: a tool is called under its contract, or not."""

from .operator import register
from .recorded import RecordedRunner
from .runner import NotOffered, ToolRunner

__all__ = ["NotOffered", "RecordedRunner", "ToolRunner", "register"]
