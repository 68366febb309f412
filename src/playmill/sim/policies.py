"""Policies: any callable that takes a state and returns candidate actions, best first.

A candidate may be illegal: it is counted as rejected and the next one is tried. A policy must be pure; if it wants
randomness, it takes it from the state (`state.seed`, `state.ply`), never from a generator of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from playmill.core.errors import UsageError, unknown_name
from playmill.core.seeds import CHOICES, below, mix
from playmill.games.registry import load_address
from playmill.games.state import State
from playmill.sim.kernels import FIRST_LEGAL, UNIFORM_RANDOM

Policy = Callable[[State], Iterable[int]]


@dataclass(frozen=True)
class BuiltinPolicy:
    """A policy with a name and a compiled twin: `rule` is its number in `sim/kernels.py`."""

    name: str
    rule: int
    offer: Policy

    def __call__(self, state: State) -> Iterable[int]:
        return self.offer(state)

    def __reduce__(self) -> tuple[Callable[[str], Policy], tuple[str]]:
        return get_policy, (self.name,)


def shuffled(actions: Iterable[int], state: State) -> list[int]:
    """The actions in an order drawn from the state's own randomness: its seed and ply.

    Fisher-Yates from the front, so the first choice needs only the first word; that is all a compiled playout draws.
    """
    order = list(actions)
    stream = mix(mix(state.seed, CHOICES), state.ply)
    for i in range(len(order) - 1):
        word = stream if i == 0 else mix(stream, i)
        j = i + below(word, len(order) - i)
        order[i], order[j] = order[j], order[i]
    return order


def composite(*policies: Policy) -> Policy:
    """The offer of the first policy that offers anything."""
    if not policies:
        raise UsageError("composite: expected at least one policy, got none")

    def offer(state: State) -> list[int]:
        for policy in policies:
            candidates = list(policy(state))
            if candidates:
                return candidates
        return []

    return offer


def randomized(policy: Policy) -> Policy:
    """The same candidates, in an order shuffled from the state's own randomness."""
    if policy is all_legal:
        return uniform_random
    return lambda state: shuffled(policy(state), state)


first_legal = BuiltinPolicy("first_legal", FIRST_LEGAL, lambda state: state.legal_actions[:1])
all_legal = BuiltinPolicy("all_legal", FIRST_LEGAL, lambda state: state.legal_actions)
uniform_random = BuiltinPolicy("uniform_random", UNIFORM_RANDOM, lambda state: shuffled(state.legal_actions, state))

_BUILTIN = {policy.name: policy for policy in (first_legal, all_legal, uniform_random)}


def policy_names() -> tuple[str, ...]:
    """The names that `get_policy` knows."""
    return tuple(_BUILTIN)


def get_policy(name: str) -> Policy:
    """A policy by its name, or a user's own as `module:function`."""
    if ":" in name:
        return _imported(name)
    if name not in _BUILTIN:
        raise unknown_name("policy", name, _BUILTIN)
    return _BUILTIN[name]


def _imported(name: str) -> Policy:
    policy = load_address("policy", name)
    if not callable(policy):
        raise UsageError(f"policy '{name}': expected a function of a state, got {policy!r}")
    return policy  # type: ignore[no-any-return]
