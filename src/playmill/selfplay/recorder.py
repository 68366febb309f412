"""Self-play's recorder: it takes notes of a cohort's games, and hands over each shard when the last of its games has ended."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill.games.game import Game
from playmill.games.many import afterstates, movers
from playmill.play.kernels import is_chosen
from playmill.play.player import Ask, Moves, Player
from playmill.play.recorder import Games, Tape, points_in
from playmill.replay.tables import ShardData, action_type
from playmill.search.decisions import Array, Decisions, Tells
from playmill.selfplay import kernels
from playmill.selfplay.notes import AFTERSTATE, DECISION, TURN, GameEnds, Notes, shard_tables
from playmill.selfplay.settings import SelfPlaySettings


@dataclass
class OpenShard:
    """A shard whose games are being played: they are numbered one after the other."""

    games: Games
    left: int
    roots: list[dict[str, Any]] = field(default_factory=list)  # a few searches, for the log

    @property
    def first(self) -> int:
        return int(self.games.numbers[0])

    @property
    def count(self) -> int:
        return int(self.games.numbers.size)


Finished = Callable[[OpenShard, ShardData], None]


class ShardRecorder:
    """Notes of all games in a cohort's lanes; games of several shards may stand side by side."""

    def __init__(
        self, game: Game, players: Sequence[Player], settings: SelfPlaySettings, lanes: int, finished: Finished
    ) -> None:
        self.game, self.players, self.settings, self.finished = game, players, settings, finished
        self.stats: dict[str, int] = {}
        self._ended = 0
        self._tape = Tape(lanes)
        self._notes = Notes()
        self._shards: list[OpenShard] = []
        self._numbers = np.full(lanes, -1)
        self._seeds = np.zeros(lanes, np.uint64)
        self._plies = np.zeros(lanes, np.int32)
        self._player = np.zeros(lanes, np.int8)  # who decided last
        self._is_sound = np.ones(lanes, np.bool_)  # whether the policy thinks well of the move just chosen

    def open(self, games: Games) -> Games:
        """A shard of these games begins; return them, for the cohort."""
        self._shards.append(OpenShard(games, int(games.numbers.size)))
        return games

    def take_ended(self) -> int:
        """How many games have ended since the last call."""
        ended, self._ended = self._ended, 0
        return ended

    # ------------------------------------------------------------------ what a cohort tells

    def began(self, lanes: Array, games: Games) -> None:
        self._tape.began(lanes, games)
        self._numbers[lanes], self._seeds[lanes] = games.numbers, games.seeds

    def decided(self, player: int, ask: Ask, moves: Moves) -> None:
        self._tape.decided(player, ask, moves)
        decisions, tells, lanes = moves.decisions, self.players[player].tells, ask.lanes
        self._plies[lanes], self._player[lanes] = ask.plies, player
        if decisions is None:
            self._note_outcomes(ask, moves.actions if Tells.MOVES in tells else None)
            return
        self._is_sound[lanes] = True if moves.is_sound is None else moves.is_sound
        for name, value in {"decisions": lanes.size, **decisions.stats}.items():
            self.stats[name] = self.stats.get(name, 0) + value
        self._note_turns(decisions)
        if Tells.POLICY in tells:
            self._note_decisions(ask, decisions, tells)
            self._note_roots(player, lanes, decisions, moves.actions)
        if Tells.AFTERSTATES in tells:
            self._note_afterstates(ask, moves.actions)

    def ended(self, lanes: Array, utilities: Array, records: Array) -> None:
        self._tape.ended(lanes, utilities, records)
        self._ended += lanes.size
        for number in self._numbers[lanes].tolist():
            self._shard_of(number).left -= 1
        done, self._shards = [s for s in self._shards if not s.left], [s for s in self._shards if s.left]
        for shard in done:
            self.finished(shard, self._tables(shard))

    def _tables(self, shard: OpenShard) -> ShardData:
        """All of a shard whose games have ended; nothing is kept of it."""
        played = self._tape.take(shard.first, shard.count)
        ends = GameEnds(shard.games.seeds, played.utilities, points_in(self.game, played.finals), played.plies)
        notes = self._notes.take(shard.first, shard.count)
        return shard_tables(notes, ends, played.actions, shard.first, self.settings, self.game)

    # ------------------------------------------------------------------ notes

    def _note_turns(self, decisions: Decisions) -> None:
        """Turns that the search has just solved, with what they are worth before their roll."""
        starts = decisions.turn_starts
        if starts is not None:
            q = self._by_seat(starts.records, np.where(starts.is_win, starts.worth, np.nan))
            q_togo = self._by_seat(starts.records, np.where(starts.is_win, np.nan, starts.worth))
            self._note(starts.lanes, starts.records, TURN, q, q_togo, np.zeros(starts.lanes.size, np.int32))

    def _note_decisions(self, ask: Ask, decisions: Decisions, tells: Tells) -> None:
        rows = self._choose(ask.lanes, kernels.SAMPLES, self.settings.policy_share)
        records, counts = ask.records[rows], np.empty(rows.size, np.int32)
        action = action_type(self.game.actions)
        actions, probs = (np.empty(rows.size * self.game.max_legal, dtype) for dtype in (action, np.float32))
        size = kernels.join_policies(rows, decisions.count, decisions.actions, decisions.policy, counts, actions, probs)
        self._notes.policy_action.append(actions[:size].copy())
        self._notes.policy_prob.append(probs[:size].copy())
        absent = np.full(rows.size, np.nan)
        q = decisions.value[rows] if Tells.WINS in tells else self._by_seat(records, absent)
        q_togo = self._by_seat(records, absent if decisions.togo is None else decisions.togo[rows])
        self._note(ask.lanes[rows], records, DECISION, q, q_togo, counts)

    def _note_outcomes(self, ask: Ask, moves: Array | None) -> None:
        """Positions of a player that thinks nothing: they teach how their games end and, if given, to move alike."""
        rows = self._choose(ask.lanes, kernels.SAMPLES, self.settings.policy_share)
        self._is_sound[ask.lanes] = True
        absent = np.full((rows.size, self.game.players), np.nan)
        shown = np.empty(0, np.int32) if moves is None else moves[rows]
        self._notes.policy_action.append(shown.astype(action_type(self.game.actions)))
        self._notes.policy_prob.append(np.ones(shown.size, np.float32))
        counts = np.full(rows.size, 0 if moves is None else 1, np.int32)
        self._note(ask.lanes[rows], ask.records[rows], DECISION, absent, absent, counts)

    def _note_afterstates(self, ask: Ask, actions: Array) -> None:
        """What the moves alone made of the positions; what that was worth follows from the next decision."""
        records, goes_on = ask.records.copy(), np.zeros(ask.lanes.size, np.bool_)
        afterstates(self.game, actions, records, np.zeros(self.game.players), goes_on)
        absent = np.full((int(goes_on.sum()), self.game.players), np.nan)
        self._note(ask.lanes[goes_on], records[goes_on], AFTERSTATE, absent, absent, np.zeros(len(absent), np.int32))

    def _by_seat(self, records: Array, own: Array) -> Array:
        """What is known of the movers alone, float64 [n, players]; NaN for the others."""
        mover, seats = np.zeros(records.size, np.int8), np.full((records.size, self.game.players), np.nan)
        movers(self.game, records, mover)
        seats[np.arange(records.size), mover] = own
        return seats

    def _note(self, lanes: Array, records: Array, kind: int, q: Array, q_togo: Array, policy_count: Array) -> None:
        notes, n = self._notes, lanes.size
        mover = np.zeros(n, np.int8)
        movers(self.game, records, mover)
        notes.number.append(self._numbers[lanes].astype(np.int32))
        notes.ply.append(self._plies[lanes])
        notes.kind.append(np.full(n, kind, np.int8))
        notes.mover.append(mover)
        notes.is_sound.append(self._is_sound[lanes])
        notes.player.append(self._player[lanes])
        notes.records.append(records)
        notes.points.append(points_in(self.game, records))
        notes.q.append(q.astype(np.float32))
        notes.q_togo.append(q_togo.astype(np.float32))
        notes.policy_count.append(policy_count)

    def _note_roots(self, player: int, lanes: Array, decisions: Decisions, actions: Array) -> None:
        """Describe a few searches for the log: what was found, how sure it was, what was played."""
        temperature, tells = self.settings.temperature_of(player), self.players[player].tells
        for i in self._choose(lanes, kernels.ROOTS, self.settings.root_log_share).tolist():
            count, policy = decisions.count[i], decisions.policy[i, : decisions.count[i]]
            number, ply, used = int(self._numbers[lanes[i]]), int(self._plies[lanes[i]]), policy[policy > 0]
            self._shard_of(number).roots.append(
                {
                    "game": number,
                    "ply": ply,
                    "temperature": temperature.at(ply),
                    "actions": decisions.actions[i, :count].tolist(),
                    **_searched(decisions, i, tells),
                    "policy": _rounded(policy),
                    "value": _known(float(decisions.own_value[i])),
                    "entropy": round(float(-(used * np.log(used)).sum()), 5),
                    "max_prob": round(float(policy.max()), 5),
                    "fallback": decisions.is_fallback is not None and bool(decisions.is_fallback[i]),
                    "played": int(actions[i]),
                }
            )

    def _shard_of(self, number: int) -> OpenShard:
        return next(shard for shard in self._shards if shard.first <= number < shard.first + shard.count)

    def _choose(self, lanes: Array, event: np.uint64, share: float) -> Array:
        """The rows that are kept at this share."""
        chosen = np.zeros(lanes.size, np.bool_)
        is_chosen(lanes, self._seeds, event, self._plies, share, chosen)
        return np.flatnonzero(chosen)


def _searched(decisions: Decisions, row: int, tells: Tells) -> dict[str, list[Any]]:
    """Visits and the network's priors, clean and noisy; only what the search has."""
    if Tells.PRIORS not in tells:
        return {}
    count, noisy = decisions.count[row], decisions.noisy_priors
    found = {"visits": decisions.visits[row, :count].tolist(), "priors": _rounded(decisions.priors[row, :count])}
    return found if noisy is None else {**found, "noisy_priors": _rounded(noisy[row, :count])}


def _known(value: float) -> float | None:
    """None where nobody knows: JSON has no NaN."""
    return None if math.isnan(value) else round(value, 5)


def _rounded(numbers: Array) -> list[float]:
    return [round(float(number), 4) for number in numbers]
