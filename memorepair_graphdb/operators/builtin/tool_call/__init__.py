"""Holds replay@2 and what calls tools: a tool is called under its contract in force, or not at all."""

from ...protocol.tools import NotOffered, ToolRunner
from .recorded import RecordedRunner
from .replay_2 import register

__all__ = ["NotOffered", "RecordedRunner", "ToolRunner", "register"]
