"""The kernels of one-ply expectations: the children of positions are listed, judged, and added up by action.

A child is a state that chance may make of an action. Children are listed in chunks, as many as their memory has room for, and
always added up in the order of positions, actions and outcomes: sums have the same bits however the list is cut.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.core.jit import inlined_kernel, kernel
from playmill.games.game import Game
from playmill.games.kernels import distinct, encode, outcome, outcomes, to_move
from playmill.search.softmax import softmax

POSITION, CHOICE, OUTCOME = range(3)  # what a cursor counts


class Children(NamedTuple):
    """One chunk of children; a NamedTuple, since Numba takes it as one argument."""

    records: Any  # the game's records [n]
    position: Any  # int32 [n]: whose child it is
    choice: Any  # int32 [n]: by which of the position's actions
    chance: Any  # float64 [n]: how likely it is, given the action
    utilities: Any  # float64 [n, players]: what it is worth to each, by seat; as it ended, where it is the end
    is_over: Any  # bool [n]
    mover: Any  # int8 [n]
    followers: Any  # scratch: the game's records [max_outcomes]
    odds: Any  # scratch: float64 [max_outcomes]


def make_children(game: Game, room: int) -> Children:
    """Memory for so many children at a time."""
    return Children(
        records=game.records(room),
        position=np.zeros(room, np.int32),
        choice=np.zeros(room, np.int32),
        chance=np.zeros(room),
        utilities=np.zeros((room, game.players)),
        is_over=np.zeros(room, np.bool_),
        mover=np.zeros(room, np.int8),
        followers=game.records(game.max_outcomes),
        odds=np.zeros(game.max_outcomes),
    )


@kernel
def list_children(game, records, cursor, count, actions, children):
    """List children of unfinished states from where the cursor stands (int64 [3], zeros at first); return how many.

    0: all were listed. Fills count[i] and actions[i] of each state that it comes to: its actions that differ in effect.
    """
    found = 0
    while cursor[POSITION] < records.size:
        i = cursor[POSITION]
        if cursor[CHOICE] == 0 and cursor[OUTCOME] == 0:
            count[i] = distinct(game, records[i], actions[i])
        number = outcomes(game, records[i], actions[i, cursor[CHOICE]], children.followers, children.odds)
        while cursor[OUTCOME] < number:
            if found == children.chance.size:
                return found
            put_child(game, cursor, children, found)
            found += 1
            cursor[OUTCOME] += 1
        cursor[OUTCOME] = 0
        cursor[CHOICE] += 1
        if cursor[CHOICE] == count[i]:
            cursor[CHOICE] = 0
            cursor[POSITION] += 1
    return found


@inlined_kernel
def put_child(game, cursor, children, place):
    """Copy the follower at the cursor to `place`. Its utilities are known now if it is the end; else the network gives them."""
    children.records[place] = children.followers[cursor[OUTCOME]]
    children.position[place] = cursor[POSITION]
    children.choice[place] = cursor[CHOICE]
    children.chance[place] = children.odds[cursor[OUTCOME]]
    children.is_over[place] = outcome(game, children.records[place], children.utilities[place])
    children.mover[place] = to_move(game, children.records[place])


@kernel
def encode_children(game, children, found, features, asked):
    """Fill a row of features for each child that is not the end, and asked[row] with its place; return how many rows."""
    rows = 0
    for place in range(found):
        if not children.is_over[place]:
            features[rows, :] = 0
            encode(game, children.records[place], features[rows])
            asked[rows] = place
            rows += 1
    return rows


@kernel
def take_answers(asked, rows, mover, values, worth, utilities):
    """Fill utilities[asked[row]], by seat, from the network's answers, which count players from mover[asked[row]]."""
    players = utilities.shape[1]
    for row in range(rows):
        place = asked[row]
        for ahead in range(players):
            utility = 0.0
            for column in range(worth.shape[1]):
                utility += worth[ahead, column] * values[row, column]
            utilities[place, (mover[place] + ahead) % players] = utility


@kernel
def add_up(children, found, sums):
    """Add each child's utilities, weighted by its chance, to sums[position, choice], float64 by player."""
    for place in range(found):
        for player in range(sums.shape[2]):
            worth = children.chance[place] * children.utilities[place, player]
            sums[children.position[place], children.choice[place], player] += worth


@kernel
def best_choice(sums, count, mover):
    """The choice with the highest utility for the mover, the first of equals; -1 if one of them is not finite."""
    best = 0
    for j in range(count):
        if not np.isfinite(sums[j, mover]):
            return -1
        if sums[j, mover] > sums[best, mover]:
            best = j
    return best


@kernel
def decide(sums, temperature, weights, count, actions, policy, priors, values, visits, value, mover):
    """Fill one row a position: the actions' values, their softmax as the policy, and the best value as the position's.

    Where an answer is not finite the policy is uniform and no value is filled; return how often. `weights`: float64 scratch.
    """
    fallbacks = 0
    for i in range(count.size):
        n, own = count[i], mover[i]
        best = best_choice(sums[i], n, own)
        if best < 0:
            fallbacks += 1
            policy[i, :n] = 1 / n
            continue
        for j in range(n):
            values[i, j] = sums[i, j, own]
            weights[j] = sums[i, j, own] / temperature
        softmax(weights, n)
        for j in range(n):
            policy[i, j] = weights[j]
        for player in range(value.shape[1]):
            value[i, player] = sums[i, best, player]
    return fallbacks
