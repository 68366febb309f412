"""How well a network tells the orders and outcomes of games that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from playmill.diplomacy.neural.batches import BatchMaker
from playmill.diplomacy.neural.losses import divergence, judge_choices
from playmill.diplomacy.neural.model import DiplomacyNet
from playmill.diplomacy.neural.samples import Samples

ROWS = 64


@dataclass(frozen=True)
class Validation:
    """Means over units, of those that had a choice, and over positions."""

    games: int
    positions: int
    units: int
    accuracy: float  # how often the likeliest order is the one that was given
    chance: float  # how often a blind guess among the legal orders would be
    policy_loss: float
    value_loss: float  # divergence from the game's outcome
    even_value_loss: float  # the same of seven equal values


def validate(net: DiplomacyNet, samples: Samples) -> Validation:
    """Let the network judge samples; it is put back to where it was."""
    net.eval()
    maker = BatchMaker(samples, bootstrap=0.0)
    sums = torch.zeros(6, dtype=torch.float64)
    with torch.inference_mode():
        for begin in range(0, len(samples), ROWS):
            batch = maker.make(np.arange(begin, min(begin + ROWS, len(samples))))
            scores, values = net(batch.features)
            choices = judge_choices(scores, batch)
            sizes = torch.bincount(batch.group, minlength=len(batch.chosen))
            even = torch.full_like(values, 1 / values.shape[1])
            found = (
                torch.tensor(len(batch.chosen)),
                choices.hits.sum(),
                (1 / sizes).sum(),
                -choices.log_probs.sum(),
                divergence(values, batch.targets).sum(),
                divergence(even, batch.targets).sum(),
            )
            sums += torch.stack([number.double() for number in found])
    units, hits, blind, policy, value, level = sums.tolist()
    n, per = len(samples), max(units, 1)
    return Validation(samples.games, n, int(units), hits / per, blind / per, policy / per, value / n, level / n)
