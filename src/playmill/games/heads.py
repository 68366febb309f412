"""The heads of networks: what a network can answer about a position besides its policy. One table for everybody.

Networks and their graphs read how many columns a head has and how they are squashed; self-play and replay which columns it is
taught and how they follow from a finished game; training its loss; a search what its answers are worth. A new head, or a new
target, is one entry of `HEADS`; a head for one game comes with the game's pack. The table stands among the games because all
of them look down on it, and `search` and `nets` don't know each other.

Players are counted from the mover: place 0 is whoever is to move, place r the player (mover + r) % players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.table import NameTable
from playmill.games.game import Game

Array = np.ndarray[Any, Any]

WIN, WDL, UTILITIES, MARGIN, TOGO_OWN, TOGO_OPP = "win", "wdl", "utilities", "margin", "togo_own", "togo_opp"
POINTS_UNIT = 100.0  # points that one unit of a score-to-go head is worth
WON, LOST = 1.0, -1.0  # utilities; what a draw is worth the game says


@dataclass(frozen=True)
class Aim:
    """What a search plays for."""

    margin_weight: float = 0.0  # share of the margin in a value, the rest is the outcome's
    points_scale: float | None = None  # points that make one unit, where it plays for points


@dataclass(frozen=True)
class Told:
    """What finished games tell about positions of theirs, a row each, players counted from the row's mover; NaN = nothing."""

    utilities: Array  # float64 [n, players]: how the game ended
    final_points: Array  # float64 [n, players]
    points_to_come: Array  # float64 [n, players]: that really came after the position
    value: Array  # float32 [n, players]: the utilities that the search expected
    togo: Array  # float32 [n, players]: the points to come that the search expected
    plies_to_come: Array  # float64 [n]: moves until the game was over, of all players together
    margin_scale: float  # points of difference that make a margin of tanh(1)
    shaping: Array  # float64 [n, players]: what reward terms add to each player's outcome (`trackers.py`)


Column = Callable[[Told], Array]  # a column of the replay's targets, [n]
Columns = Callable[[Game], dict[str, Column]]
Shape = Callable[[Game, Array], Array]


def _as_told(game: Game, columns: Array) -> Array:
    return columns


@dataclass(frozen=True)
class Head:
    """One entry. What it is taught are columns of the replay, by name; `as_...` makes the head's own columns of them."""

    name: str
    answers: str  # for people
    width: Callable[[int], int]  # columns, by the number of players
    squash: Literal["tanh", "softmax", "none"]  # into -1..1, into shares, or not at all
    outcome: Columns  # what really happened
    expected: Columns  # what the search expected instead; none for some
    loss: Literal["square", "cross_entropy"]
    part: str  # of the loss; `PART_weight` in the training's settings is its weight
    worth: Callable[[Game, Aim], Array]  # float64 [players, width]: a linear map from answers to utilities
    lacks: Callable[[Game], str | None]  # what the game lacks for it
    as_outcome: Shape = _as_told
    as_expected: Shape = _as_told
    weight: float = 1.0  # of its part of the loss, where the training's settings have none for it


# ------------------------------------------------------------------ what a head is taught


def _utilities(stem: str, source: str) -> Columns:
    """One column a player; in a two-player zero-sum game the mover's says it all."""

    def columns(game: Game) -> dict[str, Column]:
        places = 1 if game.is_two_player_zero_sum else game.players
        return {stem + (f"_{place}" if place else ""): partial(_entry, source, place) for place in range(places)}

    return columns


def _entry(source: str, place: int, told: Told) -> Array:
    column: Array = getattr(told, source)[:, place]
    return column


def _points(name: str, source: str, place: int) -> Columns:
    return lambda game: {name: lambda told: _entry(source, place, told) / POINTS_UNIT}


def _margin(told: Told) -> Array:
    margin: Array = np.tanh((told.final_points[:, 0] - told.final_points[:, 1]) / told.margin_scale)
    return margin


def _nothing(game: Game) -> dict[str, Column]:
    return {}


OUTCOME, EXPECTED = _utilities("z", "utilities"), _utilities("q", "value")


def win_draw_loss(game: Game, columns: Array) -> Array:
    """1 in one of three columns: a draw is when both have the same utility."""
    lead = columns[:, 0] - (0.0 if game.is_two_player_zero_sum else columns[:, 1])
    classes = np.stack([lead > 0, lead == 0, lead < 0], axis=1).astype(np.float32)
    classes[np.isnan(lead)] = np.nan
    return classes


def shares_of_results(game: Game, columns: Array) -> Array:
    """How likely win, draw and loss are, told from both players' expected utilities; NaN where those don't say it.

    They do if a draw is worth another sum than a win and a loss: not in a zero-sum game.
    """
    equations = np.concatenate([result_utilities(game), np.ones((1, 3))])
    if np.linalg.matrix_rank(equations) < 3 or columns.shape[1] < 2:
        return np.full((len(columns), 3), np.nan, np.float32)
    known = np.concatenate([columns, np.ones((len(columns), 1))], axis=1)
    shares = np.clip(np.linalg.solve(equations, known.T.astype(np.float64)).T, 0, 1)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares.astype(np.float32)


# ------------------------------------------------------------------ what an answer is worth


def result_utilities(game: Game) -> Array:
    """What the mover's win, draw and loss are worth to it and to the other, [2, 3]."""
    return np.array([[WON, game.draw_utility, LOST], [LOST, game.draw_utility, WON]])


