"""The contract's kernels under generic names: `legal(game, state, actions)` runs the legal kernel of that game.

In compiled code Numba picks by the game's type, which `GameType` gives each game; in plain Python the game's table is asked.
"""

from __future__ import annotations

import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.core import cgutils
from numba.extending import NativeValue, intrinsic, models, overload, register_model, typeof_impl, unbox

from playmill.core.errors import ContractError
from playmill.core.fingerprint import fingerprint
from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.game import Game

_GAMES: dict[str, Game] = {}
_TYPES: dict[str, GameType] = {}


class GameType(types.Dummy):
    """A game's own Numba type. It holds only a name, since it is stored with compiled code."""

    def __init__(self, name):
        super().__init__(name=name)


@typeof_impl.register(Game)
def _typeof_game(game, _context):
    # Asked at every call of a kernel: making the type each time cost more than the rest of the call.
    if game.type_name is None:
        game.type_name = _type_name(game)
    name = game.type_name
    if _GAMES.get(name) is not game:
        _GAMES[name], _TYPES[name] = game, GameType(name)
    return _TYPES[name]


def _type_name(game):
    """What the kernels are made of is part of the name: compiled code for an edited game is never taken for the new one's."""
    kernels = {**DEFAULTS, **game.kernels}
    return f"Game({game.name}@{fingerprint(kernels.values())}:{','.join(sorted(game.kernels))})"


register_model(GameType)(models.OpaqueModel)


@unbox(GameType)
def _unbox_game(_type, _object, context):
    return NativeValue(context.context.get_dummy_value())


def kernel_of(game, name):
    """The kernel that a game has under `name`, or the default for it; `game` is a Game or its Numba type."""
    game = _GAMES[game.name] if isinstance(game, GameType) else game
    found = game.kernels.get(name) or DEFAULTS.get(name)
    if found is None:
        raise ContractError(f"{game.name}: the game has no '{name}' kernel; define it with @GAME.kernel in {game.module}")
    return found


def has_kernel(game, name):
    """Whether `kernel_of(game, name)` would find one."""
    return name in game.kernels or name in DEFAULTS


# ------------------------------------------------------------------ the generic names


def start(game, state, chance):
    """Fill a zeroed record with the game's first state."""
    kernel_of(game, "start")(state, chance)


def legal(game, state, actions):
    """Fill `actions` with the legal ones, ascending; return how many."""
    return kernel_of(game, "legal")(state, actions)


def play(game, state, action, chance):
    """Play a legal action in place."""
    # Out of an int32 array an action would make 32-bit numbers of everything it meets; compiled code widens by itself.
    kernel_of(game, "play")(state, int(action), chance)


def outcome(game, state, scores):
    """Return whether the game is over, and if so fill `scores`."""
    return kernel_of(game, "outcome")(state, scores)


def distinct(game, state, actions):
    """Fill `actions` with one legal action of each kind that differs in effect, ascending; return how many."""
    return kernel_of(game, "distinct" if "distinct" in game.kernels else "legal")(state, actions)


def decision(game, state):
    """The kind of decision to be made, 0 or 1: search may spend differently on each."""
    return kernel_of(game, "decision")(state)


def points(game, state, out):
    """Fill `out` with the points each player has so far, for games that are scored in points."""
    kernel_of(game, "points")(state, out)


def afterstate(game, state, action):
    """Change the record into what a legal action makes of it before chance; nothing where a game does not say."""
    kernel_of(game, "afterstate")(state, int(action))


def symmetry(game, state, number):
    """Change the record into its image under a symmetry; nothing where a game has none."""
    kernel_of(game, "symmetry")(state, int(number))


def symmetry_action(game, state, action, number):
    """What an action of `state` is called in the state's image; itself under number 0."""
    return kernel_of(game, "symmetry_action")(state, int(action), int(number))


def has_chance(game):
    """Whether the game has random events; known when a kernel is compiled."""
    return "chance_key" in game.kernels


