"""A new game as an installable package: a small one that plays and passes all checks, to be changed step by step."""

from __future__ import annotations

import importlib.util
import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path
from string import Template

from playmill import __version__
from playmill.core.errors import UsageError
from playmill.games.registry import game_names

# Where each template goes. They end in .txt so that nobody takes them for code of ours.
FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "game.py.txt": "src/$name/__init__.py",
    "golden.json.txt": "src/$name/golden/$name.json",
    "test.py.txt": "tests/test_$name.py",
}


def new_game(name: str, folder: Path) -> list[Path]:
    """Write the package `name` into `folder`/name; return its files. A bad name or a folder that exists is refused."""
    _check_name(name)
    home = folder / name
    if home.exists():
        raise UsageError(f"new game '{name}': {home} exists already; choose another name or another folder")
    _check_free(name)
    words = {"name": name, "version": __version__}
    try:
        return [_write(home, template, target, words) for template, target in FILES.items()]
    except OSError as error:
        raise UsageError(f"new game '{name}': can't write {error.filename or home}: {error.strerror}") from error


def _write(home: Path, template: str, target: str, words: dict[str, str]) -> Path:
    path = home / Template(target).substitute(words)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = files("playmill.games").joinpath("template", template).read_text("utf-8")
    path.write_text(Template(text).substitute(words), "utf-8")
    return path


def _check_name(name: str) -> None:
    """The name will be a module, a distribution and an entry point, so it must suit all three."""
    if not re.fullmatch(r"[a-z]([a-z0-9_]*[a-z0-9])?", name):
        raise UsageError(f"new game: '{name}' can't be a package; use small letters, digits and underscores, as in 'my_game'")
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise UsageError(f"new game: '{name}' is a word of the Python language; choose another name")


def _check_free(name: str) -> None:
    if name in game_names():
        raise UsageError(f"new game: '{name}' is a registered game already; choose another name")
    if name in sys.stdlib_module_names or _is_installed(name):
        raise UsageError(f"new game: '{name}' would hide the module of that name; choose another name")


def _is_installed(name: str) -> bool:
    """A mere folder of that name also has a spec, but no origin."""
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None
