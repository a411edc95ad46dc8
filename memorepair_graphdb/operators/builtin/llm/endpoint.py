"""Says which model is asked, and where: the process decides, never what is stored in a memory.

A recipe may name another model of the same endpoint; it cannot send a memory elsewhere.

    OPENAI_BASE_URL         a server that speaks the chat-completions protocol; OpenAI's own where only a key is set
    OPENAI_API_KEY          its key, where it asks for one
    MEMOREPAIR_LLM          the model; `smollm2` or the path of a .gguf file where no server is named: it is run here
    MEMOREPAIR_LLM_TIMEOUT  seconds that an answer may take: 60 by default, 120 where the model is run here
    MEMOREPAIR_LLM_READS    characters of the sources that are quoted at most: 24,000 by default, 12,000 here
"""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ....errors import BadInput
from .local import SMOLLM2, serve

MODEL = "MEMOREPAIR_LLM"
"""the environment variable that names the model"""
NO_KEY = "none"
"""What is sent where no key is set: the client wants one."""
LONGEST = 240.0
"""seconds that an answer may take at most: less than the operator has"""
OPENAI = "https://api.openai.com/v1"


class Endpoint(BaseModel):
    """Holds a server, what it is asked for, and how long it may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str
    api_key: SecretStr = SecretStr(NO_KEY)
    model: str = ""
    """the default; a recipe may name another"""
    timeout: float = Field(default=60.0, gt=0, le=LONGEST)
    """seconds that an answer may take"""
    reads: int = Field(default=24_000, ge=1)
    """characters of the sources that are quoted at most"""

    @property
    def on_this_machine(self) -> bool:
        """Say whether the address is the loopback one: what is sent does not leave the machine."""
        host = urlsplit(self.base_url).hostname or ""
        return host in ("localhost", "::1") or host.startswith("127.")

    @classmethod
    def here(cls, model: str = SMOLLM2, *, timeout: float = 120.0, reads: int = 12_000) -> Endpoint:
        """Serve a GGUF file in this process; loads it the first time; raises `BadInput` where it cannot be."""
        served = serve(model)
        key = SecretStr(served.api_key)
        return cls(base_url=served.base_url, api_key=key, model=model, timeout=timeout, reads=reads)

    @classmethod
    def from_env(cls) -> Endpoint:
        """Return the endpoint that the environment names; raises `BadInput` where it names none, or wrongly."""
        try:
            variables = EndpointVariables()
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise BadInput(f"{first['loc'][0]}: {first['msg']}") from None
        limits = {"timeout": variables.timeout, "reads": variables.reads}
        options = {name: value for name, value in limits.items() if value is not None}
        key = variables.api_key.get_secret_value() if variables.api_key else ""
        if variables.base_url or key:
            return cls.model_validate(
                {
                    "base_url": variables.base_url or OPENAI,
                    "api_key": key or NO_KEY,
                    "model": variables.model or "",
                    **options,
                }
            )
        if variables.model:
            return cls.here(variables.model, **options)  # type: ignore[arg-type]
        raise BadInput(
            f"no language model is named: set OPENAI_BASE_URL and MEMOREPAIR_LLM, or MEMOREPAIR_LLM={SMOLLM2}"
        )


class EndpointVariables(BaseSettings):
    """Holds the environment variables, typed."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    model: str | None = Field(default=None, validation_alias=MODEL)
    timeout: float | None = Field(default=None, gt=0, le=LONGEST, validation_alias="MEMOREPAIR_LLM_TIMEOUT")
    reads: int | None = Field(default=None, ge=1, validation_alias="MEMOREPAIR_LLM_READS")
