"""The one reader of YAML and of JSON, and of what models make of them: strict, and wrong in one line.

A key that comes twice, a value that is no number where one belongs, nesting without end: refused with the place, before
anything is done with the rest.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from playmill.core.errors import PlaymillError, UsageError, one_line, suggestion
from playmill.core.settings import fields_of

MAX_YAML_BYTES = 1 << 20  # settings have some hundred lines; the parser is slow
MAX_DEPTH = 40  # of lists in lists: more than any document of ours has, less than any parser's stack
SHOWN = 60  # characters of a value in a message

WORDS = {  # pydantic's and ours
    "Input should be": "expected",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "greater than": "above",
    "less than": "below",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    "a valid string": "a text",
    "a valid boolean": "true or false",
    "a valid dictionary": "a mapping",
}

Model = TypeVar("Model", bound=BaseModel)


def read_bytes(path: Path, what: str = "") -> bytes:
    """What a file holds; one that is missing or can't be read is the caller's mistake. `what` is added to the line."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{path}: can't be read ({reason}){what and '; ' + what}") from error


def read_text(path: Path) -> str:
    """The same as text, which is UTF-8 wherever we are."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: expected UTF-8 text, but byte {error.start} is none") from None


def shorten(value: object) -> str:
    """A value as a message shows it."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


# ------------------------------------------------------------------ YAML


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Plain values only: no key twice, no tags, no aliases (a few lines of them grow without end), a limited depth."""

    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, f"an alias (*{event.anchor}) stands where a value is expected")
        if getattr(event, "tag", None) not in (None, "!"):
            self._refuse(event, f"a tag ({event.tag}) stands before a value")
        if self._depth > MAX_DEPTH:
            self._refuse(event, f"it is nested more than {MAX_DEPTH} deep")
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[Any] = set()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                self._refuse(key, f"the key '{key.value}' comes twice")
            seen.add(key.value)
        return super().construct_mapping(node, deep)

    @staticmethod
    def _refuse(at: Any, problem: str) -> None:
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=at.start_mark)


def _set_resolvers() -> None:
    """Read numbers as people write them: 1e-3 is one, and neither 12:30:00 nor 2001-02-03 is."""
    number = re.compile(r"[-+]?(\d[\d_]*(\.\d*)?|\.\d+)([eE][-+]?\d+)?$|[-+]?\.(inf|Inf|INF)$|\.(nan|NaN|NAN)$")
    whole = re.compile(r"[-+]?(0x[\da-fA-F]+|0o?[0-7]+|0|[1-9]\d*(_\d+)*)$")
    kept = {"tag:yaml.org,2002:null", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:merge"}
    _Loader.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if pair[0] in kept] for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    _Loader.add_implicit_resolver("tag:yaml.org,2002:int", whole, list("-+0123456789"))
    _Loader.add_implicit_resolver("tag:yaml.org,2002:float", number, list("-+0123456789."))


_set_resolvers()


def parse_yaml(text: str, where: str) -> Any:
    """What a YAML text holds; `where` names it in errors."""
    if len(text) > MAX_YAML_BYTES:
        raise UsageError(f"{where}: expected at most {MAX_YAML_BYTES:,} characters of YAML, got {len(text):,}")
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark is not None else ""
        raise UsageError(f"{where}: expected YAML, but {getattr(error, 'problem', None) or one_line(error)}{line}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits
        raise UsageError(f"{where}: expected YAML, but {one_line(error)}") from None


def read_yaml(path: Path) -> tuple[Any, str]:
    """What a YAML file holds, and its text."""
    text = read_text(path)
    return parse_yaml(text, str(path)), text


# ------------------------------------------------------------------ JSON


def parse_json(text: str | bytes, where: str, error: type[PlaymillError] = UsageError, what: str = "JSON") -> Any:
    """What a JSON text holds; `where` names it in errors, which are of the kind `error`, and `what` is expected there."""
    try:
        found = json.loads(text, object_pairs_hook=_unlike_keys, parse_constant=_refuse_constant)
        _require_depth(found)
        return found
    except RecursionError:
        raise error(f"{where}: expected {what}, but it is nested more than {MAX_DEPTH} deep") from None
    except ValueError as problem:
        raise error(f"{where}: expected {what}, but {one_line(problem)}") from None


def parse_object(text: str | bytes, where: str, error: type[PlaymillError] = UsageError) -> dict[str, Any]:
    """The one JSON object that a text is."""
    found = parse_json(text, where, error, "one JSON object")
    if not isinstance(found, dict):
        raise error(f"{where}: expected one JSON object, got {shorten(found)}")
    return found


def _unlike_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise ValueError(f"the key {shorten(twice)} comes twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _require_depth(found: Any) -> None:
    level = [found]
    for _ in range(MAX_DEPTH + 1):
        level = [item for value in level if isinstance(value, dict | list) for item in _items(value)]
        if not level:
            return
    raise ValueError(f"it is nested more than {MAX_DEPTH} deep")


def _items(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


# ------------------------------------------------------------------ models


def fit(kind: type[Model], where: str, content: Any, error: type[PlaymillError] = UsageError) -> Model:
    """The model that `content` makes, or one line about the first thing that is wrong.

    `where` begins the line: a file or, if it is a plain name, the key that the content stands under.
    """
    try:
        return kind.model_validate(content)
    except ValidationError as problem:
        has_key = bool(problem.errors()[0]["loc"])
        raise error(f"{where}{'.' if has_key and where.isidentifier() else ': '}{first_problem(kind, problem)}") from None


def first_problem(kind: type[BaseModel], error: ValidationError) -> str:
    """The first of a model's errors in our words: the key, what was expected, what came."""
    key, line = all_problems(kind, error)[0]
    return f"{key}: {line}" if key else line