def meets_chance(game, state, action):
    """Whether playing a legal action looks at its chance word; where a game does not say, all or none do."""
    if "meets_chance" in game.kernels:
        return bool(kernel_of(game, "meets_chance")(state, int(action)))
    return has_chance(game)


def outcomes(game, state, action, records, probabilities):
    """Fill `records` with the states that a legal action may lead to, and `probabilities`; return how many there are.

    `records` has room for `game.max_outcomes`. Where chance has no say there is one.
    """
    if meets_chance(game, state, action):
        return kernel_of(game, "outcomes")(state, int(action), records, probabilities)
    return only_outcome(game, state, action, records, probabilities)


@kernel
def only_outcome(game, state, action, records, probabilities):
    """The one state that an action without chance leads to."""
    records[0] = state
    play(game, records[0], action, np.uint64(0))
    probabilities[0] = 1.0
    return 1


def has_eval_key(game):
    """Whether states of different keys may share their evaluation; known when a kernel is compiled."""
    return "eval_key" in game.kernels


def eval_key(game, state):
    """A 64-bit key: equal for states that a network can't tell apart."""
    return np.uint64(kernel_of(game, "eval_key" if has_eval_key(game) else "key")(state))


def to_move(game, state):
    """Whose turn it is."""
    return kernel_of(game, "to_move")(state)


def chance_key(game, state):
    """The number of the random event that the next action brings."""
    return np.uint64(kernel_of(game, "chance_key")(state))


def encode(game, state, planes):
    """Fill one zeroed row of features."""
    kernel_of(game, "encode")(state, planes)


def logit_ids(game, state, action):
    """Which policy logits make up the action's: (i, j), j = -1 if one."""
    return kernel_of(game, "logit_ids")(state, int(action))


def key(game, state):
    """A 64-bit key: equal for equal states."""
    return np.uint64(kernel_of(game, "key")(state))


def swap(game, state):
    """Exchange the seats in place."""
    kernel_of(game, "swap")(state)


@overload(start)
def _start(game, state, chance):
    run = kernel_of(game, "start")
    return lambda game, state, chance: run(state, chance)


@overload(legal)
def _legal(game, state, actions):
    run = kernel_of(game, "legal")
    return lambda game, state, actions: run(state, actions)


@overload(play)
def _play(game, state, action, chance):
    run = kernel_of(game, "play")
    return lambda game, state, action, chance: run(state, np.int64(action), chance)


@overload(outcome)
def _outcome(game, state, scores):
    run = kernel_of(game, "outcome")
    return lambda game, state, scores: run(state, scores)


@overload(distinct)
def _distinct(game, state, actions):
    # A game in which no two actions mean the same has only `legal`.
    run = kernel_of(game, "distinct" if "distinct" in _GAMES[game.name].kernels else "legal")
    return lambda game, state, actions: run(state, actions)


@overload(decision)
def _decision(game, state):
    run = kernel_of(game, "decision")
    return lambda game, state: run(state)


@overload(points)
def _points(game, state, out):
    run = kernel_of(game, "points")
    return lambda game, state, out: run(state, out)


@overload(afterstate)
def _afterstate(game, state, action):
    run = kernel_of(game, "afterstate")
    return lambda game, state, action: run(state, np.int64(action))


@overload(symmetry)
def _symmetry(game, state, number):
    run = kernel_of(game, "symmetry")
    return lambda game, state, number: run(state, np.int64(number))


@overload(symmetry_action)
def _symmetry_action(game, state, action, number):
    run = kernel_of(game, "symmetry_action")
    return lambda game, state, action, number: run(state, np.int64(action), np.int64(number))


@overload(has_chance)
def _has_chance(game):
    if "chance_key" in _GAMES[game.name].kernels:
        return lambda game: True
    return lambda game: False


@overload(meets_chance)
def _meets_chance(game, state, action):
    kernels = _GAMES[game.name].kernels
    if "meets_chance" in kernels:
        run = kernels["meets_chance"]
        return lambda game, state, action: run(state, np.int64(action))
    if "chance_key" in kernels:
        return lambda game, state, action: True
    return lambda game, state, action: False


