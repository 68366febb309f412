"""Tree search by mctx (`gumbel_muzero_policy`) over a game of Pgx, compiled by JAX, with a network that has no opinion.

    python mctx_search.py GAME CORES     CORES: 1, or "all" that this process may use

After each search every game goes on by the action that was chosen, and a new one begins where one ends. What is measured is
mctx at its best: `muzero_policy` is slower, and observations, which nobody looks at here, are kept out of the tree.
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
if sys.argv[2] == "1" and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp
import mctx
import pgx
from pgx.experimental import auto_reset

BATCH = 64
SIMULATIONS = 100

Call = Callable[[], int]


def searches(name: str) -> Call:
    """A function that searches all games once, plays what was chosen, and returns how many simulations that took."""
    env = pgx.make(name)
    play = jax.vmap(env.step)
    play_on = jax.vmap(auto_reset(env.step, env.init))

    def keys(key: Any) -> Any:
        return jax.random.split(key, BATCH)

    def unseen(state: Any) -> Any:
        return state.replace(observation=jnp.zeros((BATCH, 0)))

    def imagine(_params: Any, key: Any, action: Any, before: Any) -> Any:
        """What mctx calls the model: here the rules themselves, and zeros instead of a network."""
        state = play(before, action, keys(key))
        lanes = jnp.arange(BATCH)
        mover_stays = state.current_player == before.current_player
        discount = jnp.where(state.terminated, 0.0, jnp.where(mover_stays, 1.0, -1.0))
        reward = state.rewards[lanes, before.current_player]
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=jnp.zeros(BATCH))
        return output, unseen(state)

    @jax.jit
    def search(carry: Any) -> Any:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        logits = jnp.zeros(state.legal_action_mask.shape)
        root = mctx.RootFnOutput(prior_logits=logits, value=jnp.zeros(BATCH), embedding=unseen(state))
        found = mctx.gumbel_muzero_policy(
            None, choice, root, imagine, num_simulations=SIMULATIONS, invalid_actions=~state.legal_action_mask
        )
        return play_on(state, found.action, keys(chance)), key

    key = jax.random.PRNGKey(0)
    carry = jax.vmap(env.init)(keys(key)), key

    def call() -> int:
        nonlocal carry
        carry = jax.block_until_ready(search(carry))
        return BATCH * SIMULATIONS

    return call


def run(call: Call, seconds: float) -> dict[str, object]:
    """Search for `seconds` or a little longer; return what happened, and how many cores it really used."""
    count, began, cpu = 0, time.perf_counter(), time.process_time()
    while True:
        count += call()
        elapsed = time.perf_counter() - began
        if elapsed >= seconds:
            return {"count": count, "seconds": elapsed, "cores_used": round((time.process_time() - cpu) / elapsed, 2)}


def main(name: str) -> None:
    call = searches(name)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    about = {"game": name, "batch": BATCH, "simulations": SIMULATIONS, "cores": cores, "version": version("mctx")}
    for request in sys.stdin:
        seconds = float(request.removeprefix("run "))
        print(json.dumps({**run(call, seconds), **about}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
