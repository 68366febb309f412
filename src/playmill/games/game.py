"""The game contract: a record dtype, a few numbers and a few kernels. Everything else is written once against it.

A game module says what a state is and registers kernels by name with `@GAME.kernel`:

    start(state, chance)           fill a zeroed record with the first state
    legal(state, actions) -> n     fill int32 `actions`, ascending; only asked of unfinished states, and then n >= 1
    play(state, action, chance)    change the record in place; `action` is legal
    outcome(state, scores) -> bool is it over? then fill float64 `scores`: utilities from -1 to 1, one per player; they add up
                                   to zero in games for two unless the game says `zero_sum=False`
    to_move(state) -> player       default: the field `mover`
    chance_key(state) -> uint64    which random event comes next; default 0, for games without chance
    meets_chance(state, action)    -> bool: does `play` look at its chance word? default: always with a `chance_key`, else never
    outcomes(state, action, records, probabilities) -> n
                                   optional: list what chance may make of a legal action that meets it. Fill `records` with the
                                   states that may follow, each once, and float64 `probabilities`; needs `max_outcomes=`
    encode(state, planes)          fill float32 `planes` (flat, zeroed), seen by the side to move; needs `features=`. They are
                                   uint8 on the way to a GPU if `feature_type` says that they may be
    logit_ids(state, action) -> (i, j) the one or two policy logits that make up the action's; default (action, -1)
    key(state) -> uint64           equal states, equal keys; default: a hash of the record's bytes
    eval_key(state) -> uint64      equal for states that a network can't tell apart (`encode`, mover), such as one board with
                                   two histories: a search asks once. Legal actions may differ; default: `key`
    swap(state)                    optional: exchange the seats and the mover; `encode` must not notice
    distinct(state, actions) -> n  one legal action of each kind that differs in effect; default: all legal ones
    decision(state) -> 0 or 1      the kind of decision, for search budgets; default 0
    points(state, out)             optional: float64 points of each player so far, where a game is scored in points
    afterstate(state, action)      optional, for games with chance: change the record into what the action alone makes of it,
                                   before chance; whose turn it is, whether it is over and the points are those after `play`
    symmetry(state, number)        optional, with `symmetries=`: change the record into its image under a symmetry of the rules
    symmetry_action(state, action, number) -> action
                                   what an action of the (unchanged) state is called in that image

and nine for people: `@GAME.show` (a state as one line, for errors and lists), `@GAME.draw` (a state as a board, on as many
lines as it needs; default: the line), `@GAME.picture` (a state as the text of an SVG, for notebooks; default: the board as
text), `@GAME.name_action` (an action as text), `@GAME.read_action` (the action that a text means; default: by its name or its
number), `@GAME.group_action` (what an action is listed under, such as its piece; default: nothing), `@GAME.tell_move` (what
an action did to one state on its way to the next, such as the dice that it threw; default: nothing), `@GAME.mark_move` (the
elements that show an action on the picture of the state after it; default: none) and `@GAME.read_state` (the state that a
text means, as `show` writes it; default: no text means one).

Randomness is an argument. `chance` is one 64-bit word from which the rules derive everything random in the event; the real
game passes `mix(episode_seed, chance_key(state))`, a search passes words of its own stream. No kernel owns a generator.

Generic kernels take the game itself as their first argument and call `legal(game, state, actions)` and so on from
`games/kernels.py`; Numba picks the game's kernel by the game's type, compiles once per game, and finds that in its disk cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from playmill.core.errors import ContractError, UsageError
from playmill.core.jit import kernel

if TYPE_CHECKING:
    from playmill.games.state import State

F = TypeVar("F", bound=Callable[..., Any])

FEATURE_TYPES = ("float32", "uint8", "bit")
REQUIRED = ("start", "legal", "play", "outcome")
OPTIONAL = (
    "to_move", "chance_key", "meets_chance", "outcomes", "encode", "logit_ids", "key", "eval_key", "swap", "distinct",
    "decision", "points", "afterstate", "symmetry", "symmetry_action",
)  # fmt: skip

RENAMED = {"slots": "logit_ids"}  # kernels of older games


class Game:
    """One game's rules. Compared and hashed by identity; Numba sees it as a type of its own (`games/kernels.py`)."""

    def __init__(
        self,
        name: str,
        *,
        state: np.dtype[Any],
        players: int,
        logits: int,
        actions: int | None = None,
        max_legal: int | None = None,
        max_outcomes: int = 1,
        features: tuple[int, ...] = (),
        feature_type: str = "float32",
        symmetries: int = 1,
        title: str = "",
        legend: Mapping[str, str] | None = None,
        ruleset: str = "",
        action_space: str = "",
        feature_schema: int = 1,
        zero_sum: bool | None = None,
        draw_utility: float = 0.0,
        module: str | None = None,
    ) -> None:
        """`actions` ids are 0..actions-1 (default: one per logit), of which at most `max_legal` are legal at once.

        `max_outcomes` is how many states chance can make of an action, for games that list them (`outcomes`).
        `features` is the shape of one encoded state, () if the game has no encoding; `feature_type` says how small a feature
        may be made on its way to a network elsewhere: "bit" if all are 0 or 1, "uint8" if all are whole numbers 0..255.
        `symmetries` says in how many ways the rules allow a state to be seen; number 0 is as it is, the others are those of the
        kernel `symmetry`. `title` is a line for lists; `legend` has forms of its moves, and what stands on its board, each
        with its meaning, for people who ask for help.
        `ruleset`, `action_space` (default: NAME_v1) and `feature_schema` name what files made with this game mean: change
        the one whose meaning changes, and older files are refused by name.
        `zero_sum`: whether final utilities always add up to zero (default: in games for two); `draw_utility` is what a draw,
        where all have the same, is worth to each.
        """
        _check_packed(name, state)
        self.name = name
        # np.record, so that kernels can also be run as plain Python: its elements have attributes, as Numba's records do.
        self.state: np.dtype[Any] = np.dtype((np.record, state))
        self.players = players
        self.logits = logits
        self.actions = logits if actions is None else actions
        self.max_legal = self.actions if max_legal is None else max_legal
        self.max_outcomes = max_outcomes
        self.features = features
        self.feature_type = _check_feature_type(name, feature_type)
        self.symmetries = symmetries
        self.title = title
        self.legend = dict(legend or {})
        self.ruleset = ruleset or f"{name}_v1"
        self.action_space = action_space or f"{name}_v1"
        self.feature_schema = feature_schema
        self.zero_sum = players == 2 if zero_sum is None else zero_sum
        self.draw_utility = draw_utility
        self.module = module or _calling_module()
        self.kernels: dict[str, Any] = {}
        self._show: Callable[[Any], str] = str
        self._draw: Callable[[Any], str] | None = None
        self._picture: Callable[[Any], str] | None = None
        self._name_action: Callable[[Any, int], str] = lambda _state, action: str(action)
        self._read_action: Callable[[State, str], int] | None = None
        self._read_state: Callable[[str, int], State] | None = None
        self._group_action: Callable[[Any, int], str] = lambda _state, _action: ""
        self._tell_move: Callable[[Any, int, Any], str] = lambda _before, _action, _after: ""
        self._mark_move: Callable[[Any, int], str] = lambda _before, _action: ""
        self.type_name: str | None = None  # of its Numba type; given when a kernel first meets the game, with all its kernels

    def kernel(self, function: F) -> F:
        """Register `function` under its own name as one of this game's kernels."""
        name = function.__name__
        if name in RENAMED:
            raise ContractError(f"{self.name}: the kernel '{name}' is called {RENAMED[name]} now")
        if name not in REQUIRED + OPTIONAL:
            known = ", ".join(REQUIRED + OPTIONAL)
            raise ContractError(f"{self.name}: '{name}' is no kernel of the game contract (known: {known})")
        self.kernels[name] = kernel(function)
        self.type_name = None
        return self.kernels[name]  # type: ignore[no-any-return]

    def show(self, function: F) -> F:
        """Register how a state looks on one line."""
        self._show = function
        return function

    def draw(self, function: F) -> F:
        """Register how a state looks as a board."""
        self._draw = function
        return function

    def picture(self, function: F) -> F:
        """Register how a state looks as a picture, the text of an SVG."""
        self._picture = function
        return function

    def name_action(self, function: F) -> F:
        """Register how an action of a state reads."""
        self._name_action = function
        return function

    def read_action(self, function: F) -> F:
        """Register which action of a `State` a text means; a text that means none raises IllegalAction."""
        self._read_action = function
        return function

    def read_state(self, function: F) -> F:
        """Register which `State` of an episode a text means; a text that means none raises UsageError."""
        self._read_state = function
        return function

    def group_action(self, function: F) -> F:
        """Register what an action of a state is listed under."""
        self._group_action = function
        return function

    def tell_move(self, function: F) -> F:
        """Register what an action did, told from the states before and after it."""
        self._tell_move = function
        return function

    def mark_move(self, function: F) -> F:
        """Register what is drawn on the next picture to show an action of a state."""
        self._mark_move = function
        return function

    def variant(self, name: str, *, features: tuple[int, ...], feature_schema: int, title: str) -> Game:
        """A game of the same rules, actions and states, seen in another way: it wants an `encode` kernel of its own.

        It has its own name and schema, so that what was made with the one is never taken for the other's.
        """
        twin = Game.__new__(Game)
        kernels = {key: value for key, value in self.kernels.items() if key != "encode"}
        new = {"name": name, "features": features, "feature_schema": feature_schema, "title": title, "kernels": kernels}
        vars(twin).update(vars(self), **new, module=_calling_module(), type_name=None)
        return twin

    def new(self, seed: int = 0) -> State:
        """The first state of the episode `seed`."""
        from playmill.games.state import State

        return State.new(self, seed)

    def records(self, count: int) -> Any:
        """`count` zeroed records, as kernels want them."""
        return np.zeros(count, self.state)

    def text(self, record: Any) -> str:
        """A record on one line; a text of several lines has slashes between them."""
        return one_line(self._show(record))

    def board(self, record: Any) -> str:
        """A record as people look at it, on as many lines as it needs."""
        return (self._draw or self._show)(record)

    @property
    def has_picture(self) -> bool:
        """Whether the game declares one (`@GAME.picture`)."""
        return self._picture is not None

    def svg(self, record: Any) -> str | None:
        """A record as the text of an SVG; None for games without a picture."""
        return None if self._picture is None else self._picture(record)

    def svg_after(self, before: Any, action: int, after: Any) -> str | None:
        """The record `after` as a picture on which the action that led to it is marked, for games that mark theirs."""
        picture = self.svg(after)
        if picture is None:
            return None
        body, end, tail = picture.rpartition("</svg>")
        return f"{body}{self._mark_move(before, action)}{end}{tail}"

    def action_text(self, record: Any, action: int) -> str:
        """An action as people read it."""
        return self._name_action(record, action)

    def action_group(self, record: Any, action: int) -> str:
        """What an action is listed under; "" where the game doesn't say."""
        return self._group_action(record, action)

    def told(self, before: Any, action: int, after: Any) -> str:
        """What an action did; "" where the game has nothing to say besides the action's name."""
        return one_line(self._tell_move(before, action, after))

    def action_meant(self, state: State, text: str) -> int:
        """The legal action that a text means; one that means none is refused with what may be meant."""
        from playmill.games.reading import read_by_name

        return (self._read_action or read_by_name)(state, text)

    def state_meant(self, text: str, seed: int = 0) -> State:
        """The state of the episode `seed` that a text means; refused where it means none, or the game reads none."""
        if self._read_state is None:
            raise UsageError(f"{self.name}: the game reads no positions; lead to one by actions from the start")
        return self._read_state(text, seed)

    @property
    def is_two_player_zero_sum(self) -> bool:
        """Whether what one gains, the one other loses."""
        return self.players == 2 and self.zero_sum

    @property
    def feature_count(self) -> int:
        return int(np.prod(self.features)) if self.features else 0

    @property
    def golden_path(self) -> Path:
        """Where the stored playthrough lies: `golden/NAME.json` beside the module that defines the game."""
        import sys

        file = getattr(sys.modules[self.module], "__file__", None) or "."
        return Path(file).parent / "golden" / f"{self.name}.json"

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its address: the same game in this process, its twin in another."""
        from playmill.games.registry import address_of, get_game

        return get_game, (address_of(self),)


def _check_feature_type(name: str, feature_type: str) -> str:
    if feature_type not in FEATURE_TYPES:
        raise ContractError(f"{name}: feature_type: expected one of {', '.join(FEATURE_TYPES)}, got {feature_type!r}")
    return feature_type


def one_line(text: str) -> str:
    """The text with its line breaks as slashes: a board may be drawn over many lines, an error is one."""
    return " / ".join(line.strip() for line in text.strip().splitlines())


def _check_packed(name: str, dtype: np.dtype[Any]) -> None:
    """Equality is by bytes, so a record has no padding (whose bytes nobody sets) and no pointers."""
    fields = dtype.fields
    if not fields:
        raise ContractError(f"{name}: state must be a NumPy record dtype with named fields, got {dtype}")
    if dtype.hasobject:
        raise ContractError(f"{name}: state fields must be plain numbers, got an object field in {dtype}")
    used = sum(field[0].itemsize for field in fields.values())
    if used != dtype.itemsize:
        raise ContractError(
            f"{name}: state has {dtype.itemsize - used} bytes of padding; make the dtype without align=True, "
            "since states are compared by bytes"
        )


def _calling_module() -> str:
    """The module that is making a Game: it holds the kernels, and the golden playthrough lies beside it."""
    import sys

    return str(sys._getframe(2).f_globals.get("__name__", "__main__"))
