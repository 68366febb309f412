"""Many playouts: their rows in columns, and statistics over them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from playmill.core.errors import UsageError, require_seed
from playmill.core.records import as_items
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.games.state import State
from playmill.sim.lengths import Lengths
from playmill.sim.results import PlayoutResult, TerminalReason

Array = np.ndarray[Any, Any]
_COLUMNS = ("applied", "rejected", "reasons", "returns", "finals")


class Origin:
    """Where the playouts of a batch begin: one state, or a game, of which each playout then starts a new episode."""

    def __init__(self, start: State | Game, seed: int) -> None:
        if not isinstance(start, State | Game):
            raise UsageError(f"playout: expected a State or a Game to start from, got {start!r}")
        self.game = start if isinstance(start, Game) else start.game
        self.state = None if isinstance(start, Game) else start
        self.seed = require_seed(seed)

    def initial(self, index: int) -> State:
        """The state that playout `index` starts from."""
        episode = mix(self.seed, index)
        return self.game.new(episode) if self.state is None else self.state.reseeded(episode)

    @property
    def ply(self) -> int:
        return 0 if self.state is None else self.state.ply

    def records(self) -> Array:
        """The starting record for kernels; blank where each playout starts anew."""
        return self.game.records(1) if self.state is None else np.array([self.state.record], self.game.state)


class Rows:
    """One row a playout, held in columns: some 40 bytes each, so that a million fit easily."""

    def __init__(self, game: Game, count: int) -> None:
        try:
            self.applied = np.zeros(count, np.uint32)
            self.rejected = np.zeros(count, np.uint32)
            self.reasons = np.zeros(count, np.uint8)
            self.returns = np.empty((count, game.players))
            self.finals = game.records(count)
        except (MemoryError, ValueError) as error:
            raise UsageError(f"count: the rows of {count} playouts don't fit into memory; run fewer at a time") from error
        self.traces: dict[int, tuple[Any, Any]] = {}

    def put(self, row: int, result: PlayoutResult, with_trace: bool) -> None:
        """Store one result of the Python face."""
        self.applied[row] = result.applied
        self.rejected[row] = result.rejected
        self.reasons[row] = result.reason
        self.finals[row] = result.final.record
        self.returns[row] = result.final.returns if result.final.is_over else np.nan
        if with_trace:
            self.traces[row] = (result.trace, result.actions)

    def put_all(self, first: int, rows: Rows) -> None:
        """Store the rows of a span from `first` on."""
        span = slice(first, first + len(rows.applied))
        for column in _COLUMNS:
            as_items(getattr(self, column))[span] = as_items(getattr(rows, column))
        self.traces.update({first + row: way for row, way in rows.traces.items()})

    def select(self, rows: Array) -> None:
        """Keep only these rows, in this order."""
        self.traces = {new: self.traces[old] for new, old in enumerate(rows.tolist()) if old in self.traces}
        for column in _COLUMNS:
            setattr(self, column, getattr(self, column)[rows])

    def truncate(self, count: int) -> None:
        """Keep only the first `count` rows, without copying them."""
        for column in _COLUMNS:
            setattr(self, column, getattr(self, column)[:count])

    def digest(self) -> str:
        """A SHA-256 over all rows in index order (`docs/formats.md`)."""
        total = hashlib.sha256()
        for column in _COLUMNS:
            total.update(np.ascontiguousarray(getattr(self, column)).view(np.uint8).data)
        return total.hexdigest()


class PlayoutBatch:
    """The playouts of one batch, in index order: `batch[i]`, `len(batch)`, and statistics of their lengths.

    `indices` says which playouts these are: 0..count-1, with gaps only if `partial`, that is, if the batch was cancelled.
    """

    def __init__(
        self, origin: Origin, rows: Rows, indices: Array, lengths: Lengths, partial: bool, hit_rate: float | None
    ) -> None:
        self._origin = origin
        self._rows = rows
        self.indices = indices
        self.lengths = lengths
        self.partial = partial
        self.transposition_hit_rate = hit_rate

    # ------------------------------------------------------------------ statistics of lengths

    @property
    def count(self) -> int:
        return self.lengths.count

    @property
    def progressed(self) -> int:
        """Playouts with at least one applied action."""
        return self.lengths.progressed

    @property
    def total_applied(self) -> int:
        return self.lengths.total

    @property
    def min_applied(self) -> int:
        return self.lengths.min

    @property
    def max_applied(self) -> int:
        return self.lengths.max

    @property
    def mean_applied(self) -> float:
        return self.lengths.mean

    @property
    def variance(self) -> float:
        return self.lengths.variance

    @property
    def standard_deviation(self) -> float:
        return self.lengths.standard_deviation

    @property
    def histogram(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return self.lengths.histogram

    def percentile(self, p: float) -> int:
        return self.lengths.percentile(p)

    # ------------------------------------------------------------------ the rows

    @property
    def applied(self) -> Array:
        return self._rows.applied

    @property
    def rejected(self) -> Array:
        return self._rows.rejected

    @property
    def returns(self) -> Array:
        """Final scores, shape [count, players]; NaN where a playout did not finish its game."""
        return self._rows.returns

    @property
    def finals(self) -> Array:
        """The last state of each playout, as the game's records: `batch.finals["total"]`."""
        finals: Array = self._rows.finals
        return finals

    @property
    def reasons(self) -> dict[TerminalReason, int]:
        """How many playouts ended for each reason."""
        counts = np.bincount(self._rows.reasons, minlength=len(TerminalReason))
        return {reason: int(counts[reason]) for reason in TerminalReason}

    def digest(self) -> str:
        """A fingerprint of every row: the same for any number of workers."""
        return self._rows.digest()

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, row: int) -> PlayoutResult:
        row = range(self.count)[row]
        initial = self._origin.initial(int(self.indices[row]))
        applied = int(self._rows.applied[row])
        final = State(initial.game, self._rows.finals[row : row + 1].copy(), initial.seed, initial.ply + applied)
        reason = TerminalReason(int(self._rows.reasons[row]))
        trace = self._rows.traces.get(row, (None, None))
        return PlayoutResult(initial, final, applied, int(self._rows.rejected[row]), reason, *trace)

    def __iter__(self) -> Iterator[PlayoutResult]:
        return (self[row] for row in range(self.count))
