"""The network kind `seats`: an MLP, and beside it a tower that sees one seat's board alone."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from playmill.core.errors import UsageError
from playmill.games.heads import TOGO_OPP, TOGO_OWN
from playmill.games.yatzy import rules
from playmill.games.yatzy.hands import CATEGORY_COUNT, DICE, FACES
from playmill.nets.model import ResidualBlock, ResidualMLP, rectified
from playmill.nets.spec import NetSpec, heads
from playmill.packs.yatzy.seats_settings import seats_of

BOARD = CATEGORY_COUNT + 1  # features of a board that the tower sees: the open categories and the upper total
BOARDS = (0, rules.BOARD_FEATURES)  # where the mover's board begins among the features, and the opponent's
FACE_COUNTS = (2 * rules.BOARD_FEATURES, 2 * rules.BOARD_FEATURES + FACES)  # where those of the dice stand, in fifths
REROLLS = (FACE_COUNTS[1], rules.FEATURES)  # the rerolls left, one-hot; the last says two, as before a turn's first roll
TOGO = (TOGO_OWN, TOGO_OPP)


class SeatsNet(ResidualMLP):
    """The MLP, and beside it a tower for the points to come: what a seat will still score hangs on its own board alone.

    The tower sees a board's open categories and its upper total, nothing else, and is the same for both seats. With a hand it
    also sees the dice and rerolls of the seat to move, while the other one stands before its first roll. Dice come as steps
    ("at least three sixes"): so told, a tower of the same size is 1.8 points off the solved game's values instead of 2.7.

    The policy is the trunk's own. Told from the tower it is better, but its gradient is a hundred times that of the points,
    and the values then learn too slowly for the search to live on.
    """

    timid = (*ResidualMLP.timid, "seat_togo.weight")

    def __init__(self, features: int, logits: int, spec: NetSpec, players: int) -> None:
        super().__init__(features, logits, spec, players)
        own = seats_of(spec)
        wide = own.tower
        self.seat_stem = nn.Linear(BOARD, wide)
        self.seat_blocks = nn.Sequential(
            *(ResidualBlock(nn.Linear(wide, wide), nn.Linear(wide, wide)) for _ in range(own.tower_blocks))
        )
        self.seat_togo = nn.Linear(wide, 1)
        told = DICE * FACES + REROLLS[1] - REROLLS[0]
        self.seat_hand = nn.Linear(told, wide, bias=False) if own.hand else None

    def trunk_heads(self, spec: NetSpec) -> tuple[str, ...]:
        return tuple(head for head in heads(spec) if head not in TOGO)

    def values_of(self, stream: Tensor, features: Tensor) -> Tensor:
        return torch.cat((super().values_of(stream, features), self.togo(features)), dim=1)

    def togo(self, features: Tensor) -> Tensor:
        """Points to come of the mover and of the opponent, [n, 2]. Both boards go through the tower in one pass."""
        boards = [features[:, begin : begin + BOARD] for begin in BOARDS]
        stem = self.seat_stem(torch.cat(boards)) if self.seat_hand is None else torch.cat(self.with_hands(features, *boards))
        return self.seat(stem).view(2, -1).t()

    def with_hands(self, features: Tensor, own: Tensor, opponent: Tensor) -> tuple[Tensor, Tensor]:
        """What the tower begins with: the mover's board and hand, and the opponent's board with two rerolls and no dice."""
        assert self.seat_hand is not None
        board, hand, bias = self.seat_stem.weight, self.seat_hand.weight, self.seat_stem.bias
        seen = torch.cat((own, steps(features), features[:, slice(*REROLLS)]), dim=1)
        return linear(seen, torch.cat((board, hand), dim=1), bias), linear(opponent, board, bias + hand[:, -1])

    def seat(self, stem: Tensor) -> Tensor:
        return rectified(self.seat_blocks(stem), self.seat_togo)


def steps(features: Tensor) -> Tensor:
    """Whether there are at least 1, 2 .. 5 dice of each face, [n, 30]."""
    counts = DICE * features[:, slice(*FACE_COUNTS)].unsqueeze(2)
    return (counts - torch.arange(DICE, device=features.device)).clamp(0, 1).flatten(1)


def build_seats(features: tuple[int, ...], logits: int, spec: NetSpec, players: int) -> SeatsNet:
    """A network of the kind; features that don't begin with Yatzy's, or no points to come, are refused."""
    if len(features) != 1 or features[0] < rules.FEATURES or not spec.togo:
        raise UsageError(
            f"net.kind: seats expects Yatzy's {rules.FEATURES} features and togo: true,"
            f" got {list(features)} and togo: {str(spec.togo).lower()}"
        )
    return SeatsNet(math.prod(features), logits, spec, players)
