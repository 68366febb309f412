"""Promises about chance: what a game says of it is what `play` does; and about states that look alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.games import one
from playmill.games.game import Game
from playmill.games.kit.behaviour import MANY, NOISE, SOME, played
from playmill.games.kit.promise import needs_decisions, needs_features, needs_kernel, promise
from playmill.games.kit.samples import SPARE, Moment, Sample, distinct_actions

WORDS = 12  # chance words that an action is tried with
LISTED = 20  # moments whose outcomes are listed
EACH, DRAWS = 5, 3000  # in each fifth of them the outcomes of one action are counted, over so many draws
LEAST = 8.0  # rarer outcomes than these expected draws are counted together
SIGMAS = 7.0
TOLERANCE = 1e-9


@promise("quiet actions meet no chance", needs_kernel("meets_chance"), needs_decisions)
def quiet_actions_meet_no_chance(game: Game, twin: Any, sample: Sample) -> None:
    """An action of which the game says that it meets no chance does the same with every word."""
    for moment, _ in sample.decisions(SOME):
        for action in distinct_actions(game, moment.records):
            if one.meets_chance_one(game, moment.records.copy(), action):
                continue
            if len({played(moment, action, mix(NOISE, number)) for number in range(WORDS)}) > 1:
                raise moment.breach(f"'meets_chance' says no of action {action}, but its chance word matters")


@promise("outcomes are what chance does", needs_kernel("outcomes"), needs_decisions)
def outcomes_are_what_chance_does(game: Game, twin: Any, sample: Sample) -> None:
    """The outcomes of an action differ, add up to 1, and hold whatever play makes of it, as often as they say."""
    for number, (moment, _) in enumerate(sample.decisions(LISTED)):
        actions = distinct_actions(game, moment.records)
        risky = [action for action in actions if one.meets_chance_one(game, moment.records.copy(), action)]
        counted = risky[number % len(risky)] if risky and number % EACH == 0 else None
        for action in risky:
            _check_draws(moment, action, _listed(moment, action), DRAWS if action == counted else WORDS)


@promise("states of one eval_key look alike", needs_kernel("eval_key"), needs_features)
def states_of_one_eval_key_look_alike(game: Game, twin: Any, sample: Sample) -> None:
    """States that may share an evaluation have the same features and the same player to move."""
    seen: dict[int, tuple[bytes, int, Any]] = {}
    for moment in sample.moments(MANY):
        if moment.action is None:
            continue
        state, key = moment.state(), int(one.eval_key_one(game, moment.guarded()[1:2]))
        look = state.features().tobytes(), state.to_move
        first = seen.setdefault(key, (*look, moment.record))
        if first[:2] != look:
            raise moment.breach(f"eval_key {key:x} is that of '{game.text(first[2])}', but a network can tell them apart")


def _listed(moment: Moment, action: int) -> dict[bytes, float]:
    """The outcomes of an action by their records' bytes, once they are known to be in order."""
    game = moment.game
    records, probabilities = game.records(game.max_outcomes + SPARE), np.full(game.max_outcomes + SPARE, np.nan)
    count = one.outcomes_one(game, moment.records.copy(), action, records, probabilities)
    if not 1 <= count <= game.max_outcomes or not np.isnan(probabilities[game.max_outcomes :]).all():
        raise moment.breach(f"outcomes of action {action}: {count} listed, but max_outcomes is {game.max_outcomes}")
    chances = probabilities[:count]
    if not (chances > 0).all() or abs(chances.sum() - 1) > TOLERANCE:
        raise moment.breach(f"outcomes of action {action}: probabilities must be above 0 and add up to 1, got {chances.sum()}")
    listed = {records[i].tobytes(): float(chances[i]) for i in range(count)}
    if len(listed) < count:
        raise moment.breach(f"outcomes of action {action}: {count - len(listed)} are listed twice")
    return listed


def _check_draws(moment: Moment, action: int, listed: dict[bytes, float], draws: int) -> None:
    """Play with many words: only listed states may come, and often enough a word, each as often as it should."""
    counts = dict.fromkeys(listed, 0)
    for number in range(draws):
        record = played(moment, action, mix(moment.seed, number))
        if record not in counts:
            came = moment.game.text(np.frombuffer(record, moment.game.state)[0])
            raise moment.breach(f"outcomes of action {action}: play gave '{came}', which is not among them,")
        counts[record] += 1
    if draws == DRAWS and (surprise := _surprise(listed, counts, draws)) > SIGMAS:
        raise moment.breach(f"outcomes of action {action}: {draws} draws are {surprise:.0f} sigmas from the probabilities")


def _surprise(listed: dict[bytes, float], counts: dict[bytes, int], draws: int) -> float:
    """How far chi-square is above its mean, in standard deviations; rare outcomes are counted together."""
    rare = [record for record, chance in listed.items() if chance * draws < LEAST]
    cells = [(listed[record] * draws, counts[record]) for record in listed if record not in rare]
    cells.append((sum(listed[record] for record in rare) * draws, sum(counts[record] for record in rare)))
    terms = [(count - expected) ** 2 / expected for expected, count in cells if expected >= LEAST]
    freedom = max(len(terms) - 1, 1)
    return (sum(terms) - freedom) / math.sqrt(2 * freedom)
