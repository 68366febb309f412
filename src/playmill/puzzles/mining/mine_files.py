"""What a mining run writes: puzzles and rejects as lines, proofs, and a progress file that makes a killed run go on.

The progress file has a line for each record that is done, with how long the other files were then. Whatever stands behind that
is of a record that was not finished: it is cut off and done again, so the bytes are the same as without the kill.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playmill.core.disk import writing
from playmill.core.documents import parse_object, read_bytes, shorten
from playmill.core.errors import UsageError
from playmill.core.files import atomic_write
from playmill.core.lines import append_line, drop_torn_line, open_alone
from playmill.puzzles.mining.funnel import Funnel
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.publish import make_puzzle
from playmill.puzzles.mining.record_task import MinedRecord
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.puzzle_file import read_puzzles

HEAD = {"format": "playmill.mining", "version": 1}
ROW = {"source": str, "sha256": str | None, "games": int, "positions": int, "unusable": list, "accepted": int,
       "rejected": dict, "puzzle_bytes": int, "reject_bytes": int}  # fmt: skip
Row = dict[str, Any]
ANEW = "choose another --out, or begin anew with --force"


def rejects_path(out: Path) -> Path:
    """puzzles.rejects.jsonl for puzzles.jsonl."""
    return out.with_name(f"{out.stem}.rejects.jsonl")


def progress_path(out: Path) -> Path:
    """puzzles.mining.jsonl for puzzles.jsonl."""
    return out.with_name(f"{out.stem}.mining.jsonl")


def proofs_folder(out: Path) -> Path:
    """puzzles.proofs for puzzles.jsonl."""
    return out.with_name(f"{out.stem}.proofs")


class MineFiles:
    """The open files of a run: `done` has the rows of records that are finished, by name."""

    def __init__(self, out: Path, settings: MiningSettings, engine: str) -> None:
        self.out, self.settings, self.funnel = out, settings, Funnel()
        self.head = {**HEAD, "engine": engine, "settings": settings.model_dump()}
        path = progress_path(out)
        if out.exists() and not path.exists():
            raise UsageError(f"{out}: there is a file already, and no {path.name} beside it to go on with; {ANEW}")
        self._progress = open_alone(path)
        self._files = [self._progress]
        try:
            drop_torn_line(path)
            self.done = self._read(path)
            self._puzzles, self._rejects = (self._open_cut(one, size) for one, size in self._lengths())
            self.ids = {one.metadata.puzzle_id for one in read_puzzles(out).puzzles}
            if not path.stat().st_size:
                self._append(self._progress, path, self.head)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        for file in self._files:
            file.close()

    def add(self, mined: MinedRecord) -> None:
        """Write all that came of a record, and last that it is done."""
        counts: Counter[str] = Counter()
        accepted = 0
        for candidate, judged in mined.items:
            if not isinstance(judged, Rejection):
                puzzle = make_puzzle(judged, candidate, self.settings.grading)
                if puzzle.metadata.puzzle_id not in self.ids:
                    self._publish(puzzle, judged.proof)
                    accepted += 1
                    continue
                judged = Rejection("duplicate", f"of {puzzle.metadata.puzzle_id}")
            counts[judged.reason] += 1
            self._append(self._rejects, rejects_path(self.out), _reject(candidate, judged))
        row = _row(mined, accepted, counts)
        row["puzzle_bytes"], row["reject_bytes"] = (os.fstat(one.fileno()).st_size for one in (self._puzzles, self._rejects))
        self._append(self._progress, progress_path(self.out), row)
        self.funnel.add(row)

    def _publish(self, puzzle: Any, proof: bytes | None) -> None:
        """The proof first: a line that is there has its proof."""
        if proof is not None:
            atomic_write(proofs_folder(self.out) / puzzle.metadata.proof, proof)
        with writing(self.out):
            append_line(self._puzzles, (puzzle.line() + "\n").encode())
        self.ids.add(puzzle.metadata.puzzle_id)

    def _append(self, file: Any, path: Path, row: Mapping[str, Any]) -> None:
        with writing(path):
            append_line(file, (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n").encode(errors="backslashreplace"))

    # ------------------------------------------------------------------ what is there already

    def _read(self, path: Path) -> dict[str, Row]:
        done: dict[str, Row] = {}
        for number, line in enumerate(read_bytes(path).split(b"\n")[:-1], 1):
            row = parse_object(line, f"{path}: line {number}")
            if number == 1:
                _require_head(path, row, json.loads(json.dumps(self.head)))
            elif not all(name in row and isinstance(row[name], kind) for name, kind in ROW.items()):
                raise UsageError(f"{path}: line {number}: expected a record's row; {ANEW}")
            else:
                done[row["source"]] = row
                self.funnel.add(row)
        return done

    def _lengths(self) -> list[tuple[Path, int]]:
        """Both files of lines, and how long they were after the last finished record."""
        last = list(self.done.values())[-1] if self.done else {"puzzle_bytes": 0, "reject_bytes": 0}
        return [(self.out, last["puzzle_bytes"]), (rejects_path(self.out), last["reject_bytes"])]

    def _open_cut(self, path: Path, size: int) -> Any:
        file = open_alone(path)
        self._files.append(file)
        there = os.fstat(file.fileno()).st_size
        if there < size:
            raise UsageError(f"{path}: expected at least {size:,} bytes, which an earlier run wrote, got {there:,}; {ANEW}")
        file.truncate(size)
        return file


@contextmanager
def open_files(out: Path, settings: MiningSettings, engine: str) -> Iterator[MineFiles]:
    """The files of a run, begun or gone on with."""
    files = MineFiles(out, settings, engine)
    try:
        yield files
    finally:
        files.close()


def forget_run(out: Path) -> None:
    """Remove what an earlier run wrote."""
    for path in (out, rejects_path(out), progress_path(out)):
        path.unlink(missing_ok=True)
    for proof in proofs_folder(out).glob("*.proof"):
        proof.unlink()


def _require_head(path: Path, found: Row, wanted: Row) -> None:
    for name in sorted(wanted.keys() | found.keys()):
        if name == "settings" and isinstance(found.get(name), dict):
            for key in sorted(wanted[name].keys() | found[name].keys()):
                if wanted[name].get(key) != found[name].get(key):
                    got, asked = shorten(found[name].get(key)), shorten(wanted[name].get(key))
                    raise UsageError(f"{path}: it was begun with {key} {got}, and {asked} is asked for; {ANEW}")
        elif wanted.get(name) != found.get(name):
            got, asked = shorten(found.get(name)), shorten(wanted.get(name))
            raise UsageError(f"{path}: it was begun with {name} {got}, and {asked} is asked for; {ANEW}")


def _row(mined: MinedRecord, accepted: int, counts: Counter[str]) -> Row:
    unusable = [{"reason": one.reason, "detail": one.detail} for one in mined.unusable]
    return {
        "source": mined.name, "sha256": mined.sha256, "games": mined.games, "positions": mined.positions,
        "unusable": unusable, "accepted": accepted, "rejected": dict(sorted(counts.items())),
    }  # fmt: skip


def _reject(candidate: Any, judged: Rejection) -> Row:
    return {"reason": judged.reason, "detail": judged.detail, **candidate.fields()}