def of_outcome(worth: Callable[[Game], Array]) -> Callable[[Game, Aim], Array]:
    """The share that the outcome has in a value; nothing where points are played for."""
    return lambda game, aim: worth(game) * (1 - aim.margin_weight if aim.points_scale is None else 0.0)


def _of_margin(game: Game, aim: Aim) -> Array:
    return _own_and_others(game) * (aim.margin_weight if aim.points_scale is None else 0.0)


def _of_points(game: Game, aim: Aim) -> Array:
    return _own_and_others(game) * (0.0 if aim.points_scale is None else POINTS_UNIT / aim.points_scale)


def _of_others_points(game: Game, aim: Aim) -> Array:
    return -_of_points(game, aim)


def _own_and_others(game: Game) -> Array:
    """What one gains, the other loses."""
    return np.array([[1.0], [-1.0]])


# ------------------------------------------------------------------ what a game must have


def _two_player_zero_sum(game: Game) -> str | None:
    return None if game.is_two_player_zero_sum else "two players whose utilities add up to zero; use value: utilities"


def _two_players(game: Game) -> str | None:
    return None if game.players == 2 else "two players"


def _more_than_one_utility(game: Game) -> str | None:
    return "more to tell than the mover's utility; use value: win or wdl" if game.is_two_player_zero_sum else None


def _one(players: int) -> int:
    return 1


BUILT_IN = (
    Head(
        WIN, "the mover's utility", _one, "tanh", OUTCOME, EXPECTED, "square", "value",
        of_outcome(_own_and_others), _two_player_zero_sum,
    ),
    Head(
        WDL, "how likely the mover's win, a draw, its loss", lambda players: 3, "softmax", OUTCOME, EXPECTED,
        "cross_entropy", "value", of_outcome(result_utilities), _two_players, win_draw_loss, shares_of_results,
    ),
    Head(
        UTILITIES, "each player's utility", lambda players: players, "tanh", OUTCOME, EXPECTED, "square", "value",
        of_outcome(lambda game: np.eye(game.players)), _more_than_one_utility,
    ),
    Head(
        MARGIN, "the squashed score difference", _one, "tanh", lambda game: {"z_margin": _margin}, _nothing, "square",
        "margin", _of_margin, _two_players,
    ),
    # Points to come are taught by squared error, not by Huber's: search adds expectations up, and the mean has the least.
    Head(
        TOGO_OWN, "the mover's points to come, in hundreds", _one, "none", _points("togo_own", "points_to_come", 0),
        _points("q_togo_own", "togo", 0), "square", "togo", _of_points, _two_players,
    ),
    Head(
        TOGO_OPP, "the other's points to come, in hundreds", _one, "none", _points("togo_opp", "points_to_come", 1),
        _points("q_togo_opp", "togo", 1), "square", "togo", _of_others_points, _two_players,
    ),
)  # fmt: skip
OUTCOME_PART = "value"  # the part of the loss that heads which tell the outcome count in
HEADS = NameTable("head", {head.name: head for head in BUILT_IN})
VALUE_HEADS = NameTable("value head", {head.name: head for head in BUILT_IN if head.part == OUTCOME_PART})  # for `net.value`


def enter_head(head: Head) -> None:
    """Add a pack's head to the table; one of the part `value` may be a network's `net.value`."""
    HEADS.enter(head.name, head)
    if head.part == OUTCOME_PART:
        VALUE_HEADS.enter(head.name, head)


# ------------------------------------------------------------------ for whoever reads the table


def heads_of(names: Iterable[str]) -> tuple[Head, ...]:
    """The entries of these heads; an unknown one is refused."""
    return tuple(HEADS.find(name) for name in names)


def check_heads(game: Game, names: Iterable[str]) -> None:
    """Refuse a head that can't say anything about the game."""
    for head in heads_of(names):
        if missing := head.lacks(game):
            raise UsageError(f"net: the head '{head.name}' ({head.answers}) expects {missing}; {_described(game)}")


def _described(game: Game) -> str:
    sum_ = "" if game.is_two_player_zero_sum or game.players != 2 else " and utilities of any sum"
    return f"{game.name} has {game.players} player{'s' * (game.players != 1)}{sum_}"


def column_count(names: Iterable[str], players: int) -> int:
    """How many columns the answers of these heads have."""
    return sum(head.width(players) for head in heads_of(names))


def column_of(names: tuple[str, ...], name: str, players: int) -> int:
    """The first column of one of these heads."""
    return column_count(names[: names.index(name)], players)


def segments(names: Iterable[str], players: int) -> list[tuple[str, int]]:
    """How the columns of these heads are squashed, from left to right: kinds, and how many columns each is for."""
    found: list[tuple[str, int]] = []
    for head in heads_of(names):
        width = head.width(players)
        # A softmax is one head's own; what is done column by column is done for neighbours at once.
        if found and found[-1][0] == head.squash != "softmax":
            width += found.pop()[1]
        found.append((head.squash, width))
    return found


def worth_of(game: Game, names: tuple[str, ...], aim: Aim) -> Array:
    """What the answers of these heads are worth to the players, float64 [players, columns], the mover's first."""
    return np.ascontiguousarray(np.concatenate([head.worth(game, aim) for head in heads_of(names)], axis=1))


def target_columns(game: Game) -> dict[str, Column]:
    """All that positions of the game can teach: the columns of its replay, in order."""
    able = [head for head in HEADS.values() if head.lacks(game) is None]
    columns: dict[str, Column] = {}
    for taught in ([head.outcome for head in able], [head.expected for head in able]):
        for make in taught:
            columns.update(make(game))
    return columns
