"""How well a network tells the orders and outcomes of games that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from playmill.packs.diplomacy.neural.batches import BatchMaker
from playmill.packs.diplomacy.neural.game_reader import GameReader
from playmill.packs.diplomacy.neural.losses import divergence, judge_choices
from playmill.packs.diplomacy.neural.model import DiplomacyNet
from playmill.packs.diplomacy.neural.samples import PhaseSamples

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


def validate(net: DiplomacyNet, reader: GameReader) -> Validation:
    """Let the network judge the games; it is put back to where it was."""
    net.eval()
    maker = BatchMaker(bootstrap=0.0)
    sums = torch.zeros(6, dtype=torch.float64)
    with torch.inference_mode():
        for samples in _in_rows(reader):
            batch = maker.make(samples)
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
    n, per = len(reader), max(units, 1)
    return Validation(len(reader.places), n, int(units), hits / per, blind / per, policy / per, value / n, level / n)


def _in_rows(reader: GameReader) -> Iterator[PhaseSamples]:
    """All samples, ROWS of a game at a time at most."""
    for game in reader.games():
        for begin in range(0, len(game), ROWS):
            yield game[begin : begin + ROWS]
