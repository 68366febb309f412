"""The network: locations that talk to their neighbours, then scores of orders and seven values.

A block adds second(relu(near(relu(x)))) to the stream x, where `near` sees the location itself, its neighbours for armies, its
neighbours for fleets, and the mean of the board. A coast and its province count as neighbours of both kinds: what stands in one
stands in the other.

The stream is kept location by location, [81, n, channels]: a layer is then one product over all locations of all positions, and
looking around is one product with the borders for armies and one with those for fleets. (In one product of twice the length
ONNX Runtime would add up in another order for few positions than for many.)

`forward(features [n, WIDTH])` returns (scores [n, LOGITS], values [n, 7]); `logit_ids.py` tells what the scores are. A value is
a power's share of the game's outcome; the seven sum to 1, and a power without unit and centre has exactly 0.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from playmill.games.diplomacy.geography import ARMY, CAN_GO, FLEET, LOCATION_COUNT, POWER_COUNT, PROVINCE_COUNT, PROVINCE_OF
from playmill.nets.model import initialise
from playmill.packs.diplomacy.neural.features import GLOBALS, MAP_PART, OUT_POWER_AT, OWNER_AT, PLANES, POWER_AT
from playmill.packs.diplomacy.neural.logit_ids import KINDS, TABLES
from playmill.packs.diplomacy.neural.spec import DiplomacySpec

# Heads begin small: a new network has hardly an opinion. Two sides of a pair are multiplied, so each is small by the root.
_TIMIDITY = {"kinds": 0.1, "share": 0.1, "place": 0.1, "pairs": 0.3}
SCALE = 8.0  # units and centres are added up, as many are more than one; this brings the sums near 1
GONE = -1e4  # the raw value of a power that has nothing left: its share is then exactly 0


def borders() -> np.ndarray:
    """What a location sees, float32 [2, 81, 81]: neighbours for armies, neighbours for fleets; a row sums to 1, or to 0."""
    halves = []
    for kind in (ARMY, FLEET):
        table = CAN_GO[kind].copy()
        for coast in range(PROVINCE_COUNT, LOCATION_COUNT):
            table[coast, PROVINCE_OF[coast]] = table[PROVINCE_OF[coast], coast] = True
        halves.append(table / np.maximum(table.sum(axis=1, keepdims=True), 1))
    return np.stack(halves).astype(np.float32)


class MapBlock(nn.Module):
    """x + second(relu(near(relu(x))))."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.wide = wide
        self.near = nn.Linear(wide, 3 * wide)  # for itself, for the army's neighbours, for the fleet's
        self.board = nn.Linear(wide, wide, bias=False)  # for everybody
        self.second = nn.Linear(wide, wide)

    def forward(self, x: Tensor, around: Tensor) -> Tensor:
        y = relu(x)
        own, army, fleet = self.near(y).split(self.wide, dim=2)
        seen = around[0] @ army.flatten(1) + around[1] @ fleet.flatten(1)
        shared = self.board(y.mean(dim=0))
        answer: Tensor = x + self.second(relu(own + seen.view_as(own) + shared))
        return answer


class DiplomacyNet(nn.Module):
    """The policy-value network."""

    around: Tensor

    def __init__(self, spec: DiplomacySpec) -> None:
        super().__init__()
        wide = spec.channels
        self.rank = spec.rank
        self.register_buffer("around", torch.zeros(2, LOCATION_COUNT, LOCATION_COUNT), persistent=False)
        self.place = nn.Parameter(torch.zeros(LOCATION_COUNT, 1, wide))  # what a location is: land, sea, centre, whose home
        self.planes = nn.Linear(PLANES, wide)
        self.globals = nn.Linear(GLOBALS, wide, bias=False)
        self.blocks = nn.ModuleList(MapBlock(wide) for _ in range(spec.blocks))
        self.pairs = nn.Linear(wide, 2 * len(TABLES) * spec.rank)
        self.kinds = nn.Linear(wide, KINDS)
        self.share_hidden = nn.Linear(3 * wide, spec.hidden)
        self.share = nn.Linear(spec.hidden, 1)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        stream = relu(self.stream(features))
        return self.scores_of(stream), self.values_of(stream, features)

    def answer_values(self, features: Tensor) -> Tensor:
        """The values alone: the policy's tables are not computed."""
        return self.values_of(relu(self.stream(features)), features)

    def stream(self, features: Tensor) -> Tensor:
        """[81, n, channels] out of [n, WIDTH]."""
        planes = features[:, :MAP_PART].reshape(-1, LOCATION_COUNT, PLANES).transpose(0, 1).contiguous()
        x: Tensor = self.planes(planes) + self.globals(features[:, MAP_PART:]) + self.place
        for block in self.blocks:
            x = block(x, self.around)
        return x

    def scores_of(self, stream: Tensor) -> Tensor:
        """[n, LOGITS]: pairs of locations are compared by a product of `rank` numbers each."""
        n = stream.shape[1]
        sides = self.pairs(stream).view(LOCATION_COUNT, n, 2, len(TABLES), self.rank)
        first, second = sides.permute(2, 1, 3, 0, 4)  # each [n, table, 81, rank]
        tables = (first / math.sqrt(self.rank)) @ second.transpose(2, 3)
        kinds = self.kinds(stream).transpose(0, 1)
        return torch.cat((tables.flatten(1), kinds.flatten(1), tables.new_zeros(n, 1)), dim=1)

    def values_of(self, stream: Tensor, features: Tensor) -> Tensor:
        """[n, 7]: a power is judged by where its units stand, its centres and the board, with the same weights for all."""
        planes = features[:, :MAP_PART].view(-1, LOCATION_COUNT, PLANES)
        units = (planes[:, :, POWER_AT : POWER_AT + POWER_COUNT] + planes[:, :, OUT_POWER_AT : OUT_POWER_AT + POWER_COUNT]).mT
        owned = planes[:, :, OWNER_AT : OWNER_AT + POWER_COUNT].mT
        rows = stream.transpose(0, 1)  # [n, 81, channels]
        board = stream.mean(dim=0).unsqueeze(1).expand(-1, POWER_COUNT, -1)
        seen = torch.cat((units @ rows / SCALE, owned @ rows / SCALE, board), dim=2)
        raw = self.share(relu(self.share_hidden(seen))).squeeze(2)
        gone = (units.sum(dim=2) + owned.sum(dim=2)) == 0
        return torch.softmax(raw.masked_fill(gone, GONE), dim=1)


def build_net(spec: DiplomacySpec, seed: int = 0) -> DiplomacyNet:
    """A new network: the same seed, the same weights; torch's global generator is not touched."""
    net = bare_net(spec)
    initialise(net, seed, lambda name: _TIMIDITY.get(name.partition(".")[0], 1.0))
    return net


def bare_net(spec: DiplomacySpec) -> DiplomacyNet:
    """A network of this size whose weights nobody has set yet; the map's borders are in it."""
    with torch.device("meta"):  # making a layer draws its weights; on this device that costs nothing and draws nothing
        net = DiplomacyNet(spec)
    net = net.to_empty(device="cpu")
    net.around.copy_(torch.from_numpy(borders()))
    return net
