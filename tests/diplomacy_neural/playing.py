"""Small networks, positions and recorded games for the tests."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import torch

from playmill.core.seeds import mix
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.playout import Table as Dice
from playmill.games.diplomacy.playout import random_orders
from playmill.games.diplomacy.state import STATE, start_states
from playmill.games.diplomacy.work import RULES_3
from playmill.packs.diplomacy.neural.checkpoint import make_checkpoint
from playmill.packs.diplomacy.neural.evaluator import open_evaluator
from playmill.packs.diplomacy.neural.model import build_net
from playmill.packs.diplomacy.neural.spec import DiplomacySpec
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.selfplay.game import GameTable, SelfPlayGame
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings

SPEC = DiplomacySpec(channels=16, blocks=2, hidden=16)


@functools.cache
def positions(games: int = 6, phases: int = 24, seed: int = 3) -> np.ndarray:
    """All positions of some random games, all kinds of phases among them."""
    found = np.zeros(games * phases, STATE)
    lists, legal, starts, places, chosen, results = Dice().arrays()
    for game in range(games):
        states = start_states(1)
        for phase in range(phases):
            found[game * phases + phase] = states[0]
            word = np.uint64(mix(mix(seed, game), phase))
            count = random_orders(states[0], word, RULES_3, lists, legal, starts, places, chosen)
            advance(states[0], chosen, count, RULES_3, lists.work, results)
    return found


@functools.cache
def recorded(games: int, seed: int = 0, max_year: int = 1905, temperature: float = 0.3) -> tuple:
    """Games of the heuristic player, with some random orders for variety."""
    settings = DiplomacyGameSettings(seed=seed, player="heuristic", max_year=max_year, temperature=temperature)
    player, table = make_player("heuristic"), GameTable(settings)
    found = []
    for number in range(games):
        game = SelfPlayGame(number, settings, table)
        while not game.is_over:
            game.step(player)
        found.append(game.record())
    return tuple(found)


def write_games(path: Path, games: int, **options) -> Path:
    path.write_bytes(b"".join(record.line() for record in recorded(games, **options)))
    return path


def lively_net(spec: DiplomacySpec, seed: int):
    """A network that uses all its layers, as a trained one does: in a new one the blocks are still the identity."""
    net = build_net(spec, seed)
    generator = torch.Generator().manual_seed(seed + 1)
    for name, tensor in net.named_parameters():
        if ".second." in name or name.endswith("bias"):
            tensor.data.normal_(0, 0.5 / tensor[0].numel() ** 0.5, generator=generator)
        elif name.split(".")[0] in ("pairs", "kinds", "share"):
            tensor.data.mul_(3)
    return net


def new_checkpoint(seed: int = 1, spec: DiplomacySpec = SPEC):
    return make_checkpoint(spec, lively_net(spec, seed))


def new_evaluator(seed: int = 1, backend: str = "auto"):
    return open_evaluator(new_checkpoint(seed), backend)
