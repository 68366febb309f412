"""Settings changed on the command line: `--set train.lr=0.01`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml
from pydantic import BaseModel

from playmill.core.documents import fit, key_below, parse_yaml
from playmill.core.errors import UsageError, unknown_name
from playmill.core.settings import fields_of
from playmill.runs.settings_file import Kind, SettingsSource
from playmill.runs.settings_text import optional_section_of, section_of


def override(settings: Kind, words: Sequence[str], path: SettingsSource) -> tuple[Kind, str]:
    """The settings of the file `path` with these changes, and the text of a file that holds them: what a run keeps."""
    content = settings.model_dump(mode="json", exclude_unset=True)
    for word in words:
        key, value = _read(word)
        _put(content, _checked(type(settings), key), value)
    text = f"# {_where(path, words)}\n{yaml.safe_dump(content, sort_keys=False, allow_unicode=True)}"
    try:
        return fit(type(settings), _where(path, words), content), text
    except UsageError as error:
        # A flag may stand for many settings: only those that are refused are named.
        blamed = [word for word in words if f" {word.partition('=')[0].strip()}: " in str(error)]
        return fit(type(settings), _where(path, blamed or words), content), text


def _where(path: SettingsSource, words: Sequence[str]) -> str:
    return " ".join(f"{path} --set {' --set '.join(words)}".split())


def _read(word: str) -> tuple[str, Any]:
    """A key and its value, which is a YAML scalar."""
    key, sign, text = word.partition("=")
    if not sign or not key:
        raise UsageError(f"--set: expected KEY=VALUE such as train.lr=0.01, got '{word}'")
    try:
        value = read_value(text)
    except UsageError:
        value = []
    if isinstance(value, list | dict):
        raise UsageError(f"--set {key}: expected one value, such as 3, 0.01, true, null or a word, got '{text}'")
    return key.strip(), value


def read_value(text: str) -> Any:
    """What somebody typed as a setting's value, which is YAML; 1e3 counts as well as 1000."""
    value = parse_yaml(text, "the value")
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def _checked(kind: type[BaseModel], key: str) -> list[str]:
    """The parts of a key that names one setting."""
    names = key.split(".")
    section: type[BaseModel] | None = kind
    is_optional = False
    for depth, name in enumerate(names):
        above = ".".join(names[:depth])
        if section is None:
            raise UsageError(f"--set {key}: {above} is one value, with nothing below it")
        fields = fields_of(section)
        if name not in fields:
            prefix = above + "." if above else ""
            if new := getattr(section, "renamed", {}).get(name):
                raise UsageError(f"--set {key}: unknown setting '{prefix}{name}'; it is called {prefix}{new} now")
            below = key_below(section, name)
            raise unknown_name("setting", prefix + name, [prefix + known for known in fields], below and prefix + below)
        is_optional = optional_section_of(fields[name]) is not None
        section = section_of(fields[name]) or optional_section_of(fields[name])
    if section is not None and not is_optional:
        example = f"{key}.{next(iter(fields_of(section)))}=..."
        raise UsageError(f"--set {key}: it is a group of settings; change one of them, such as {example}")
    return names


def _put(content: dict[str, Any], names: list[str], value: Any) -> None:
    for name in names[:-1]:
        content[name] = content.get(name) or {}  # a group that may be left out can be null
        content = content[name]
    content[names[-1]] = value
