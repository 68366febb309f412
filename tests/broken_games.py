"""A sound little Nim, and many that break one promise of the contract each."""

from __future__ import annotations

import numpy as np

from dice_game import PIG
from playmill.core.jit import kernel
from playmill.games.game import Game

STATE = np.dtype([("piles", "i1", 2), ("mover", "i1"), ("mood", "i1")])
MOST = 3


@kernel
def start(state, chance):
    state.piles[0] = MOST
    state.piles[1] = MOST


@kernel
def legal(state, actions):
    count = 0
    for pile in range(2):
        for extra in range(state.piles[pile]):
            actions[count] = pile * MOST + extra
            count += 1
    return count


@kernel
def play(state, action, chance):
    state.piles[action // MOST] -= action % MOST + 1
    state.mover = 1 - state.mover


@kernel
def outcome(state, scores):
    if state.piles[0] + state.piles[1] > 0:
        return False
    scores[state.mover] = -1.0
    scores[1 - state.mover] = 1.0
    return True


@kernel
def encode(state, planes):
    planes[0] = state.piles[0]
    planes[1] = state.piles[1]


@kernel
def swap(state):
    state.mover = 1 - state.mover


SOUND = {"start": start, "legal": legal, "play": play, "outcome": outcome, "encode": encode, "swap": swap}


def make(name, max_legal=2 * MOST, features=(2,), state=STATE, symmetries=1, zero_sum=True, **changes):
    """The sound game with some kernels changed; None takes one away."""
    game = Game(
        name, state=state, players=2, logits=2 * MOST, max_legal=max_legal, features=features, symmetries=symmetries,
        zero_sum=zero_sum,
    )  # fmt: skip
    game.kernels |= {kind: found for kind, found in {**SOUND, **changes}.items() if found is not None}
    game.show(lambda state: f"piles {state.piles[0]} {state.piles[1]}, player {state.mover} to move, mood {state.mood}")
    return game


SOUND_GAME = make("sound")
BARE = make("bare", features=(), encode=None, swap=None)  # sound, with nothing that a game may leave out


# ------------------------------------------------------------------ kernels compile


@kernel
def misspelt_legal(state, actions):
    return state.pilez[0]


@kernel
def confused_play(state, action, chance):
    state.piles[0] = "two"


@kernel
def silent_legal(state, actions):
    actions[0] = 0


NO_PLAY = make("no_play", play=None)
NO_ENCODE = make("no_encode", encode=None)
NO_MOVER = make("no_mover", state=np.dtype([("piles", "i1", 2), ("turn", "i1")]))
MISSPELT = make("misspelt", legal=misspelt_legal)
CONFUSED = make("confused", play=confused_play)
SILENT = make("silent", legal=silent_legal)


# ------------------------------------------------------------------ games end, legal actions in order


@kernel
def idle_play(state, action, chance):
    state.mover = 1 - state.mover


@kernel
def descending_legal(state, actions):
    count = legal(state, actions)
    actions[:count] = actions[:count][::-1].copy()
    return count


@kernel
def lofty_legal(state, actions):
    actions[0] = 99
    return 1


@kernel
def empty_legal(state, actions):
    return 0


ENDLESS = make("endless", play=idle_play)
DESCENDING = make("descending", legal=descending_legal)
TOO_MANY = make("too_many", max_legal=2)
LOFTY = make("lofty", legal=lofty_legal)
STUCK = make("stuck", legal=empty_legal)


# ------------------------------------------------------------------ hidden randomness


@kernel
def moody_start(state, chance):
    start(state, chance)
    state.mood = np.random.randint(0, 100)


@kernel
def moody_play(state, action, chance):
    play(state, action, chance)
    state.mood = np.random.randint(0, 100)


@kernel
def some_chance_key(state):
    return 0


@kernel
def dicing_play(state, action, chance):
    play(state, action, chance)
    state.mood = np.int8(chance & np.uint64(63))


MOODY_START = make("moody_start", start=moody_start)
MOODY = make("moody", play=moody_play, chance_key=some_chance_key)
UNDECLARED = make("undeclared", play=dicing_play)


# ------------------------------------------------------------------ keys, questions


@kernel
def coarse_key(state):
    return np.uint64(state.piles[0])


@kernel
def moody_key(state):
    return np.uint64(np.random.randint(1, 1 << 30))


@kernel
def writing_key(state):
    state.mover = 1 - state.mover
    return np.uint64(state.piles[0])


@kernel
def writing_logit_ids(state, action):
    state.piles[0] = 1
    return action, -1


COARSE = make("coarse", key=coarse_key)
MOODY_KEY = make("moody_key", key=moody_key)
WRITING_KEY = make("writing_key", key=writing_key)
WRITING_LOGIT_IDS = make("writing_logit_ids", logit_ids=writing_logit_ids)


# ------------------------------------------------------------------ widths and memory


@kernel
def narrow_key(state):
    """300 wraps around in eight bits; compiled code widens first."""
    return np.uint64(state.piles[0] * 100 + 7 * state.piles[1] + state.mover)


@kernel
def spilling_play(state, action, chance):
    play(state, action, chance)
    state.piles[4] = 1


@kernel
def spilling_encode(state, planes):
    encode(state, planes)
    planes[2] = 1


@kernel
def spilling_outcome(state, scores):
    is_over = outcome(state, scores)
    scores[2] = 1
    return is_over


NARROW = make("narrow", key=narrow_key)
SPILLING_PLAY = make("spilling_play", play=spilling_play)
SPILLING_ENCODE = make("spilling_encode", encode=spilling_encode)
SPILLING_OUTCOME = make("spilling_outcome", outcome=spilling_outcome)


# ------------------------------------------------------------------ scores, features, seats, logit ids


@kernel
def half_outcome(state, scores):
    if state.piles[0] + state.piles[1] > 0:
        return False
    scores[state.mover] = -1.0
    return True


@kernel
def half_points(state, out):
    out[0] = 3.0


@kernel
def endless_encode(state, planes):
    planes[0] = np.inf


@kernel
def seated_encode(state, planes):
    planes[0] = state.mover


@kernel
def one_way_swap(state):
    state.mover = 1


@kernel
def lazy_swap(state):
    pass


@kernel
def lofty_logit_ids(state, action):
    return action, 99


@kernel
def first_distinct(state, actions):
    legal(state, actions)
    return 1


@kernel
def illegal_distinct(state, actions):
    count = legal(state, actions)
    actions[count - 1] = 2 * MOST - 1
    return count


@kernel
def lofty_decision(state):
    return 2


@kernel
def staying_afterstate(state, action):
    play(state, action, np.uint64(0))
    state.mover = 1 - state.mover


STAYING = make("staying", chance_key=some_chance_key, afterstate=staying_afterstate)
HALF = make("half", outcome=half_outcome)


@kernel
def generous_outcome(state, scores):
    is_over = outcome(state, scores)
    scores[0], scores[1] = 2.0, -2.0
    return is_over


@kernel
def glad_outcome(state, scores):
    is_over = outcome(state, scores)
    scores[1] = 0.5
    return is_over


@kernel
def even_outcome(state, scores):
    is_over = outcome(state, scores)
    scores[0], scores[1] = -0.5, -0.5
    return is_over


GENEROUS = make("generous", outcome=generous_outcome)
GLAD = make("glad", outcome=glad_outcome)
EVEN = make("even", zero_sum=False, outcome=even_outcome)
HALF_POINTS = make("half_points", points=half_points)
INFINITE = make("infinite", encode=endless_encode)
SEATED = make("seated", encode=seated_encode)
ONE_WAY = make("one_way", swap=one_way_swap)
LAZY = make("lazy", swap=lazy_swap)
LOFTY_LOGIT_IDS = make("lofty_logit_ids", logit_ids=lofty_logit_ids)
FIRST_ONLY = make("first_only", distinct=first_distinct)
ILLEGAL_DISTINCT = make("illegal_distinct", distinct=illegal_distinct)
LOFTY_DECISION = make("lofty_decision", decision=lofty_decision)


# ------------------------------------------------------------------ chance, and states that look alike


def make_pig(name, max_outcomes=PIG.max_outcomes, **changes):
    """Pig with some kernels changed; None takes one away."""
    game = Game(name, state=PIG.state, players=2, logits=2, max_outcomes=max_outcomes, features=PIG.features)
    game.kernels |= {kind: found for kind, found in {**PIG.kernels, **changes}.items() if found is not None}
    return game


sound_outcomes = PIG.kernels["outcomes"]


@kernel
def never(state, action):
    return False


@kernel
def leaking_outcomes(state, action, records, probabilities):
    count = sound_outcomes(state, action, records, probabilities)
    probabilities[0] = 0.1
    return count


@kernel
def double_outcomes(state, action, records, probabilities):
    count = sound_outcomes(state, action, records, probabilities)
    records[1] = records[0]
    return count


@kernel
def lucky_outcomes(state, action, records, probabilities):
    """Nobody ever throws a one."""
    count = sound_outcomes(state, action, records, probabilities)
    records[0] = records[count - 1]
    probabilities[0] = probabilities[count - 1]
    probabilities[: count - 1] /= probabilities[: count - 1].sum()
    return count - 1


@kernel
def loaded_outcomes(state, action, records, probabilities):
    count = sound_outcomes(state, action, records, probabilities)
    probabilities[0] += 0.1
    probabilities[1] -= 0.1
    return count


@kernel
def blind_eval_key(state):
    return np.uint64(0)


@kernel
def writing_outcomes(state, action, records, probabilities):
    state.pot = 0
    return sound_outcomes(state, action, records, probabilities)


SECRETIVE = make_pig("secretive", outcomes=None)
QUIET = make_pig("quiet", meets_chance=never)
CRAMPED = make_pig("cramped", max_outcomes=2)
LEAKING = make_pig("leaking", outcomes=leaking_outcomes)
DOUBLE = make_pig("double", outcomes=double_outcomes)
LUCKY = make_pig("lucky", outcomes=lucky_outcomes)
LOADED = make_pig("loaded", outcomes=loaded_outcomes)
WRITING_OUTCOMES = make_pig("writing_outcomes", outcomes=writing_outcomes)
BLIND = make("blind", eval_key=blind_eval_key)


# ------------------------------------------------------------------ symmetries keep the rules


@kernel
def other_pile(state, number):
    first = state.piles[0]
    state.piles[0] = state.piles[1]
    state.piles[1] = first


@kernel
def other_pile_action(state, action, number):
    return (action + number * MOST) % (2 * MOST)


@kernel
def same_action(state, action, number):
    return action


@kernel
def one_action(state, action, number):
    return 0


@kernel
def other_player(state, number):
    state.mover = 1 - state.mover


@kernel
def vain_symmetry(state, number):
    other_pile(state, number)
    state.mood = 1


def symmetric(name, symmetry, symmetry_action):
    return make(name, symmetries=2, symmetry=symmetry, symmetry_action=symmetry_action)


SYMMETRIC = symmetric("symmetric", other_pile, other_pile_action)  # sound
MISNAMED = symmetric("misnamed", other_pile, same_action)
UNTOLD = symmetric("untold", other_pile, one_action)
TURNED = symmetric("turned", other_player, same_action)
VAIN = symmetric("vain", vain_symmetry, other_pile_action)
UNCOUNTED = make("uncounted", symmetry=other_pile, symmetry_action=other_pile_action)

# ------------------------------------------------------------------ pictures

UNCLOSED = make("unclosed")
UNCLOSED.picture(lambda state: "<svg>")
HEADLESS = make("headless")
HEADLESS.picture(lambda state: "<p>no picture</p>")
