"""Regret matching+ for any game of several players with few actions each, played once and at the same time.

An iteration draws one action for every player from the current strategies. It then asks for the value of that profile and of
every profile in which one player alone does something else; from those, all players' regrets are updated. What the players did
on average, later iterations counting more, is the answer: between two whose interests are opposed it goes to the equilibrium.

    open_iteration    draw, and list the rows whose values are not known yet
    (the caller fills those rows)
    close_iteration   remember them, and update every player's regrets and average

Row 0 is the drawn profile; row 1 + player * width + action is the one in which that player does that instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.jit import kernel
from playmill.core.records import record_of
from playmill.core.seeds import mix_word
from playmill.search.noise import uniform01 as fraction

MAX_PLAYERS = 7
MAX_ACTIONS = 64
MAX_SLOT_BITS = 16
MAX_ROWS = 1 + MAX_PLAYERS * MAX_ACTIONS
ITERATIONS, NODES, HITS, PENDING = range(4)
NO_KEY = -1


# The state of a search. All [player, action] fields have room for more actions than a player has: `counts` says how many.
REGRETS = record_of(
    ("players", "i8"),
    ("width", "i8"),  # the most actions of a player
    ("slots", "i8"),  # a power of two
    ("counts", "i8", MAX_PLAYERS),
    ("priors", "f8", (MAX_PLAYERS, MAX_ACTIONS)),  # the strategy of whoever regrets nothing; each row sums to 1
    ("regrets", "f8", (MAX_PLAYERS, MAX_ACTIONS)),  # never below 0
    ("strategy", "f8", (MAX_PLAYERS, MAX_ACTIONS)),  # of this iteration
    ("sums", "f8", (MAX_PLAYERS, MAX_ACTIONS)),  # the strategies so far; iteration t counts t times
    ("worth", "f8", MAX_PLAYERS),  # the expected values so far, likewise
    ("profile", "i8", MAX_PLAYERS),  # what was drawn
    ("rows", "f8", (MAX_ROWS, MAX_PLAYERS)),  # values
    ("pending", "i8", MAX_ROWS),  # the rows that are to be filled
    ("tally", "i8", 4),  # ITERATIONS, NODES (rows filled), HITS (rows remembered), PENDING
    ("keys", "i8", 1 << MAX_SLOT_BITS),  # of the profiles that are remembered, by slot
    ("memo", "f8", (1 << MAX_SLOT_BITS, MAX_PLAYERS)),  # their values
)


def set_up_regrets(search: Any, players: int, width: int, slot_bits: int = 12) -> None:
    """Make a new REGRETS record one for a game; 2**slot_bits profiles are remembered."""
    if players > MAX_PLAYERS or width > MAX_ACTIONS:
        limits = f"at most {MAX_PLAYERS} players with {MAX_ACTIONS} actions each"
        raise UsageError(f"regret matching: expected {limits}, got {players} with up to {width}")
    search.players, search.width, search.slots = players, width, 1 << slot_bits
    search.keys[:] = NO_KEY


@kernel
def reset(search):
    """Forget everything but the counts and priors."""
    search.regrets[:] = 0.0
    search.sums[:] = 0.0
    search.worth[:] = 0.0
    search.tally[:] = 0
    search.keys[: search.slots] = NO_KEY


@kernel
def set_even_priors(search):
    """Make all priors uniform."""
    for player in range(search.players):
        for action in range(search.counts[player]):
            search.priors[player, action] = 1.0 / search.counts[player]


@kernel
def open_iteration(search, stream):
    """Draw a profile with words of the stream; fill the rows that are remembered, list the others in `pending`."""
    word = mix_word(stream, np.uint64(search.tally[ITERATIONS]))
    for player in range(search.players):
        match_regrets(search, player)
        search.profile[player] = draw(search, player, mix_word(word, np.uint64(player)))
    search.tally[PENDING] = 0
    ask(search, 0)
    for player in range(search.players):
        for action in range(search.counts[player]):
            if action != search.profile[player]:
                ask(search, row_of(search, player, action))


@kernel
def match_regrets(search, player):
    """Set a player's strategy in proportion to its regrets; without any, to its prior."""
    count, total = search.counts[player], 0.0
    for action in range(count):
        total += search.regrets[player, action]
    for action in range(count):
        regret, prior = search.regrets[player, action], search.priors[player, action]
        search.strategy[player, action] = regret / total if total > 0 else prior


@kernel
def draw(search, player, word):
    """An action by the player's strategy."""
    left = fraction(word)
    for action in range(search.counts[player]):
        left -= search.strategy[player, action]
        if left < 0:
            return action
    return search.counts[player] - 1


@kernel
def row_of(search, player, action):
    """The row of the profile in which one player alone deviates, to that action; row 0 is the profile itself."""
    return 1 + player * search.width + action


@kernel
def action_in(search, row, player):
    """The action of a player in the profile of a row."""
    if row > 0 and (row - 1) // search.width == player:
        return (row - 1) % search.width
    return search.profile[player]


@kernel
def key_of(search, row):
    """The profile of a row as one number."""
    key = 0
    for player in range(search.players):
        key = key * search.width + action_in(search, row, player)
    return key


@kernel
def slot_of(search, key):
    mask = np.uint64(search.slots - 1)
    return np.int64(mix_word(np.uint64(key), np.uint64(0)) & mask)


@kernel
def ask(search, row):
    """Fill a row with remembered payoffs of its profile, or put it on the list of those to be evaluated."""
    key = key_of(search, row)
    slot = slot_of(search, key)
    if search.keys[slot] == key:
        for player in range(search.players):
            search.rows[row, player] = search.memo[slot, player]
        search.tally[HITS] += 1
    else:
        search.pending[search.tally[PENDING]] = row
        search.tally[PENDING] += 1


@kernel
def close_iteration(search):
    """Remember the rows that were filled, and update everybody."""
    for i in range(search.tally[PENDING]):
        row = search.pending[i]
        key = key_of(search, row)
        slot = slot_of(search, key)
        search.keys[slot] = key
        for player in range(search.players):
            search.memo[slot, player] = search.rows[row, player]
    search.tally[NODES] += search.tally[PENDING]
    search.tally[ITERATIONS] += 1
    for player in range(search.players):
        update(search, player)


@kernel
def update(search, player):
    """Add what each action would have gained over the strategy, and the strategy to its sum."""
    expected = 0.0
    for action in range(search.counts[player]):
        expected += search.strategy[player, action] * value_in(search, player, action)
    weight = search.tally[ITERATIONS]
    search.worth[player] += weight * expected
    for action in range(search.counts[player]):
        gain = value_in(search, player, action) - expected
        search.regrets[player, action] = max(0.0, search.regrets[player, action] + gain)
        search.sums[player, action] += weight * search.strategy[player, action]


@kernel
def value_in(search, player, action):
    """The player's payoff if it alone deviates to an action."""
    row = 0 if action == search.profile[player] else row_of(search, player, action)
    return search.rows[row, player]


def average(search: Any) -> np.ndarray:
    """The average strategies so far, float64 [player, action]; the priors before the first iteration."""
    out = np.zeros((search.players, search.width))
    for player, count in enumerate(search.counts[: search.players]):
        total = search.sums[player, :count].sum()
        out[player, :count] = search.sums[player, :count] / total if total > 0 else search.priors[player, :count]
    return out


def mean_values(search: Any) -> np.ndarray:
    """What the players expected to get, on the same average, float64 [player]."""
    n = int(search.tally[ITERATIONS])
    mean: np.ndarray = search.worth[: search.players] / max(n * (n + 1) / 2, 1)
    return mean
