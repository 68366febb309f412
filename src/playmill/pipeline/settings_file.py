"""Settings in a YAML file: read, checked, and told apart by a hash.

An error names the file, the key, what was expected and what came.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from playmill.core.errors import UsageError


class SettingsFile(BaseModel):
    """The base of what such a file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def digest(self) -> str:
        """A hash of every setting that a result depends on."""
        return hashlib.sha256(self.model_dump_json(exclude={"workers"}).encode()).hexdigest()


Settings = TypeVar("Settings", bound=SettingsFile)


def load(kind: type[Settings], path: Path, example: str) -> tuple[Settings, str]:
    """The settings in a file, and its text; `example` is a line that one has."""
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
        raise UsageError(f"{path}: expected settings such as `{example}`, got {content!r:.60}")
    return parse(kind, str(path), content), text


def parse(kind: type[Settings], where: str, content: dict[str, Any]) -> Settings:
    """The settings that a mapping holds; `where` names it in errors."""
    try:
        return kind.model_validate(content)
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