def all_problems(kind: type[BaseModel], error: ValidationError) -> list[tuple[str, str]]:
    """All errors of a model in our words, each with its key, which is empty where they are about the whole."""
    found: list[Any] = error.errors(include_url=False)
    return [(".".join(str(part) for part in one["loc"] if part != "[key]"), _expectation(kind, one)) for one in found]


def _expectation(kind: type[BaseModel], error: Any) -> str:
    wrong, got = error["type"], error.get("input")
    if wrong == "extra_forbidden":
        *place, name = map(str, error["loc"])
        there = _model_at(kind, place)
        return "unknown key" + ("" if there is None else suggestion(name, fields_of(there), key_below(there, name)))
    if wrong == "unknown_name":
        return str(error["msg"])
    if wrong == "missing":
        return "expected a value, got none"
    if wrong == "json_invalid":
        return f"expected a JSON object ({error['ctx']['error']}), got {shorten(got)}"
    if wrong == "model_type":
        return f"expected a mapping, got {shorten(got)}"
    text = expectation(error["msg"])
    return text if isinstance(got, dict) else f"{text}, got {shorten(got)}"


def expectation(message: str) -> str:
    """Pydantic's message about a value in our words."""
    text = one_line(message).removeprefix("Value error, ").split(", unable to parse")[0]
    for theirs, ours in WORDS.items():
        text = text.replace(theirs, ours)
    return text[0].lower() + text[1:]


def key_below(kind: type[BaseModel], name: str) -> str | None:
    """The key that `name` has in a section of the model, such as `puct.budget` for `budget`; None: no section has it."""
    for section, field in fields_of(kind).items():
        inner = _model_in(field.annotation)
        if inner is not None and name in fields_of(inner):
            return f"{section}.{name}"
    return None


def _model_at(kind: type[BaseModel], place: list[str]) -> type[BaseModel] | None:
    """The model at a place of the model."""
    for part in place:
        field = fields_of(kind).get(part)
        inner = None if field is None else _model_in(field.annotation)
        if inner is None:
            return None
        kind = inner
    return kind


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that an annotation is, or holds: `Net`, `Net | None`, `list[Net]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for found in map(_model_in, get_args(annotation)) if found is not None), None)
