"""Random games of connect four in Pgx: compiled by JAX, 4096 side by side, on one core of the CPU.

`until_over` plays a batch until its last game is over; `auto_reset` starts a new game wherever one ends, so no lane idles.
"""

# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

# Before JAX is imported, since its threads inherit where this one may run.
os.environ["JAX_PLATFORMS"] = "cpu"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset as resetting

BATCH = 4096  # more is no faster on one core, 256 is a tenth slower
STEPS = 128  # of auto_reset, in one call

Call = Callable[[], int]


def pick(key: Any, state: Any) -> Any:
    """A random legal action for each game."""
    return jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)


def until_over() -> Call:
    """A function that plays one batch of games to the end and returns how many that were."""
    env = pgx.make("connect_four")
    init, step = jax.vmap(env.init), jax.vmap(env.step)

    def advance(carry: Any) -> Any:
        state, key = carry
        key, choice = jax.random.split(key)
        return step(state, pick(choice, state)), key

    @jax.jit
    def play(key: Any) -> Any:
        start = init(jax.random.split(key, BATCH)), key
        state, key = jax.lax.while_loop(lambda carry: ~carry[0].terminated.all(), advance, start)
        return state.terminated.sum(), key

    return carried(play, jax.random.PRNGKey(0))


def auto_reset() -> Call:
    """A function that takes all lanes STEPS steps further and returns how many games ended."""
    env = pgx.make("connect_four")
    step = jax.vmap(resetting(env.step, env.init))

    def advance(carry: Any, _: None) -> Any:
        state, key = carry
        key, choice, fresh = jax.random.split(key, 3)
        state = step(state, pick(choice, state), jax.random.split(fresh, BATCH))
        return (state, key), state.terminated.sum()

    @jax.jit
    def play(carry: Any) -> Any:
        (state, key), ended = jax.lax.scan(advance, carry, None, length=STEPS)
        # Nobody looks at the observations; if they don't leave this function, XLA computes none: a fifth faster.
        return ended.sum(), (state.replace(observation=carry[0].observation), key)

    key = jax.random.PRNGKey(0)
    return carried(play, (jax.vmap(env.init)(jax.random.split(key, BATCH)), key))


def carried(play: Callable[[Any], tuple[Any, Any]], carry: Any) -> Call:
    """`play` with its state kept from call to call."""

    def call() -> int:
        nonlocal carry
        count, carry = play(carry)
        return int(count)  # waits for the result

    return call


def play(call: Call, seconds: float) -> dict[str, object]:
    """Play for `seconds` or a little longer; return what happened."""
    games, began = 0, time.perf_counter()
    while True:
        games += call()
        elapsed = time.perf_counter() - began
        if elapsed >= seconds:
            return {"count": games, "seconds": elapsed}


def main(mode: str) -> None:
    call = {"until_over": until_over, "auto_reset": auto_reset}[mode]()
    about = {"game": "connect_four", "batch": BATCH, "version": version("pgx")}
    for request in sys.stdin:
        seconds = float(request.removeprefix("run "))
        print(json.dumps({**play(call, seconds), **about}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
