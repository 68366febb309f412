"""The game records in a folder, in a fixed order, and the names that their cleaned games get."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import UsageError
from playmill.games.go.sgf.clean import MAX_BYTES

SUFFIXES = (".sgf", ".mgt")
NUMBER = re.compile(r"\.\d+\Z")


@dataclass(frozen=True)
class Source:
    """A file: its name below the folder, with slashes, and what the names of its cleaned games begin with."""

    name: str
    stem: str

    def path(self, folder: Path) -> Path:
        """Where it is, if it was found in `folder`, or is that file itself."""
        return folder if folder.is_file() else folder / self.name

    def output(self, number: int, count: int) -> str:
        """The name of its game of this number; the only game needs none."""
        return f"{self.stem}.sgf" if count == 1 else f"{self.stem}.{number + 1}.sgf"


def find_sources(folder: Path) -> list[Source]:
    """All game records at any depth, by name; a single file is one, whatever it is called."""
    if folder.is_file():
        return [Source(folder.name, folder.stem)]
    if not folder.is_dir():
        raise UsageError(f"{folder}: expected a folder of game records, but there is none")
    names = sorted(_names_in(folder))
    if not names:
        raise UsageError(f"{folder}: expected game records ({', '.join(SUFFIXES)}) in it, got none")
    stems = _stems(names)
    return [Source(name, stem) for name, stem in zip(names, stems, strict=True)]


def read_source(path: Path) -> bytes:
    """A file's bytes, or one more than the cleaner takes: it refuses those, and no file is too large to be looked at."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def digest_of(path: Path) -> str | None:
    """The SHA-256 of what `read_source` reads; None if the file can't be read."""
    try:
        return hashlib.sha256(read_source(path)).hexdigest()
    except OSError:
        return None


def _names_in(folder: Path) -> list[str]:
    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename}: can't be read ({error.strerror})") from error

    found = []
    for path, _, files in os.walk(folder, onerror=refuse):
        found += [
            Path(path, file).relative_to(folder).as_posix()
            for file in files
            if file.lower().endswith(SUFFIXES) and not file.startswith(".")
        ]
    return found


def _stems(names: list[str]) -> list[str]:
    """A stem for each, so that no two files can write the same output, not even on a disk that doesn't tell A from a."""
    stems = [name[: -len(SUFFIXES[0])] for name in names]
    while True:
        alike = Counter(map(_family, stems))
        if len(alike) == len(stems):
            return stems
        stems = [
            f"{name}_{number}" if alike[_family(stem)] > 1 else stem
            for number, (name, stem) in enumerate(zip(names, stems, strict=True), 1)
        ]


def _family(stem: str) -> str:
    """What stems have in common whose outputs might meet: a, a.1 and A."""
    while NUMBER.search(stem):
        stem = NUMBER.sub("", stem)
    return stem.lower()
