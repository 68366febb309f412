"""Settings as people read them: a commented file to start from, and the page of all keys."""

from __future__ import annotations

import textwrap
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from playmill.core.settings import OneOf, fields_of

WIDTH = 100
SHOWN_KEYS = 3  # settings in a message
WORDS = {int: "whole number", float: "number", bool: "true or false", str: "text"}
BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below", "multiple_of": "a multiple of"}


class Key(NamedTuple):
    """One setting, or a group of them (`section`)."""

    path: str  # with dots
    field: FieldInfo
    default: Any
    section: type[BaseModel] | None

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def depth(self) -> int:
        return self.path.count(".")

    @property
    def sentence(self) -> str:
        return self.field.description or ""


def section_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a field that is a group of settings."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def optional_section_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a group of settings that may be left out whole: a key of its own to readers, with keys below it."""
    parts = [part for part in get_args(field.annotation) if part is not types.NoneType]
    is_group = len(parts) == 1 and isinstance(parts[0], type) and issubclass(parts[0], BaseModel)
    return parts[0] if is_group else None


def keys(kind: type[BaseModel], hidden: frozenset[str] = frozenset()) -> list[Key]:
    """All keys in order, a group before what is in it, without the `hidden` ones."""
    return list(_walk(kind, {}, "", hidden))


def _walk(kind: type[BaseModel], defaults: Mapping[str, Any], prefix: str, hidden: frozenset[str]) -> Iterator[Key]:
    """`defaults` are those that a group has in its place, which may differ from its model's."""
    for name, field in fields_of(kind).items():
        path = f"{prefix}{name}"
        if path in hidden:
            continue
        default, section = defaults.get(name, None if field.is_required() else field.default), section_of(field)
        yield Key(path, field, default, section)
        if section is not None:
            yield from _walk(section, dict(default or {}), f"{path}.", hidden)


# ------------------------------------------------------------------ a file to start from


def commented_yaml(kind: type[BaseModel], head: str, values: Mapping[str, Any], hidden: frozenset[str] = frozenset()) -> str:
    """A file with every key, its sentence and its default; `values` are those that differ from the default."""
    lines = [*_comment(head, "")]
    for key in keys(kind, hidden):
        margin = "  " * key.depth
        if key.depth == 0:
            lines.append("")
        if key.section is not None:
            lines += [*_comment(key.sentence, margin), f"{margin}{key.name}:"]
            continue
        told = "" if key.field.is_required() else f" [default: {scalar(key.default)}]"
        lines += [*_comment(key.sentence + told, margin), f"{margin}{key.name}: {scalar(values.get(key.path, key.default))}"]
    return "\n".join(lines) + "\n"


def _comment(text: str, margin: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"{margin}# ", subsequent_indent=f"{margin}# ")


def scalar(value: Any) -> str:
    """A value as YAML writes it."""
    if isinstance(value, float) and value and abs(value) < 1e-3:
        return f"{value:.12f}".rstrip("0")  # YAML takes 1e-05 for a word
    return str(yaml.safe_dump(value, default_flow_style=True, width=1 << 20)).partition("\n")[0]


# ------------------------------------------------------------------ two of them


def differences(then: Mapping[str, Any], now: Mapping[str, Any], besides: Sequence[str] = ()) -> str:
    """The first few settings in which two nests of them differ, in words; empty where they don't, or only in `besides`."""
    old, new = flat_settings(then), flat_settings(now)
    keys = [key for key in {**old, **new} if key.partition(".")[0] not in besides and old.get(key) != new.get(key)]
    told = ", ".join(f"{key} {scalar(old.get(key))}, not {scalar(new.get(key))}" for key in keys[:SHOWN_KEYS])
    return f"{told} and {len(keys) - SHOWN_KEYS} more" if len(keys) > SHOWN_KEYS else told


def flat_settings(content: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The values of nested settings by their dotted keys."""
    found: dict[str, Any] = {}
    for name, value in content.items():
        found |= flat_settings(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value}
    return found


# ------------------------------------------------------------------ the page


def markdown(kind: type[BaseModel], hidden: frozenset[str] = frozenset()) -> str:
    """A table for each group: key, what it may be, default, sentence."""
    found = keys(kind, hidden)
    groups = [None, *(key for key in found if key.section is not None)]
    parts = [_group(group, [key for key in found if _is_in(key, group)]) for group in groups]
    return "\n".join(part for part in parts if part)


def _is_in(key: Key, group: Key | None) -> bool:
    return key.section is None and key.path.rpartition(".")[0] == (group.path if group else "")


def _group(group: Key | None, members: list[Key]) -> str:
    if not members:
        return ""
    head = f"### `{group.path}`\n\n{group.sentence}\n\n" if group else ""
    rows = [f"| `{key.path}` | {kind_words(key.field)} | {_default(key)} | {key.sentence} |" for key in members]
    return head + "\n".join(["| key | value | default | |", "|---|---|---|---|", *rows]) + "\n"


def _default(key: Key) -> str:
    return "" if key.field.is_required() else f"`{scalar(key.default)}`"


def kind_words(field: FieldInfo) -> str:
    """What a value may be, in words: type and bounds, or the names that a table has."""
    for part in field.metadata:
        if isinstance(part, OneOf):
            return ", ".join(f"`{name}`" for name in part.table)
    bounds = [
        f"{words} {_plain(getattr(part, name))}"
        for part in field.metadata
        for name, words in BOUNDS.items()
        if hasattr(part, name)
    ]
    return ", ".join([_type_words(field.annotation), *bounds])


def _type_words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(kind))
    if get_origin(kind) in (types.UnionType,):
        return " or ".join(_type_words(part) for part in get_args(kind) if part is not types.NoneType) + " or `null`"
    return "group of settings" if issubclass(kind, BaseModel) else WORDS[kind]


def _plain(number: float) -> str:
    return "2**64" if number == 1 << 64 else f"{number:g}"
