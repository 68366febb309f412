"""What `verify` finds, and which games it plays again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from playmill.core.seeds import below, mix


@dataclass(frozen=True)
class Problem:
    """One thing that is not as it should be."""

    file: str
    game: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}" if self.game is None else f"{self.file}: game {self.game}: {self.what}"


@dataclass
class VerifyReport:
    """How much was looked at, and what was wrong. A shard is a file of games, whatever its kind."""

    run: str
    files: int = 0  # that were compared with the manifest
    shards: int = 0  # whose bytes and meta were checked
    games: int = 0  # in those shards
    replayed: int = 0  # games played again by the rules
    searched: int = 0  # games searched again
    samples: int = 0  # rows of those that were compared
    problems: list[Problem] = field(default_factory=list)

    def fields(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {**asdict(self), "is_whole": not self.problems}


def choose_games(counts: list[int], games: int, seed: int) -> list[list[int]]:
    """Rows for each shard, `counts` its number of games: `games` in all, as even as can be, fewer where there are fewer."""
    shards, turn = len(counts), below(mix(seed, 0), max(len(counts), 1))
    chosen = []
    for i, count in enumerate(counts):
        place = (i + turn) % shards  # with fewer games than shards the seed also says whose turn it is
        share = (place + 1) * games // shards - place * games // shards
        stream = mix(mix(seed, 1), i)
        order = sorted(range(count), key=lambda row, stream=stream: mix(stream, row))  # type: ignore[misc]
        chosen.append(sorted(order[:share]))
    return chosen
