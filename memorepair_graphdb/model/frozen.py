"""Holds the configuration that all models share: frozen, strict about unknown fields, wrong input is `BadInput`."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from ..errors import BadInput


class Frozen(BaseModel):
    """A value: compared by content, never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    @classmethod
    def checked(cls, data: Any, where: str = "") -> Self:
        """Build from outside data; raises `BadInput` that names the place (`where`) and each wrong field."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise BadInput(_describe(error, where)) from error


def _describe(error: ValidationError, where: str) -> str:
    faults = []
    for fault in error.errors(include_url=False, include_input=False):
        field = ".".join(str(part) for part in fault["loc"])
        faults.append(f"{field}: {fault['msg']}" if field else fault["msg"])
    prefix = f"{where}: " if where else ""
    return prefix + "; ".join(faults)
