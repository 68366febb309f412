"""Promises about what a game does: it ends, repeats, agrees with other tellings of its rules, and hides nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.games import kernels, one
from playmill.games.game import Game
from playmill.games.golden import replay_golden
from playmill.games.kit.plain import compare_with_plain
from playmill.games.kit.promise import (
    GAMES_END,
    GOLDEN,
    LEGAL_IN_ORDER,
    needs_compiler,
    needs_decisions,
    needs_kernel,
    needs_twin,
    promise,
)
from playmill.games.kit.samples import (
    Moment,
    Sample,
    afterstate_one,
    distinct_actions,
    listed_actions,
    play_word,
    points_one,
    replay,
)
from playmill.games.kit.signatures import check_kernels
from playmill.games.kit.twins import check_state, check_twin

MANY, SOME = 2000, 300  # moments that a cheap promise looks at, and one that tries every legal action
NOISE = 0x9E37_79B9_7F4A_7C15  # a chance word like any other
EFFECT_WORDS = 12


@promise("kernels compile")
def kernels_compile(game: Game, twin: Any, sample: Sample) -> None:
    check_kernels(game)


@promise(GAMES_END)
def games_end(game: Game, twin: Any, sample: Sample) -> None:
    """The sample holds whole games, so this was seen while it was made; here the Python face must agree."""
    for moment in sample.moments():
        if moment.state().is_over != (moment.action is None):
            raise moment.breach("State and kernels don't agree on whether the game is over")


@promise(LEGAL_IN_ORDER)
def legal_actions_in_order(game: Game, twin: Any, sample: Sample) -> None:
    for moment in sample.moments():
        offered = list(moment.state().legal_actions)
        expected = [] if moment.action is None else listed_actions(game, moment.records)
        if offered != expected:
            raise moment.breach(f"State offers {offered} where {expected} are legal")


@promise("same seed, same bytes")
def same_seed_same_bytes(game: Game, twin: Any, sample: Sample) -> None:
    """Once step by step (the sample), once more in one compiled loop: the same records."""
    for episode in sample.episodes:
        again = game.records(len(episode.records))
        replay(game, again, np.array(episode.actions, np.int32), np.uint64(episode.seed))
        for moment, repeated in zip(episode.moments(), again, strict=True):
            if moment.record.tobytes() != repeated.tobytes():
                raise moment.breach(f"ply {moment.ply} of seed {moment.seed} is '{game.text(repeated)}' when replayed")


@promise("one key per record")
def one_key_per_record(game: Game, twin: Any, sample: Sample) -> None:
    """Equal records, met in different games and places in memory, have one key; different records have different ones."""
    keys: dict[bytes, int] = {}
    owners: dict[int, Any] = {}
    for moment in sample.moments():
        data, key = moment.record.tobytes(), int(one.key_one(game, moment.guarded()[1:2]))
        if keys.setdefault(data, key) != key:
            raise moment.breach(f"the same record has the keys {keys[data]:x} and {key:x}")
        if owners.setdefault(key, moment.record).tobytes() != data:
            raise moment.breach(f"key {key:x} of '{game.text(owners[key])}' is met again")


@promise("State agrees")
def state_agrees(game: Game, twin: Any, sample: Sample) -> None:
    check_state(game, sample)


@promise("the twin agrees", needs_twin)
def the_twin_agrees(game: Game, twin: Any, sample: Sample) -> None:
    check_twin(game, twin, sample)


@promise("plain Python agrees", needs_compiler)
def plain_python_agrees(game: Game, twin: Any, sample: Sample) -> None:
    compare_with_plain(game, sample)


@promise("chance is an argument", needs_decisions)
def chance_is_an_argument(game: Game, twin: Any, sample: Sample) -> None:
    """The same record, action and chance word: the same bytes. Without a `chance_key`, any word: the same bytes."""
    for moment, action in sample.decisions(MANY):
        # A generator hidden in the kernel would have moved on by the third play.
        first, other, second = (played(moment, action, word) for word in (NOISE, ~NOISE, NOISE))
        if first != second or moment.state().apply(action) != moment.state().apply(action):
            raise moment.breach(f"playing {action} twice with one chance word gave two results")
        if first != other and not kernels.has_chance(game):
            raise moment.breach(f"playing {action} uses its chance, so the game needs a 'chance_key' kernel")


@promise("encode doesn't see the seats", needs_kernel("swap"))
def encode_does_not_see_the_seats(game: Game, twin: Any, sample: Sample) -> None:
    """Swapping the seats changes who is to move, but nothing that a network sees; swapping twice changes nothing."""
    for moment in sample.moments(MANY):
        state = moment.state()
        swapped = state.swapped()
        if swapped.swapped() != state:
            raise moment.breach("swapping the seats twice must give the same record")
        if moment.action is not None and swapped.to_move == state.to_move:
            raise moment.breach("swap must exchange the mover too")
        if game.features and not np.array_equal(swapped.features(), state.features()):
            raise moment.breach("encode tells the state from the one with swapped seats")


@promise("distinct actions stand for all", needs_kernel("distinct"), needs_decisions)
def distinct_actions_stand_for_all(game: Game, twin: Any, sample: Sample) -> None:
    """Every legal action does what one distinct action does, whatever the chance, and no two of those do the same."""
    for moment, _ in sample.decisions(SOME):
        distinct, legal = distinct_actions(game, moment.records), listed_actions(game, moment.records)
        if not set(distinct) <= set(legal):
            raise moment.breach(f"distinct actions {distinct} must be legal, that is, among {legal}")
        effects = {action: _effect(moment, action) for action in legal}
        kinds = [effects[action] for action in distinct]
        for action in legal:
            if kinds.count(effects[action]) != 1:
                raise moment.breach(f"action {action} must do the same as exactly one of the distinct actions {distinct}")


@promise("afterstates come before chance", needs_kernel("afterstate"), needs_decisions)
def afterstates_come_before_chance(game: Game, twin: Any, sample: Sample) -> None:
    """What an action makes before chance has the mover, the outcome and the points that it has after any chance."""
    for moment, _ in sample.decisions(SOME):
        for action in distinct_actions(game, moment.records):
            before, after = moment.records.copy(), moment.records.copy()
            afterstate_one(game, before, action)
            play_word(game, after, action, np.uint64(NOISE))
            for what, told in standing(game, before).items():
                if told != (expected := standing(game, after)[what]):
                    raise moment.breach(f"afterstate of action {action}: {what} {told}, after its chance {expected}")


@promise(GOLDEN)
def the_golden_playthrough_replays(game: Game, twin: Any, sample: Sample) -> None:
    replay_golden(game)


def standing(game: Game, records: Any) -> dict[str, Any]:
    """What neither chance nor a symmetry may change."""
    scores, points = np.zeros(game.players), np.zeros(game.players)
    is_over = bool(one.outcome_one(game, records, scores))
    points_one(game, records, points)
    mover = -1 if is_over else int(one.to_move_one(game, records))
    return {"over": is_over, "scores": scores.tolist(), "points": points.tolist(), "mover": mover}


def played(moment: Moment, action: int, word: int) -> bytes:
    """The record after an action, with this chance word."""
    records = moment.records.copy()
    play_word(moment.game, records, action, np.uint64(word & 0xFFFF_FFFF_FFFF_FFFF))
    return bytes(records.tobytes())


def _effect(moment: Moment, action: int) -> bytes:
    """What an action does, under so many chances that two kinds hardly look the same."""
    words = EFFECT_WORDS if kernels.has_chance(moment.game) else 1
    return b"".join(played(moment, action, mix(NOISE, number)) for number in range(words))
