"""Settings of the engine: which one, how it is asked, and how long it may take."""

from __future__ import annotations

from pydantic import Field

from playmill.core.settings import Settings


class KataGoSettings(Settings):
    """Which KataGo is asked and how patiently. None of these changes an answer but `engine`, `network` and `config`."""

    engine: str | None = Field(None, description="The program; none: what `playmill katago install` found or fetched.")
    network: str | None = Field(None, description="The network's file; none: the installed one.")
    config: str | None = Field(None, description="The analysis engine's configuration; none: the installed one.")
    in_flight: int = Field(16, ge=1, le=4096, description="Queries that the engine has at a time, at most.")
    timeout_s: float = Field(60.0, gt=0, description="Seconds that a query may take, besides `visit_s` for each visit.")
    visit_s: float = Field(
        1.0, ge=0, description="Seconds more for each visit that the engine was asked for and hasn't answered, all queries."
    )
    startup_s: float = Field(600.0, gt=0, description="Seconds to the first answer; an engine may have to tune itself.")
    restarts: int = Field(2, ge=0, le=100, description="How often a query is asked again after the engine crashed or hung.")
    cache_mib: int = Field(512, ge=0, description="MiB that kept answers may take; 0: none are kept.")
