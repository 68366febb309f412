"""The games of one shard, side by side in slots: search all, draw, note, play, refill; until every game has ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.replay.tables import ShardData
from playmill.search.decisions import Array, Decisions, Searcher, Tells, finish
from playmill.search.roots import encode_all
from playmill.selfplay import kernels
from playmill.selfplay.notes import AFTERSTATE, DECISION, TURN, GameEnds, Notes, shard_tables
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.slots import fill_slots

Watch = Callable[[int], None]


class Shard:
    """Plays games first..first+count-1 of a run with the seed `seed`, in at most `searcher.lanes` slots."""

    def __init__(self, game: Game, searcher: Searcher, settings: SelfPlaySettings, seed: int, first: int, count: int) -> None:
        self.game, self.searcher, self.settings = game, searcher, settings
        self.first, self.count = first, count
        self.notes = Notes()
        self.game_seeds = np.array([mix(seed, first + i) for i in range(count)], np.uint64)
        self.ends = GameEnds(
            self.game_seeds, np.zeros((count, game.players)), np.zeros((count, game.players)), np.zeros(count, np.int32)
        )
        self.stats: dict[str, int] = {}
        self.roots: list[dict[str, Any]] = []  # a few searches, for the log
        slots = min(searcher.lanes, count)
        self._records = game.records(slots)
        self._numbers = np.full(slots, -1, np.int64)  # which game stands in a slot, counted from `first`; -1: none
        self._seeds = np.zeros(slots, np.uint64)
        self._plies = np.zeros(slots, np.int32)
        self._is_sound = np.ones(slots, np.bool_)  # whether the policy thinks well of the move just drawn
        self._next = 0
        self._has_points = "points" in game.kernels
        self._temperature_at = cache(settings.temperature.at)

    def play(self, watch: Watch | None = None, is_stopped: Callable[[], bool] = lambda: False) -> ShardData | None:
        """Play all games; return the shard's tables, or None if stopped. `watch` hears how many games have ended."""
        self._fill(np.arange(len(self._numbers)))
        ended = 0
        while (slots := np.flatnonzero(self._numbers >= 0)).size:
            if is_stopped():
                return None
            over = self._step(slots)
            ended += over.size
            if watch is not None and over.size:
                watch(ended)
        return shard_tables(self.notes, self.ends, self.first, self.settings, self._has_points)

    def _fill(self, slots: Array) -> None:
        """Start the next games in these slots; slots are left empty when there are none."""
        numbers = np.arange(self._next, min(self._next + slots.size, self.count))
        self._next += numbers.size
        self._numbers[slots] = -1
        slots = slots[: numbers.size]
        self._numbers[slots], self._seeds[slots], self._plies[slots] = numbers, self.game_seeds[numbers], 0
        kernels.begin_games(self.game, slots, self._seeds, self.game.records(1), self._records)
        self.searcher.forget(slots)

    def _step(self, slots: Array) -> Array:
        """One decision of every game; return the slots whose games ended, already refilled."""
        streams = np.empty(slots.size, np.uint64)
        kernels.search_streams(slots, self._seeds, self._plies, streams)
        decisions = finish(self.searcher.search(slots, self._records[slots], streams, True))
        for name, value in decisions.stats.items():
            self.stats[name] = self.stats.get(name, 0) + value
        moves = self._draw(slots, decisions)
        self._note_turns(decisions)
        self._note_decisions(slots, decisions)
        self._note_roots(slots, decisions, moves)
        self._note_afterstates(slots, moves)
        self._note_moves(slots, moves)
        returns, is_over = np.zeros((slots.size, self.game.players)), np.zeros(slots.size, np.bool_)
        kernels.play_moves(self.game, slots, self._seeds, moves, self._records, returns, is_over)
        self._plies[slots] += 1
        self._close(slots[is_over], returns[is_over])
        self.searcher.moved(slots[~is_over], moves[~is_over], self._records[slots[~is_over]])
        self._fill(slots[is_over])
        return slots[is_over]

    def _draw(self, slots: Array, decisions: Decisions) -> Array:
        moves, is_sound = np.empty(slots.size, np.int32), np.zeros(slots.size, np.bool_)
        heat = np.array([self._temperature_at(ply) for ply in self._plies[slots].tolist()])
        kernels.draw_moves(
            slots, self._seeds, self._plies, heat, self.settings.explore, decisions.count, decisions.actions, decisions.policy,
            moves, is_sound,
        )  # fmt: skip
        self._is_sound[slots] = is_sound
        return moves

    def _close(self, slots: Array, returns: Array) -> None:
        """Write down how the games in these slots ended."""
        numbers = self._numbers[slots]
        self.ends.returns[numbers] = returns
        self.ends.plies[numbers] = self._plies[slots]
        self.ends.points[numbers] = self._points(self._records[slots])

    def _points(self, records: Array) -> Array:
        points = np.zeros((records.size, self.game.players))
        if self._has_points and records.size:
            kernels.points_of(self.game, records, points)
        return points

    # ------------------------------------------------------------------ notes

    def _note_turns(self, decisions: Decisions) -> None:
        """Turns that the search has just solved, with what they are worth before their roll."""
        starts = decisions.turn_starts
        if starts is not None:
            q = np.where(starts.is_win, starts.worth, np.nan)
            q_togo = np.where(starts.is_win, np.nan, starts.worth)
            self._note(starts.lanes, starts.records, TURN, q, q_togo, np.zeros(starts.lanes.size, np.int32))

    def _note_decisions(self, slots: Array, decisions: Decisions) -> None:
        rows = self._choose(slots, kernels.SAMPLES, self.settings.policy_share)
        records, counts = self._records[slots[rows]], np.empty(rows.size, np.int32)
        actions, probs = (np.empty(rows.size * self.game.max_legal, dtype) for dtype in (np.int32, np.float32))
        # Where actions have slots, those without any mass are kept too: the policy is a share among these sums of logits.
        size = kernels.join_policies(
            rows, decisions.count, decisions.actions, decisions.policy, self.game.has_slots, counts, actions, probs
        )
        if self.game.has_slots:
            self._note_slots(records, counts, decisions.actions[rows])
        self.notes.policy_action.append(actions[:size].copy())
        self.notes.policy_prob.append(probs[:size].copy())
        q = decisions.own_value[rows] if Tells.WINS in self.searcher.tells else np.full(rows.size, np.nan)
        q_togo = np.full(rows.size, np.nan) if decisions.togo is None else decisions.togo[rows]
        self._note(slots[rows], records, DECISION, q, q_togo, counts)

    def _note_afterstates(self, slots: Array, moves: Array) -> None:
        """What the moves alone made of the positions; what that was worth follows from the next decision."""
        if Tells.AFTERSTATES not in self.searcher.tells:
            return
        records, goes_on = self._records[slots], np.zeros(slots.size, np.bool_)
        kernels.afterstates(self.game, moves, records, np.zeros(self.game.players), goes_on)
        absent = np.full(int(goes_on.sum()), np.nan)
        self._note(slots[goes_on], records[goes_on], AFTERSTATE, absent, absent, np.zeros(absent.size, np.int32))

    def _note_slots(self, records: Array, counts: Array, actions: Array) -> None:
        found = np.empty((int(counts.sum()), 2), np.int32)
        fill_slots(self.game, records, counts, actions, found)
        self.notes.policy_slots.append(found)

    def _note_roots(self, slots: Array, decisions: Decisions, moves: Array) -> None:
        """Describe a few searches for the log: what was found, how sure it was, what was played."""
        for i in self._choose(slots, kernels.ROOTS, self.settings.root_log_share).tolist():
            policy = decisions.policy[i, : decisions.count[i]]
            slot, used = slots[i], policy[policy > 0]
            self.roots.append(
                {
                    "game": int(self.first + self._numbers[slot]),
                    "ply": int(self._plies[slot]),
                    "temperature": self.settings.temperature.at(int(self._plies[slot])),
                    "actions": decisions.actions[i, : decisions.count[i]].tolist(),
                    "priors": _rounded(decisions.priors[i, : decisions.count[i]]),
                    "policy": _rounded(policy),
                    "value": round(float(decisions.own_value[i]), 5),
                    "entropy": round(float(-(used * np.log(used)).sum()), 5),
                    "max_prob": round(float(policy.max()), 5),
                    "played": int(moves[i]),
                }
            )

    def _choose(self, slots: Array, event: np.uint64, share: float) -> Array:
        """The rows that are kept at this share."""
        chosen = np.zeros(slots.size, np.bool_)
        kernels.is_chosen(slots, self._seeds, self._plies, event, share, chosen)
        return np.flatnonzero(chosen)

    def _note(self, slots: Array, records: Array, kind: int, q: Array, q_togo: Array, policy_count: Array) -> None:
        notes, n = self.notes, slots.size
        features = np.zeros((n, self.game.feature_count), np.float32)
        mover = np.zeros(n, np.int8)
        encode_all(self.game, records, features)
        kernels.movers(self.game, records, mover)
        notes.number.append((self.first + self._numbers[slots]).astype(np.int32))
        notes.ply.append(self._plies[slots])
        notes.kind.append(np.full(n, kind, np.int8))
        notes.mover.append(mover)
        notes.is_sound.append(self._is_sound[slots])
        notes.features.append(features)
        notes.points.append(self._points(records))
        notes.q.append(q.astype(np.float32))
        notes.q_togo.append(q_togo.astype(np.float32))
        notes.policy_count.append(policy_count)

    def _note_moves(self, slots: Array, moves: Array) -> None:
        self.notes.move_number.append(self._numbers[slots])
        self.notes.move_ply.append(self._plies[slots].copy())
        self.notes.move.append(moves)


def _rounded(numbers: Array) -> list[float]:
    return [round(float(number), 4) for number in numbers]
