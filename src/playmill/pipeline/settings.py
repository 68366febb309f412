"""One YAML file says everything about a run."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playmill.arena.gate_settings import GateSettings
from playmill.core.errors import UsageError
from playmill.nets.spec import NetSpec
from playmill.search.settings import SearchSettings
from playmill.selfplay.settings import SelfPlaySettings
from playmill.train.settings import TrainSettings


class ReplaySettings(BaseModel):
    """How much is kept."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    capacity_shards: int | None = Field(None, ge=1, description="Keep the newest so many shards; default: all.")


class OracleSettings(BaseModel):
    """Measuring against the solved game, where there is one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: int = Field(200, ge=0, description="Games a measurement; 0: none.")
    every: int = Field(1, ge=1, description="Measure after every so many iterations.")


class RunSettings(BaseModel):
    """A run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str = Field(description="A game from `playmill games`.")
    seed: int = Field(0, ge=0, lt=1 << 64, description="Same seed, same run.")
    iterations: int = Field(1, ge=1, description="How many in all; a run that has had them is done.")
    workers: int | None = Field(None, ge=1, description="Threads; default: all cores. No result depends on it.")
    backend: Literal["auto", "torch", "ort", "ort_int8"] = Field("auto", description="What runs the network.")
    device: str = Field("cpu", description="cpu or cuda.")
    net: NetSpec = Field(NetSpec(), description="The network.")
    search: SearchSettings = Field(SearchSettings(), description="How a move is found.")
    selfplay: SelfPlaySettings = Field(SelfPlaySettings(), description="Games an iteration.")
    train: TrainSettings = Field(TrainSettings(), description="Learning.")
    gate: GateSettings = Field(GateSettings(), description="Candidate against best.")
    replay: ReplaySettings = Field(ReplaySettings(), description="What is kept.")
    oracle: OracleSettings = Field(OracleSettings(), description="Against the solved game.")

    def digest(self) -> str:
        """A hash of every setting that a result depends on."""
        return hashlib.sha256(self.model_dump_json(exclude={"workers"}).encode()).hexdigest()


def load_settings(path: Path) -> tuple[RunSettings, str]:
    """The settings in a YAML file, and its text; an error names the file, the key, what was expected and what came."""
    try:
        text = path.read_text()
        content = yaml.safe_load(text)
    except OSError as error:
        raise UsageError(f"{path}: can't be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        where = getattr(error, "problem_mark", None)
        line = f" in line {where.line + 1}" if where is not None else ""
        raise UsageError(f"{path}: expected YAML, but {getattr(error, 'problem', None) or 'it is not'}{line}") from error
    if not isinstance(content, dict):
        raise UsageError(f"{path}: expected settings such as `game: yatzy`, got {content!r:.60}")
    return parse_settings(str(path), content), text


def parse_settings(where: str, content: dict[str, Any]) -> RunSettings:
    """The settings that a mapping holds; `where` names it in errors."""
    try:
        return RunSettings.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where}: {key}: {_expectation(first)}") from None


def _expectation(error: Any) -> str:
    """One pydantic error in our words."""
    kind, got = error["type"], error.get("input")
    if kind == "extra_forbidden":
        return "unknown key"
    if kind == "missing":
        return "expected a value, got none"
    text = error["msg"].replace("Input should be", "expected")
    return f"{text[0].lower() + text[1:]}, got {got!r:.60}"
