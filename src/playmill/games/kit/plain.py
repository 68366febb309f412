"""The same games twice, compiled and as plain Python, answer for answer: this is how integer-width traps are found.

A kernel that runs as plain Python still calls compiled helpers, unless Numba is switched off for the whole process. So the
plain half runs in a process of its own: `python -m playmill.games.kit.plain ADDRESS GAMES SEED FILE`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.core.files import temporary_folder
from playmill.games import one
from playmill.games.game import Game
from playmill.games.kit.promise import Breach
from playmill.games.kit.samples import (
    Moment,
    Sample,
    chance_key_one,
    decision_one,
    distinct_actions,
    image_of,
    listed_actions,
    points_one,
    sample_games,
)
from playmill.games.registry import address_of, get_game

MAX_MOMENTS = 2000  # plain kernels are some hundred times slower
PATIENCE_S = 600
Answers = dict[str, Any]


def compare_with_plain(game: Game, sample: Sample) -> None:
    """Play the first games of the sample again without the compiler; the first answer that differs is a breach."""
    sample = _first_episodes(sample)
    ours = collect_answers(game, sample)
    theirs = _plain_answers(game, len(sample.episodes), sample.seed)
    for row, moment in enumerate(sample.moments()):
        for what in ours:
            if row >= len(theirs[what]) or not _equal(ours[what][row], theirs[what][row]):
                where = f"{what} of seed {moment.seed}, ply {moment.ply}"
                raise Breach(game, f"{where}: {_both(ours, theirs, what, row)}", moment.record)


def collect_answers(game: Game, sample: Sample) -> Answers:
    """What every kernel says in every moment: one array a kernel, one row a moment."""
    rows = [_answer(game, moment) for moment in sample.moments()]
    return {what: np.stack([row[what] for row in rows]) for what in rows[0]}


def _first_episodes(sample: Sample) -> Sample:
    """As many whole games as have `MAX_MOMENTS` together, but at least one."""
    sizes = np.cumsum([len(episode.records) for episode in sample.episodes])
    return Sample(sample.seed, sample.episodes[: max(1, int((sizes <= MAX_MOMENTS).sum()))])


def _answer(game: Game, moment: Moment) -> Answers:
    """One moment's answers; where the game is over there is less to ask, and the rest is blank."""
    records = moment.records.copy()
    goes_on = moment.action is not None
    legal = listed_actions(game, records) if goes_on else []
    return {
        "record": np.frombuffer(records.tobytes(), np.uint8),
        "outcome": np.array(moment.state().returns if not goes_on else [np.nan] * game.players),
        "legal": _padded(legal, game.max_legal),
        "distinct": _padded(distinct_actions(game, records) if goes_on else [], game.max_legal),
        "logit_ids": _padded([i for action in legal for i in one.logit_ids_one(game, records, action)], 2 * game.max_legal),
        "to_move": np.int64(one.to_move_one(game, records) if goes_on else -1),
        "chance_key": np.uint64(chance_key_one(game, records) if goes_on else 0),
        "decision": np.int64(decision_one(game, records) if goes_on else 0),
        "meets_chance": _padded([one.meets_chance_one(game, records, action) for action in legal], game.max_legal),
        "outcomes": _outcomes(game, moment),
        "key": np.uint64(one.key_one(game, records)),
        "eval_key": np.uint64(one.eval_key_one(game, records)),
        "points": _points(game, records),
        "image": image_of(game, records, moment.ply % game.symmetries).view(np.uint8),
        "features": moment.state().features() if game.features and goes_on else np.zeros(game.features, np.float32),
    }


def _outcomes(game: Game, moment: Moment) -> Any:
    """The probabilities of what may follow the action that was played."""
    chances = np.zeros(game.max_outcomes)
    if moment.asks_outcomes:
        one.outcomes_one(game, moment.records.copy(), moment.action, game.records(game.max_outcomes), chances)
    return chances


def _points(game: Game, records: Any) -> Any:
    points = np.zeros(game.players)
    if "points" in game.kernels:
        points_one(game, records, points)
    return points


def _padded(numbers: list[int], size: int) -> Any:
    return np.array(numbers + [-1] * (size - len(numbers)))


def _equal(ours: Any, theirs: Any) -> bool:
    """Floats may differ in their last bits: compiled code mixes widths by other rules than NumPy's scalars."""
    if ours.dtype.kind == "f":
        return bool(np.allclose(ours, theirs, rtol=1e-5, atol=1e-6, equal_nan=True))
    return bool(np.array_equal(ours, theirs))


def _both(ours: Answers, theirs: Answers, what: str, row: int) -> str:
    """Both answers; a record is shown as its bytes."""
    if row >= len(theirs[what]):
        return "compiled, the game goes on; as plain Python it is over"
    pair = [answers[what][row] for answers in (ours, theirs)]
    first, second = (item.tobytes().hex() if what == "record" else str(item.tolist()) for item in pair)
    return f"compiled {first}, as plain Python {second},"


# ------------------------------------------------------------------ the other process


def _plain_answers(game: Game, games: int, seed: int) -> Answers:
    with temporary_folder("playmill-check-") as folder:
        file = folder / "answers.npz"
        command = [sys.executable, "-m", "playmill.games.kit.plain", address_of(game), str(games), str(seed), str(file)]
        # The caller's whole path: a game may be importable only because a test runner put its folder there.
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if ended.returncode != 0:
            said = ended.stderr.strip().splitlines() or ["nothing was said"]
            raise Breach(game, f"run as plain Python, the game stops: {said[-1]}")
        with np.load(file) as stored:
            return dict(stored)


def _main(address: str, games: str, seed: str, file: str) -> None:
    game = get_game(address)
    answers = collect_answers(game, sample_games(game, int(games), int(seed)))
    np.savez(file, **answers)


if __name__ == "__main__":
    try:
        _main(*sys.argv[1:])
    except PlaymillError as problem:
        sys.exit(str(problem))
