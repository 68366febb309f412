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

from typing import NamedTuple

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.search.noise import unit as fraction

ITERATIONS, NODES, HITS, PENDING = range(4)
NO_KEY = -1


class Regrets(NamedTuple):
    """The state of a search. All [player, action] arrays have room for `width` actions; `counts` says how many there are."""

    counts: np.ndarray  # [player]
    priors: np.ndarray  # [player, action], the strategy of whoever regrets nothing; each row sums to 1
    regrets: np.ndarray  # [player, action], never below 0
    strategy: np.ndarray  # [player, action], of this iteration
    sums: np.ndarray  # [player, action], the strategies so far; iteration t counts t times
    worth: np.ndarray  # [player], the expected values so far, likewise
    profile: np.ndarray  # [player], what was drawn
    rows: np.ndarray  # [row, player], values
    pending: np.ndarray  # the rows that are to be filled
    tally: np.ndarray  # ITERATIONS, NODES (rows filled), HITS (rows remembered), PENDING
    keys: np.ndarray  # of the profiles that are remembered, by slot
    memo: np.ndarray  # [slot, player], their values


def new_regrets(players: int, width: int, slot_bits: int = 12) -> Regrets:
    """Memory for a game; 2**slot_bits profiles are remembered."""
    rows = 1 + players * width
    return Regrets(
        counts=np.zeros(players, np.int64),
        priors=np.zeros((players, width)),
        regrets=np.zeros((players, width)),
        strategy=np.zeros((players, width)),
        sums=np.zeros((players, width)),
        worth=np.zeros(players),
        profile=np.zeros(players, np.int64),
        rows=np.zeros((rows, players)),
        pending=np.zeros(rows, np.int64),
        tally=np.zeros(4, np.int64),
        keys=np.full(1 << slot_bits, NO_KEY, np.int64),
        memo=np.zeros((1 << slot_bits, players)),
    )


@kernel
def reset(search):
    """Forget everything but the counts and priors."""
    search.regrets[:] = 0.0
    search.sums[:] = 0.0
    search.worth[:] = 0.0
    search.tally[:] = 0
    search.keys[:] = NO_KEY


@kernel
def set_even_priors(search):
    """Prefer nothing."""
    for player in range(search.counts.size):
        search.priors[player, : search.counts[player]] = 1.0 / max(search.counts[player], 1)


@kernel
def open_iteration(search, stream):
    """Draw a profile with words of the stream; fill the rows that are remembered, list the others in `pending`."""
    players, width = search.strategy.shape
    word = mix_word(stream, np.uint64(search.tally[ITERATIONS]))
    for player in range(players):
        match_regrets(search, player)
        search.profile[player] = draw(search, player, mix_word(word, np.uint64(player)))
    search.tally[PENDING] = 0
    ask(search, 0)
    for player in range(players):
        for action in range(search.counts[player]):
            if action != search.profile[player]:
                ask(search, 1 + player * width + action)


@kernel
def match_regrets(search, player):
    """Set a player's strategy in proportion to its regrets; without any, to its prior."""
    strategy, count = search.strategy[player], search.counts[player]
    total = search.regrets[player, :count].sum()
    for action in range(count):
        strategy[action] = search.regrets[player, action] / total if total > 0 else search.priors[player, action]


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
def action_in(search, row, player):
    """What a player does in the profile of a row."""
    width = search.strategy.shape[1]
    if row > 0 and (row - 1) // width == player:
        return (row - 1) % width
    return search.profile[player]


@kernel
def key_of(search, row):
    """The profile of a row as one number."""
    players, width = search.strategy.shape
    key = 0
    for player in range(players):
        key = key * width + action_in(search, row, player)
    return key


@kernel
def slot_of(search, key):
    mask = np.uint64(search.keys.size - 1)
    return np.int64(mix_word(np.uint64(key), np.uint64(0)) & mask)


@kernel
def ask(search, row):
    """Fill a row from memory, or put it on the list."""
    key = key_of(search, row)
    slot = slot_of(search, key)
    if search.keys[slot] == key:
        search.rows[row] = search.memo[slot]
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
        search.memo[slot] = search.rows[row]
    search.tally[NODES] += search.tally[PENDING]
    search.tally[ITERATIONS] += 1
    for player in range(search.counts.size):
        update(search, player)


@kernel
def update(search, player):
    """Add what each action would have gained over the strategy, and the strategy to its sum."""
    width = search.strategy.shape[1]
    expected = 0.0
    for action in range(search.counts[player]):
        expected += search.strategy[player, action] * value_in(search, player, action, width)
    weight = search.tally[ITERATIONS]
    search.worth[player] += weight * expected
    for action in range(search.counts[player]):
        gain = value_in(search, player, action, width) - expected
        search.regrets[player, action] = max(0.0, search.regrets[player, action] + gain)
        search.sums[player, action] += weight * search.strategy[player, action]


@kernel
def value_in(search, player, action, width):
    """What the player gets if it alone changes to an action."""
    row = 0 if action == search.profile[player] else 1 + player * width + action
    return search.rows[row, player]


def average(search: Regrets) -> np.ndarray:
    """The average strategies so far, float64 [player, action]; the priors before the first iteration."""
    out = np.zeros_like(search.sums)
    for player, count in enumerate(search.counts):
        total = search.sums[player, :count].sum()
        out[player, :count] = search.sums[player, :count] / total if total > 0 else search.priors[player, :count]
    return out


def mean_values(search: Regrets) -> np.ndarray:
    """What the players expected to get, on the same average, float64 [player]."""
    n = int(search.tally[ITERATIONS])
    return search.worth / max(n * (n + 1) / 2, 1)
