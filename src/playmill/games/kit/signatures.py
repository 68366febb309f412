"""What the contract's kernels take and give, as Numba types: each is compiled alone, so that an error names the kernel."""

from __future__ import annotations

import re
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError

from playmill.core.jit import IS_COMPILED
from playmill.games.game import REQUIRED, Game
from playmill.games.kernels import has_kernel, kernel_of
from playmill.games.kit.promise import Breach

WORD = types.uint64
RECORDS = object()  # stands for an array of the game's own records
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "start": (WORD,),
    "legal": (types.int32[::1],),
    "play": (types.int64, WORD),
    "outcome": (types.float64[::1],),
    "to_move": (),
    "chance_key": (),
    "meets_chance": (types.int64,),
    "outcomes": (types.int64, RECORDS, types.float64[::1]),
    "eval_key": (),
    "encode": (types.float32[::1],),
    "logit_ids": (types.int64,),
    "key": (),
    "swap": (),
    "distinct": (types.int32[::1],),
    "decision": (),
    "points": (types.float64[::1],),
    "afterstate": (types.int64,),
    "symmetry": (types.int64,),
    "symmetry_action": (types.int64, types.int64),
}
RETURNS: dict[str, tuple[type[Any], str]] = {
    "legal": (types.Integer, "how many actions there are"),
    "outcome": (types.Boolean, "True or False"),
    "to_move": (types.Integer, "a player's number"),
    "chance_key": (types.Integer, "a number"),
    "meets_chance": (types.Boolean, "True or False"),
    "outcomes": (types.Integer, "how many states there are"),
    "eval_key": (types.Integer, "a number"),
    "logit_ids": (types.BaseTuple, "two logits (i, j)"),
    "key": (types.Integer, "a number"),
    "distinct": (types.Integer, "how many actions there are"),
    "decision": (types.Integer, "0 or 1"),
    "symmetry_action": (types.Integer, "an action"),
}
LONGEST_REASON = 240
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def check_kernels(game: Game) -> None:
    """Find all kernels that the game needs and compile them; a breach names the first one that is missing or wrong."""
    for name in REQUIRED:
        if name not in game.kernels:
            raise Breach(game, f"the game has no '{name}' kernel; define it with @GAME.kernel in {game.module}")
    if "to_move" not in game.kernels and "mover" not in (game.state.names or ()):
        raise Breach(game, "the record has no field 'mover', so the game must define a 'to_move' kernel")
    if bool(game.features) != ("encode" in game.kernels):
        raise Breach(game, f"features={game.features} and an 'encode' kernel belong together, one of them is missing")
    if (game.max_outcomes > 1) != ("outcomes" in game.kernels):
        raise Breach(game, f"max_outcomes={game.max_outcomes} and an 'outcomes' kernel belong together, one of them is missing")
    for name in ("symmetry", "symmetry_action"):
        if (game.symmetries > 1) != (name in game.kernels):
            raise Breach(game, f"symmetries={game.symmetries} and a '{name}' kernel belong together, one of them is missing")
    if IS_COMPILED:
        for name in ARGUMENTS:
            if has_kernel(game, name):
                _compile(game, name)


def _compile(game: Game, name: str) -> None:
    records = numba.typeof(game.records(1))
    taken = (records.dtype, *(records if kind is RECORDS else kind for kind in ARGUMENTS[name]))
    dispatcher = kernel_of(game, name)
    try:
        dispatcher.compile(taken)
    except Exception as error:  # mostly Numba's own kinds; an unknown field is a KeyError
        raise Breach(game, f"the kernel '{name}' does not compile: {_reason(error)}") from error
    _check_return(game, name, dispatcher.overloads[taken].signature.return_type)


def _check_return(game: Game, name: str, given: Any) -> None:
    expected, meaning = RETURNS.get(name, (types.NoneType, "nothing"))
    if not isinstance(given, expected):
        raise Breach(game, f"the kernel '{name}' must return {meaning}, but Numba makes {given} of what it returns")


def _reason(error: Exception) -> str:
    """The first thing that Numba says after its preamble, and the last line of source that it points at."""
    if not isinstance(error, NumbaError):
        return f"{type(error).__name__}: {error}"
    lines = [line.strip() for line in COLOURS.sub("", str(error)).splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("Failed in nopython mode")), "unknown reason")
    places = re.findall(r'^File "(.+)", line (\d+)', "\n".join(lines), re.MULTILINE)
    where = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
    return said[:LONGEST_REASON] + where
