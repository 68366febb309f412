"""One game record through the conveyor: cleaned in memory, hunted, judged. A task for the executor."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from playmill.core.executor import stop_sign
from playmill.games.go.sgf.clean import CleanGame, RejectedGame, clean_sgf
from playmill.games.go.sgf.record import read_record
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.engines import ENGINES
from playmill.puzzles.mining.judged import JudgedProblem, Rejection
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.sources import read_source


@dataclass(frozen=True)
class RecordTask:
    """A file to mine: what it holds, since a worker may be a machine with another disk, or why that can't be read.

    `name` is what it is called below the folder.
    """

    data: bytes
    trouble: str | None
    name: str
    engine: str
    settings: MiningSettings


@dataclass
class MinedRecord:
    """What came of a file: its games and positions, its candidates with what became of each, and games that can't be used."""

    name: str
    sha256: str | None = None
    games: int = 0
    positions: int = 0
    items: list[tuple[Candidate, JudgedProblem | Rejection]] = field(default_factory=list)
    unusable: list[RejectedGame] = field(default_factory=list)


def read_task(path: Path, name: str, engine: str, settings: MiningSettings) -> RecordTask:
    """The task for a file."""
    try:
        return RecordTask(read_source(path), None, name, engine, settings)
    except OSError as error:
        return RecordTask(b"", error.strerror or str(error), name, engine, settings)


def mine_record(task: RecordTask) -> MinedRecord:
    """Mine one file. A file that can't be read or used says why, and is no error."""
    found = MinedRecord(task.name)
    if task.trouble is not None:
        found.unusable.append(RejectedGame("unreadable", task.trouble))
        return found
    found.sha256 = hashlib.sha256(task.data).hexdigest()
    cleaned = clean_sgf(task.data)
    found.unusable += [cleaned.rejected] if cleaned.rejected else []
    for number, game in enumerate(cleaned.games, 1):
        if isinstance(game, RejectedGame):
            found.unusable.append(game)
        else:
            _mine_game(task, SourceFacts(task.name, found.sha256, number), game, found)
    return found


def _mine_game(task: RecordTask, source: SourceFacts, game: CleanGame, found: MinedRecord) -> None:
    engine, record = ENGINES.find(task.engine), read_record(game.root)
    found.games += 1
    found.positions += len(record.moves)
    shown: set[tuple[int, int]] = set()
    for candidate in engine.hunt(record, source, task.settings):
        stop_sign().check()
        judged = engine.judge(candidate, task.settings)
        if not isinstance(judged, Rejection):
            judged = _once(judged, shown)
        found.items.append((candidate, judged))


def _once(judged: JudgedProblem, shown: set[tuple[int, int]]) -> JudgedProblem | Rejection:
    """The problem, unless the game had one for the same side and move: the same fight with a stone more, or another mark."""
    key = judged.problem.to_play, judged.tree.right.move
    if key in shown:
        return Rejection("duplicate", "the same move of the same side in the same game")
    shown.add(key)
    return judged
