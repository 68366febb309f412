"""Settings as a form: their fields in groups, what each may be, what was typed, and what is wrong with it."""

from __future__ import annotations

import math
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from playmill.core.documents import all_problems
from playmill.core.errors import UsageError
from playmill.core.settings import OneOf
from playmill.runs.overrides import read_value
from playmill.runs.settings_file import SettingsFile
from playmill.runs.settings_text import Key, commented_yaml, keys, kind_words, scalar

GENERAL = "run"  # what the settings outside all groups are called
Control = Literal["choice", "switch", "number", "text", "yaml"]
BOUNDS = {"ge": 0, "gt": 1, "le": 0, "lt": -1}  # and how far a whole number must be from it


@dataclass(frozen=True)
class FormField:
    """One setting: how it is asked for, and within which bounds."""

    key: Key
    control: Control
    choices: tuple[str, ...] = ()
    is_whole: bool = False
    is_optional: bool = False
    low: float = -math.inf
    high: float = math.inf

    @property
    def path(self) -> str:
        return self.key.path

    @property
    def about(self) -> str:
        """The setting's sentence, what it may be, and what it is if nobody says."""
        default = "" if self.key.field.is_required() else f"; default {scalar(self.key.default)}"
        return f"{self.key.sentence} ({kind_words(self.key.field).replace('`', '')}{default})"

    def shown(self, value: Any) -> str:
        """A value as it is typed."""
        if value is None:
            return ""
        return value if isinstance(value, str) and self.control != "yaml" else scalar(value)

    def read(self, text: str) -> Any:
        """What was typed, as a value; what is none stays text, and is refused by its setting."""
        if not text.strip():
            return None if self.is_optional else text
        if self.control in ("text", "choice"):
            return text
        try:
            return read_value(text)
        except UsageError:
            return text

    def step(self, value: Any, up: bool) -> Any:
        """The next round number above or below, within the bounds; what is no number becomes the default, or the least."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return self.key.default if isinstance(self.key.default, int | float) else max(self.low, 0)
        size = 10.0 ** math.floor(math.log10(abs(value))) if value else (1.0 if self.is_whole else 0.1)
        if not up and math.isclose(abs(value), size) and value > 0:
            size /= 10
        size = max(size, 1.0) if self.is_whole else size
        count = value / size
        nearest = round(count)
        is_round = math.isclose(count, nearest, rel_tol=1e-9, abs_tol=1e-9)
        next_one = (nearest + (1 if up else -1)) if is_round else (math.ceil(count) if up else math.floor(count))
        found = min(max(next_one * size, self.low), self.high)
        return round(found) if self.is_whole else float(f"{found:.6g}")


class SettingsForm:
    """A settings file that is being written."""

    def __init__(
        self, kind: type[SettingsFile], name: str, content: Mapping[str, Any], hidden: frozenset[str] = frozenset()
    ) -> None:
        """`content`: what a file holds, be it wrong; `hidden` keys are left out unless it names them."""
        self.kind, self.name = kind, name
        self.hidden = frozenset(path for path in hidden if _find(content, path) is None)
        self.fields = {key.path: _field(key) for key in keys(kind, self.hidden) if key.section is None}
        found = {path: _find(content, path) for path in self.fields}
        self.values: dict[str, Any] = {path: value[0] for path, value in found.items() if value is not None}
        self.stray = sorted(_stray(content, self.fields))  # keys that are none, and that the form leaves out

    @property
    def groups(self) -> dict[str, str]:
        """The groups that have settings of their own, and a sentence about each."""
        sections = {key.path: key.sentence for key in keys(self.kind, self.hidden) if key.section is not None}
        own = [path for path in sections if any(_group(other) == path for other in self.fields)]
        return {GENERAL: "The run as a whole.", **{path: sections[path] for path in own}}

    def fields_in(self, group: str) -> list[FormField]:
        return [field for path, field in self.fields.items() if (_group(path) or GENERAL) == group]

    def value(self, path: str) -> Any:
        return self.values.get(path, self.fields[path].key.default)

    def is_changed(self, path: str) -> bool:
        """Whether it is not the default."""
        return bool(self.value(path) != self.fields[path].key.default)

    def put(self, path: str, value: Any) -> None:
        self.values[path] = value

    def problems(self) -> dict[str, str]:
        """What is wrong, by the key; a line about a whole group has the group's."""
        try:
            self.kind.model_validate(self.content())
        except ValidationError as error:
            return dict(all_problems(self.kind, error)[::-1])  # of several about one key the first counts
        return {}

    def content(self) -> dict[str, Any]:
        """All values in their groups."""
        found: dict[str, Any] = {}
        for path in self.fields:
            *above, name = path.split(".")
            inner = found
            for part in above:
                inner = inner.setdefault(part, {})
            inner[name] = self.value(path)
        return found

    def text(self) -> str:
        """The file: every key with its sentence."""
        return commented_yaml(self.kind, f"{self.name}. Keys that are left out have their default.", self.values, self.hidden)


def group_of_problem(path: str, groups: Mapping[str, str]) -> str:
    """The group that a problem is shown in."""
    while path and path not in groups:
        path = _group(path)
    return path or GENERAL


def _group(path: str) -> str:
    return path.rpartition(".")[0]


def _find(content: Any, path: str) -> tuple[Any] | None:
    """What stands at a dotted path, in a tuple; None if nothing does."""
    for part in path.split("."):
        if not isinstance(content, Mapping) or part not in content:
            return None
        content = content[part]
    return (content,)


def _stray(content: Mapping[str, Any], fields: Iterable[str], above: str = "") -> Iterator[str]:
    """The dotted keys of a file that are neither settings nor groups of them."""
    for name, value in content.items():
        path = f"{above}{name}"
        if path in fields:
            continue
        if isinstance(value, Mapping) and any(known.startswith(f"{path}.") for known in fields):
            yield from _stray(value, fields, f"{path}.")
        else:
            yield path


def _field(key: Key) -> FormField:
    field = key.field
    kind, is_optional = _inner(field.annotation)
    table = next((part.table for part in field.metadata if isinstance(part, OneOf)), None)
    if table is not None:
        return FormField(key, "choice", tuple(table), is_optional=is_optional)
    if get_origin(kind) is Literal:
        return FormField(key, "choice", tuple(map(str, get_args(kind))), is_optional=is_optional)
    if kind is bool:
        return FormField(key, "switch", is_optional=is_optional)
    if kind in (int, float):
        low, high = _bounds(field, kind is int)
        return FormField(key, "number", is_whole=kind is int, is_optional=is_optional, low=low, high=high)
    return FormField(key, "text" if kind is str else "yaml", is_optional=is_optional)


def _inner(annotation: Any) -> tuple[Any, bool]:
    """The type of a value, and whether there may be none."""
    parts = [part for part in get_args(annotation) if part is not types.NoneType]
    is_optional = types.NoneType in get_args(annotation)
    return (parts[0] if len(parts) == 1 else annotation, is_optional) if is_optional else (annotation, False)


def _bounds(field: FieldInfo, is_whole: bool) -> tuple[float, float]:
    found = {name: getattr(part, name) for part in field.metadata for name in BOUNDS if hasattr(part, name)}
    inside = {name: bound + (BOUNDS[name] if is_whole else 0) for name, bound in found.items() if bound is not None}
    return inside.get("ge", inside.get("gt", -math.inf)), inside.get("le", inside.get("lt", math.inf))
