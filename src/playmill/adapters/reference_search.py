"""PUCT in plain Python for whatever can be played through a `PlainPosition`: games of other frameworks have no kernels.

The same rule as the kernels' with one leaf at a time: on our own games without chance it visits exactly what they visit. It is
some hundred times slower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.seeds import mix


class PlainPosition(Protocol):
    """A moment of a game, as a value. Utilities are -1 to 1, one for each player."""

    @property
    def is_over(self) -> bool: ...

    @property
    def to_move(self) -> int: ...

    @property
    def legal_actions(self) -> Sequence[int]: ...

    @property
    def returns(self) -> Sequence[float]: ...

    def chance_outcomes(self, action: int) -> Sequence[tuple[float, Self]]:
        """All positions that an action may lead to, with their probabilities."""


Evaluate = Callable[
    [PlainPosition], tuple[Sequence[float], Sequence[float]]
]  # priors of the legal actions; a utility each player


@dataclass
class _Node:
    position: PlainPosition
    values: Sequence[float]  # a utility for each player
    edges: list[_Edge] = field(default_factory=list)


@dataclass
class _Edge:
    action: int
    prior: float
    visits: int = 0
    total: float = 0.0  # to whoever moves at its node
    outcomes: Sequence[tuple[float, PlainPosition]] | None = None
    children: dict[int, _Node] = field(default_factory=dict)


@dataclass(frozen=True)
class PlainResult:
    """What was found: by action, as many visits and what it is worth to the mover."""

    best: int
    value: float
    visits: dict[int, int]
    values: dict[int, float]
    priors: dict[int, float]


def search_position(
    position: PlainPosition, simulations: int, evaluate: Evaluate | None = None, c_puct: float = 1.5, seed: int = 0
) -> PlainResult:
    """Search so many simulations; without an evaluator every action is as likely and every position even."""
    if position.is_over:
        raise UsageError("there is nothing to search: the game is over")
    search = _Search(evaluate or even, c_puct, seed)
    root = search.open(position)
    for _ in range(simulations):
        search.simulate(root)
    visits = {edge.action: edge.visits for edge in root.edges}
    values = {edge.action: edge.total / edge.visits for edge in root.edges if edge.visits}
    best = max(root.edges, key=lambda edge: (edge.visits, values.get(edge.action, -math.inf), -edge.action))
    mean = sum(edge.total for edge in root.edges) / max(sum(visits.values()), 1)
    return PlainResult(best.action, mean, visits, values, {edge.action: edge.prior for edge in root.edges})


def even(position: PlainPosition) -> tuple[Sequence[float], Sequence[float]]:
    """Knows nothing."""
    count = len(position.legal_actions)
    return [float(np.float32(1 / count))] * count, ()


class _Search:
    def __init__(self, evaluate: Evaluate, c_puct: float, seed: int) -> None:
        self.evaluate, self.c_puct, self.seed, self.event = evaluate, c_puct, seed, 0

    def open(self, position: PlainPosition) -> _Node:
        """A node with its evaluation, or with the result where the game is over."""
        if position.is_over:
            return _Node(position, position.returns)
        priors, values = self.evaluate(position)
        edges = [_Edge(action, prior) for action, prior in zip(position.legal_actions, priors, strict=True)]
        return _Node(position, values, edges)

    def simulate(self, root: _Node) -> None:
        """One descent to a new leaf or an end, and the backup of its values."""
        node, path = root, list[tuple[_Node, _Edge]]()
        while node.edges:
            edge = self.select(node)
            path.append((node, edge))
            number = self.draw(node, edge)
            if number in edge.children:
                node = edge.children[number]
                continue
            assert edge.outcomes is not None
            node = edge.children[number] = self.open(edge.outcomes[number][1])
            break
        for above, edge in path:
            edge.visits += 1
            edge.total += self.value(node, above.position.to_move)

    def value(self, node: _Node, player: int) -> float:
        return float(node.values[player]) if node.values else 0.0

    def select(self, node: _Node) -> _Edge:
        """The highest PUCT score; a tie goes to the lowest action, an edge without a visit has its node's value."""
        root = self.c_puct * math.sqrt(1 + sum(edge.visits for edge in node.edges))
        own = self.value(node, node.position.to_move)
        scores = [
            (edge.total / edge.visits if edge.visits else own) + edge.prior * root / (1 + edge.visits) for edge in node.edges
        ]
        return node.edges[max(range(len(scores)), key=lambda place: (scores[place], -place))]

    def draw(self, node: _Node, edge: _Edge) -> int:
        """Which outcome the edge leads to this time."""
        if edge.outcomes is None:
            edge.outcomes = node.position.chance_outcomes(edge.action)
        if len(edge.outcomes) == 1:
            return 0
        self.event += 1
        word = mix(self.seed, self.event) / 2**64
        for number, (probability, _) in enumerate(edge.outcomes):
            word -= probability
            if word < 0:
                return number
        return len(edge.outcomes) - 1