@overload(outcomes)
def _outcomes(game, state, action, records, probabilities):
    if "chance_key" not in _GAMES[game.name].kernels:
        return lambda game, state, action, records, probabilities: only_outcome(game, state, action, records, probabilities)
    run = kernel_of(game, "outcomes")

    def fill(game, state, action, records, probabilities):
        if meets_chance(game, state, action):
            return run(state, np.int64(action), records, probabilities)
        return only_outcome(game, state, action, records, probabilities)

    return fill


@overload(has_eval_key)
def _has_eval_key(game):
    if "eval_key" in _GAMES[game.name].kernels:
        return lambda game: True
    return lambda game: False


@overload(eval_key)
def _eval_key(game, state):
    run = kernel_of(game, "eval_key" if "eval_key" in _GAMES[game.name].kernels else "key")
    return lambda game, state: np.uint64(run(state))


@overload(to_move)
def _to_move(game, state):
    run = kernel_of(game, "to_move")
    return lambda game, state: run(state)


@overload(chance_key)
def _chance_key(game, state):
    run = kernel_of(game, "chance_key")
    return lambda game, state: np.uint64(run(state))


@overload(encode)
def _encode(game, state, planes):
    run = kernel_of(game, "encode")
    return lambda game, state, planes: run(state, planes)


@overload(logit_ids)
def _logit_ids(game, state, action):
    run = kernel_of(game, "logit_ids")
    return lambda game, state, action: run(state, np.int64(action))


@overload(key)
def _key(game, state):
    run = kernel_of(game, "key")
    return lambda game, state: np.uint64(run(state))


@overload(swap)
def _swap(game, state):
    run = kernel_of(game, "swap")
    return lambda game, state: run(state)


# ------------------------------------------------------------------ defaults


@intrinsic
def _record_pointer(typing_context, record):
    """The address of a record's bytes, and their number."""
    if not isinstance(record, types.Record):
        return None
    size = record.size

    def build(context, builder, signature, args):
        pointer = builder.bitcast(args[0], cgutils.voidptr_t)
        count = context.get_constant(types.intp, size)
        return context.make_tuple(builder, signature.return_type, (pointer, count))

    return types.Tuple((types.voidptr, types.intp))(record), build


def record_bytes(state):
    """The record as a uint8 array; in compiled code it shares the record's memory."""
    return np.frombuffer(state.tobytes(), np.uint8)


@overload(record_bytes)
def _record_bytes(state):
    def view(state):
        pointer, count = _record_pointer(state)
        return carray(pointer, count, np.uint8)

    return view


@kernel
def hash_bytes(data):
    """A 64-bit hash of a uint8 array, eight bytes a step."""
    word = np.uint64(data.size)
    piece = np.uint64(0)
    filled = 0
    for i in range(data.size):
        piece |= np.uint64(data[i]) << np.uint64(8 * filled)
        filled += 1
        if filled == 8:
            word = mix_word(word, piece)
            piece = np.uint64(0)
            filled = 0
    return mix_word(word, piece)


@kernel
def default_to_move(state):
    return state.mover


@kernel
def default_chance_key(state):
    return np.uint64(0)


@kernel
def default_decision(state):
    return 0


@kernel
def default_points(state, out):
    out[:] = 0


@kernel
def default_afterstate(state, action):
    pass


@kernel
def default_symmetry(state, number):
    pass


@kernel
def default_symmetry_action(state, action, number):
    return action


@kernel
def default_logit_ids(state, action):
    return action, -1


@kernel
def default_key(state):
    return hash_bytes(record_bytes(state))


DEFAULTS = {
    "to_move": default_to_move,
    "chance_key": default_chance_key,
    "decision": default_decision,
    "points": default_points,
    "afterstate": default_afterstate,
    "symmetry": default_symmetry,
    "symmetry_action": default_symmetry_action,
    "logit_ids": default_logit_ids,
    "key": default_key,
}
