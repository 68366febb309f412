"""Promises about memory: kernels write what they are meant to write, all of it, and nothing else."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.games import one
from playmill.games.game import Game
from playmill.games.kit.behaviour import MANY, SOME
from playmill.games.kit.promise import Breach, needs_decisions, needs_features, needs_kernel, promise
from playmill.games.kit.samples import (
    SPARE,
    Moment,
    Sample,
    chance_key_one,
    decision_one,
    distinct_actions,
    is_over,
    listed_actions,
    points_one,
)
from playmill.games.state import State

UNTOUCHED = np.float32(-7)
ROUNDING = 1e-9


@promise("play stays in its record", needs_decisions)
def play_stays_in_its_record(game: Game, twin: Any, sample: Sample) -> None:
    for moment, _ in sample.decisions(SOME):
        for action in listed_actions(game, moment.records):
            trio = moment.guarded()
            before = trio[[0, 2]].tobytes()
            one.play_one(game, trio[1:2], action, np.uint64(moment.seed))
            if trio[[0, 2]].tobytes() != before:
                raise moment.breach(f"playing {action} wrote outside its record")


@promise("questions change nothing")
def questions_change_nothing(game: Game, twin: Any, sample: Sample) -> None:
    for moment in sample.moments(MANY):
        for name, ask in _questions(moment).items():
            trio = moment.guarded()
            before = trio.tobytes()
            ask(trio[1:2])
            if trio.tobytes() != before:
                raise moment.breach(f"the kernel '{name}' changed the state")


@promise("outcome fills the scores")
def outcome_fills_the_scores(game: Game, twin: Any, sample: Sample) -> None:
    for moment in sample.moments():
        scores = np.full(game.players + SPARE, np.nan)
        ended = one.outcome_one(game, moment.records.copy(), scores)
        _check_filled(moment, "outcome", scores, is_due=ended)


@promise("utilities are as declared")
def utilities_are_as_declared(game: Game, twin: Any, sample: Sample) -> None:
    """They lie in -1..1, add up to zero if the game says so, and a draw is worth what it says."""
    for moment in sample.moments():
        scores = np.zeros(game.players + SPARE)
        if not one.outcome_one(game, moment.records.copy(), scores):
            continue
        utilities = scores[: game.players].tolist()
        if max(map(abs, utilities)) > 1:
            raise moment.breach(f"utilities must lie between -1 and 1, got {utilities}")
        if game.zero_sum and abs(sum(utilities)) > ROUNDING:
            raise moment.breach(f"utilities must add up to zero, got {utilities}; or declare the game with zero_sum=False")
        if game.players > 1 and len(set(utilities)) == 1 and utilities[0] != game.draw_utility:
            raise moment.breach(
                f"a draw must be worth {game.draw_utility:g} to each, got {utilities}; or declare the game with draw_utility="
            )


@promise("points are filled", needs_kernel("points"))
def points_are_filled(game: Game, twin: Any, sample: Sample) -> None:
    for moment in sample.moments():
        points = np.full(game.players + SPARE, np.nan)
        points_one(game, moment.records.copy(), points)
        _check_filled(moment, "points", points, is_due=True)


@promise("states survive storage")
def states_survive_storage(game: Game, twin: Any, sample: Sample) -> None:
    for moment in sample.moments(MANY):
        state = moment.state()
        if State.from_bytes(game, bytes(state)) != state:
            raise moment.breach("the state differs after a round trip through bytes")
        if _through_pickle(state) != state:
            raise moment.breach("the state differs after a round trip through pickle")


@promise("encode fills its row", needs_features)
def encode_fills_its_row(game: Game, twin: Any, sample: Sample) -> None:
    for moment in sample.moments(MANY):
        planes = np.full(game.feature_count + 2 * SPARE, UNTOUCHED)
        row = planes[SPARE:-SPARE]
        one.encode_one(game, moment.records.copy(), row)
        if not np.isfinite(row).all():
            raise moment.breach(f"feature {np.flatnonzero(~np.isfinite(row))[0]} is not finite")
        if (wrong := _too_large(game, row)).size:
            raise moment.breach(f"feature {wrong[0]} is {row[wrong[0]]}, which no {game.feature_type} can hold (feature_type)")
        if (planes[:SPARE] != UNTOUCHED).any() or (planes[-SPARE:] != UNTOUCHED).any():
            raise moment.breach(f"encode wrote outside its {game.feature_count} features")
        if moment.state().features().shape != game.features:
            raise moment.breach(f"features must have the shape {game.features}")


def _too_large(game: Game, row: Any) -> Any:
    """Which features don't fit into the game's `feature_type`."""
    most = {"bit": 1, "uint8": 255}.get(game.feature_type)
    return np.empty(0, np.int64) if most is None else np.flatnonzero((row < 0) | (row > most) | (row != np.round(row)))


@promise("logit ids in range", needs_decisions)
def logit_ids_in_range(game: Game, twin: Any, sample: Sample) -> None:
    for moment, _ in sample.decisions(SOME):
        for action in listed_actions(game, moment.records):
            i, j = one.logit_ids_one(game, moment.records.copy(), action)
            if not (0 <= i < game.logits and -1 <= j < game.logits):
                raise moment.breach(f"logit ids of action {action} are ({i}, {j}), but logits are 0..{game.logits - 1}")


@promise("decisions are 0 or 1", needs_kernel("decision"), needs_decisions)
def decisions_are_0_or_1(game: Game, twin: Any, sample: Sample) -> None:
    for moment, _ in sample.decisions(MANY):
        kind = decision_one(game, moment.records.copy())
        if kind not in (0, 1):
            raise moment.breach(f"the kernel 'decision' must return 0 or 1, got {kind}")


def _check_filled(moment: Moment, name: str, numbers: Any, is_due: bool) -> None:
    """`numbers` was all NaN: now it holds one finite number per player, if that is due, and NaN behind them."""
    players = moment.game.players
    if not np.isnan(numbers[players:]).all():
        raise moment.breach(f"the kernel '{name}' wrote more than {players} numbers")
    if is_due and not np.isfinite(numbers[:players]).all():
        raise moment.breach(f"the kernel '{name}' must give {players} finite numbers, got {numbers[:players].tolist()}")


def _through_pickle(state: State) -> Any:
    try:
        return pickle.loads(pickle.dumps(state))
    except UsageError as error:
        raise Breach(state.game, str(error)) from error


def _questions(moment: Moment) -> dict[str, Callable[[Any], Any]]:
    """Every kernel that only asks, ready to be called on one record; most may be asked only while the game goes on."""
    game = moment.game
    questions: dict[str, Callable[[Any], Any]] = {
        "outcome": lambda records: is_over(game, records),
        "key": lambda records: one.key_one(game, records),
        "eval_key": lambda records: one.eval_key_one(game, records),
    }
    if moment.action is not None:
        questions |= {
            "legal": lambda records: listed_actions(game, records),
            "distinct": lambda records: distinct_actions(game, records),
            "to_move": lambda records: one.to_move_one(game, records),
            "chance_key": lambda records: chance_key_one(game, records),
            "decision": lambda records: decision_one(game, records),
            "logit_ids": lambda records: one.logit_ids_one(game, records, moment.action),
            "meets_chance": lambda records: one.meets_chance_one(game, records, moment.action),
        }
    if moment.asks_outcomes:
        room = game.records(game.max_outcomes), np.empty(game.max_outcomes)
        questions["outcomes"] = lambda records: one.outcomes_one(game, records, moment.action, *room)
    if game.features:
        questions["encode"] = lambda records: one.encode_one(game, records, np.empty(game.feature_count, np.float32))
    if "points" in game.kernels:
        questions["points"] = lambda records: points_one(game, records, np.empty(game.players + SPARE))
    return questions
