"""Networks and positions that the tests of this folder share."""

from __future__ import annotations

import functools

import numpy as np
import torch

from playmill.core.seeds import CHOICES, below, mix
from playmill.games.registry import get_game
from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
from playmill.nets.int8 import export_int8
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec
from playmill.packs.registry import find_pack

find_pack("yatzy")  # brings the kind seats
FULL_MLP = NetSpec(kind="mlp", margin=True, togo=True)
SHAPES = {
    "yatzy-256x2": ("yatzy", FULL_MLP),
    "yatzy-small": ("yatzy", NetSpec(kind="mlp", hidden=48, blocks=1, margin=True)),
    "yatzy-seats": ("yatzy", NetSpec(kind="seats", hidden=48, blocks=1, margin=True, togo=True, seats={"tower": 64})),
    "yatzy-hand": ("yatzy", NetSpec(kind="seats", hidden=48, blocks=1, togo=True, seats={"tower": 64, "hand": True})),
    "connect_four-conv": ("connect_four", NetSpec(kind="conv", channels=32, hidden=64)),
    "tictactoe-conv": ("tictactoe", NetSpec(kind="conv", channels=24, blocks=1, hidden=16, margin=True)),
    "connect_four-wdl": ("connect_four", NetSpec(kind="conv", channels=16, hidden=32, blocks=1, value="wdl")),
    "yatzy-wdl": (
        "yatzy",
        NetSpec(kind="seats", hidden=48, blocks=1, value="wdl", margin=True, togo=True, seats={"tower": 64}),
    ),
    "tictactoe-planes": ("tictactoe", NetSpec(kind="conv", channels=24, blocks=1, hidden=16, policy="planes")),
    "exchange-planes": ("exchange", NetSpec(kind="conv", channels=32, hidden=64, value="utilities", policy="planes")),
    "tictactoe-mlp": ("tictactoe", NetSpec(kind="mlp", hidden=32, blocks=3)),
}


def lively_net(game, spec, seed=0):
    """A network that uses all its layers, as a trained one does: in a new one the blocks are still the identity."""
    net = build_net(game, spec, seed)
    generator = torch.Generator().manual_seed(seed + 1)
    for name, tensor in net.named_parameters():
        if ".second." in name or name.endswith("bias"):
            tensor.data.normal_(0, 0.5 / tensor[0].numel() ** 0.5, generator=generator)
        elif name in net.timid:
            tensor.data.mul_(3)
    return net


@functools.cache
def positions(name, count, seed=0):
    """Features of `count` positions from random games, float32 [count, F]."""
    game, rows, episode = get_game(name), [], 0
    while len(rows) < count:
        state = game.new(mix(seed, episode))
        while not state.is_over:
            rows.append(state.features().ravel())
            word = mix(mix(state.seed, CHOICES), state.ply)
            state = state.apply(state.legal_actions[below(word, len(state.legal_actions))])
        episode += 1
    return np.stack(rows[:count])


def saved(folder, shape, with_int8=True):
    """The path of a lively network's checkpoint, with its int8 model beside it."""
    name, spec = SHAPES[shape]
    path = folder / f"{shape}.pt"
    save_checkpoint(path, make_checkpoint(get_game(name), spec, lively_net(get_game(name), spec)))
    if with_int8:
        export_int8(path, positions(name, 512, seed=1))
    return path


def answers(evaluator, features):
    """Fresh (logits, values) for the features."""
    logits = np.full((len(features), evaluator.logits), np.nan, np.float32)
    values = np.full((len(features), evaluator.columns), np.nan, np.float32)
    evaluator.evaluate(features, logits, values)
    return logits, values
