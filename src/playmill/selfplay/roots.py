"""The log of searched roots, `mcts_roots.ndjson`: the same lines in the same order for any timing.

A shard's lines wait in a file of their own, `mcts_roots/shard_000000.jsonl`, which is there before the shard is. When all
shards of an iteration have been played, the parts are put behind the log in the order of the shards. No clock is in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from playmill.core.files import atomic_write, atomic_writer

Root = dict[str, Any]


def part_path(parts: Path, index: int) -> Path:
    """Where the lines of shard number `index` wait."""
    return parts / f"shard_{index:06d}.jsonl"


def part_text(iteration: int, roots: list[Root]) -> str:
    """A shard's lines by game and ply."""
    ordered = sorted(roots, key=lambda root: (root["game"], root["ply"]))
    lines = (
        json.dumps({"event": "mcts_root", "iteration": iteration, "step": root["game"], **root}, allow_nan=False)
        for root in ordered
    )
    return "".join(line + "\n" for line in lines)


def write_part(path: Path, text: str) -> None:
    """Write a shard's lines; no lines, no file."""
    if text:
        atomic_write(path, text)


def join_parts(log: Path, parts: Iterable[Path], head: Mapping[str, Any] | None = None) -> None:
    """Put the parts behind the log, in the given order, each line with the `head` that all events of the run have.

    Done again after a kill, with all of the parts or the last of them, it changes nothing.
    """
    waiting = (line for path in parts if path.exists() for line in path.read_bytes().splitlines(keepends=True))
    lines = [_with_head(line, head) if head else line for line in waiting]
    if lines:
        with atomic_writer(log) as file:
            file.writelines(_other_lines(log, set(lines)))
            file.writelines(lines)


def _with_head(line: bytes, head: Mapping[str, Any]) -> bytes:
    root = json.loads(line)
    return (json.dumps({"event": root.pop("event"), **head, **root}, allow_nan=False) + "\n").encode()


def _other_lines(log: Path, lines: set[bytes]) -> Iterator[bytes]:
    """The log's whole lines, but for these."""
    if log.exists():
        with log.open("rb") as file:
            yield from (line for line in file if line.endswith(b"\n") and line not in lines)
