"""Reads from the environment where the database is, and which space; an explicit argument takes precedence."""

from __future__ import annotations

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from .errors import BadInput
from .model.names import check_space


class Settings(BaseSettings):
    """The environment variables, typed."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore")

    uri: str | None = Field(default=None, validation_alias="NEO4J_URI")
    username: str = Field(default="neo4j", validation_alias="NEO4J_USERNAME")
    password: SecretStr = Field(default=SecretStr(""), validation_alias="NEO4J_PASSWORD")
    database: str | None = Field(default=None, validation_alias="NEO4J_DATABASE")
    space: str = Field(default="default", validation_alias="MEMOREPAIR_SPACE")
    app: str | None = Field(default=None, validation_alias="MEMOREPAIR_APP")


def settings() -> Settings:
    """Read the environment as it is now; empty variables count as unset."""
    values = Settings()
    blank = {name: Settings.model_fields[name].default for name in Settings.model_fields if not getattr(values, name)}
    return values.model_copy(update=blank)


def checked_space(space: str) -> str:
    """Return the space's name in NFC; raises `BadInput` for a text that cannot name one."""
    try:
        return check_space(space)
    except ValueError as error:
        raise BadInput(str(error)) from error
