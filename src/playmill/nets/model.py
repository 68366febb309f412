"""The networks: a residual MLP and a residual board net, both with pre-activation blocks.

A block adds second(relu(first(relu(x)))) to the stream x. The stream itself is never rectified or rounded: in the low
precision backends (int8, bf16) only the products inside the blocks and the policy are narrow, while the first layer, the
stream and the values keep full precision. On trained 256x2 Yatzy nets int8 is then 0.010 off in the win value (root mean
square) instead of 0.028 with everything rounded, for a tenth of the speed. There is no normalisation: blocks that begin as
the identity train without, and int8 would not gain from it.

`forward(features [n, F] float32)` returns (logits [n, L], values [n, H]); board nets take their planes flat, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.games.heads import TOGO_OPP, TOGO_OWN, check_heads, column_count, segments
from playmill.games.yatzy.rules import YATZY
from playmill.nets.spec import NetSpec, heads

SEAT_FEATURES = 16  # of a Yatzy board: fifteen open categories and the upper total
SEATS = (0, 18)  # where the mover's board begins among the features, and the opponent's
FACES = (36, 42)  # where the face counts of the dice stand, in fifths
REROLLS = (42, 45)  # and the rerolls left, one-hot; the last says two, as before a turn's first roll
DICE = 5
POLICY_PLANES = 8
VALUE_PLANES = 4
NARROW = ("blocks.", "policy_planes", "logits")  # layers whose names begin so may run in low precision
TIMID = 0.1  # heads begin this small: a new network has hardly an opinion


SQUASHES: dict[str, Callable[[Tensor], Tensor]] = {
    "tanh": torch.tanh,
    "softmax": partial(torch.softmax, dim=1),
    "none": lambda raw: raw,
}


class Block(nn.Module):
    """x + second(relu(first(relu(x)))), in whatever precision the two layers have."""

    def __init__(self, first: nn.Module, second: nn.Module) -> None:
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x: Tensor) -> Tensor:
        return x + rectified(rectified(x, self.first), self.second)


def rectified(x: Tensor, layer: nn.Module) -> Tensor:
    """layer(relu(x)), in the layer's own precision."""
    assert isinstance(layer.weight, Tensor)
    answer: Tensor = layer(relu(x).to(layer.weight.dtype))
    return answer


class Net(nn.Module):
    """What both kinds share. A kind says how features become the stream, and the stream logits and raw values."""

    narrow_on_gpu: tuple[str, ...] = NARROW

    def __init__(self, spec: NetSpec, players: int) -> None:
        super().__init__()
        self.players = players
        self.segments = segments(self.trunk_heads(spec), players)

    def trunk_heads(self, spec: NetSpec) -> tuple[str, ...]:
        """The values that are told from the stream."""
        return heads(spec)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        stream = self.stream(features)
        return self.logits_of(stream).float(), self.values_of(stream, features)

    def answer_values(self, features: Tensor) -> Tensor:
        """The values alone; the policy head is not computed."""
        return self.values_of(self.stream(features), features)

    def values_of(self, stream: Tensor, features: Tensor) -> Tensor:
        """The values [n, H], squashed where they should be; told from the stream, but a kind may look past it."""
        return self.squash(self.raw_values_of(stream))

    def squash(self, raw: Tensor) -> Tensor:
        """Raw values [n, H] brought into the range that each head has."""
        parts = raw.split([width for _, width in self.segments], dim=1)
        return torch.cat([SQUASHES[kind](part) for (kind, _), part in zip(self.segments, parts, strict=True)], dim=1)

    def narrow_layers(self, on_gpu: bool = False) -> list[str]:
        """The layers that may run in low precision."""
        prefixes = self.narrow_on_gpu if on_gpu else NARROW
        return [name for name, layer in self.named_modules() if hasattr(layer, "weight") and name.startswith(prefixes)]

    def stream(self, features: Tensor) -> Tensor:
        raise NotImplementedError

    def logits_of(self, stream: Tensor) -> Tensor:
        raise NotImplementedError

    def raw_values_of(self, stream: Tensor) -> Tensor:
        raise NotImplementedError


class YatzyNet(Net):
    """The residual MLP, for Yatzy and any other game; each head is one layer."""

    def __init__(self, features: int, logits: int, spec: NetSpec, players: int) -> None:
        super().__init__(spec, players)
        wide = spec.hidden
        self.stem = nn.Linear(features, wide)
        self.blocks = nn.Sequential(*(Block(nn.Linear(wide, wide), nn.Linear(wide, wide)) for _ in range(spec.blocks)))
        self.logits = nn.Linear(wide, logits)
        self.raw_values = nn.Linear(wide, column_count(self.trunk_heads(spec), players))

    def stream(self, features: Tensor) -> Tensor:
        answer: Tensor = self.blocks(self.stem(features))
        return answer

    def logits_of(self, stream: Tensor) -> Tensor:
        return rectified(stream, self.logits)

    def raw_values_of(self, stream: Tensor) -> Tensor:
        return rectified(stream, self.raw_values)


class SeatsNet(YatzyNet):
    """The MLP, and beside it a tower for the points to come: what a seat will still score hangs on its own board alone.

    The tower sees a board's open categories and its upper total, nothing else, and is the same for both seats. With a hand it
    also sees the dice and rerolls of the seat to move, while the other one stands before its first roll. Dice come as steps
    ("at least three sixes"): so told, a tower of the same size is 1.8 points off the solved game's values instead of 2.7.

    The policy is the trunk's own. Told from the tower it is better, but its gradient is a hundred times that of the points,
    and the values then learn too slowly for the search to live on.
    """

    def __init__(self, features: int, logits: int, spec: NetSpec, players: int) -> None:
        super().__init__(features, logits, spec, players)
        wide = spec.tower
        self.seat_stem = nn.Linear(SEAT_FEATURES, wide)
        self.seat_blocks = nn.Sequential(
            *(Block(nn.Linear(wide, wide), nn.Linear(wide, wide)) for _ in range(spec.tower_blocks))
        )
        self.seat_togo = nn.Linear(wide, 1)
        told = DICE * (FACES[1] - FACES[0]) + REROLLS[1] - REROLLS[0]
        self.seat_hand = nn.Linear(told, wide, bias=False) if spec.hand else None

    def trunk_heads(self, spec: NetSpec) -> tuple[str, ...]:
        return tuple(head for head in heads(spec) if head not in (TOGO_OWN, TOGO_OPP))

    def values_of(self, stream: Tensor, features: Tensor) -> Tensor:
        return torch.cat((super().values_of(stream, features), self.togo(features)), dim=1)

    def togo(self, features: Tensor) -> Tensor:
        """Points to come of the mover and of the opponent, [n, 2]."""
        own, opponent = (self.seat_stem(features[:, begin : begin + SEAT_FEATURES]) for begin in SEATS)
        if self.seat_hand is not None:
            own = own + self.seat_hand(torch.cat((steps(features), features[:, slice(*REROLLS)]), dim=1))
            opponent = opponent + self.seat_hand.weight[:, -1]
        return torch.cat((self.seat(own), self.seat(opponent)), dim=1)

    def seat(self, stem: Tensor) -> Tensor:
        return rectified(self.seat_blocks(stem), self.seat_togo)


def steps(features: Tensor) -> Tensor:
    """Whether there are at least 1, 2 .. 5 dice of each face, [n, 30]."""
    counts = DICE * features[:, slice(*FACES)].unsqueeze(2)
    return (counts - torch.arange(DICE, device=features.device)).clamp(0, 1).flatten(1)


class BoardNet(Net):
    """The residual convolutional net, for games whose features are planes [C, H, W]."""

    # All planes, the stream too: a GPU moves them at half the cost, and a stream in fp32 would cost a third of its speed.
    narrow_on_gpu = ("stem", "blocks.", "policy_planes", "value_planes")

    def __init__(self, planes: tuple[int, int, int], logits: int, spec: NetSpec, players: int) -> None:
        super().__init__(spec, players)
        self.planes = planes
        channels, squares = spec.channels, planes[1] * planes[2]
        self.stem = _conv3(planes[0], channels)
        self.blocks = nn.Sequential(
            *(Block(_conv3(channels, channels), _conv3(channels, channels)) for _ in range(spec.blocks))
        )
        self.policy_planes = nn.Conv2d(channels, POLICY_PLANES, 1)
        self.logits = nn.Linear(POLICY_PLANES * squares, logits)
        self.value_planes = nn.Conv2d(channels, VALUE_PLANES, 1)
        self.value_hidden = nn.Linear(VALUE_PLANES * squares, spec.hidden)
        self.raw_values = nn.Linear(spec.hidden, column_count(heads(spec), players))

    def stream(self, features: Tensor) -> Tensor:
        answer: Tensor = self.blocks(self.stem(features.view(-1, *self.planes).to(self.stem.weight.dtype)))
        return answer

    def logits_of(self, stream: Tensor) -> Tensor:
        return rectified(rectified(stream, self.policy_planes).flatten(1), self.logits)

    def raw_values_of(self, stream: Tensor) -> Tensor:
        hidden = rectified(rectified(stream, self.value_planes).flatten(1), self.value_hidden)
        return rectified(hidden, self.raw_values)


def _conv3(inside: int, outside: int) -> nn.Conv2d:
    return nn.Conv2d(inside, outside, 3, padding=1)


def build_net(game: Game, spec: NetSpec, seed: int = 0) -> Net:
    """A new network for the game: the same seed, the same weights; torch's global generator is not touched."""
    check_net(game, spec)
    net = bare_net(game.features, game.logits, spec, game.players)
    _initialise(net, seed)
    return net


def check_net(game: Game, spec: NetSpec) -> None:
    """Refuse a network that can't see the game, or has nothing to say about it; nothing is allocated."""
    if not game.features:
        raise UsageError(f"{game.name}: a network needs features, but the game has no encoding")
    check_heads(game, heads(spec))
    _meta_net(game.features, game.logits, spec, game.players)


def bare_net(features: tuple[int, ...], logits: int, spec: NetSpec, players: int) -> Net:
    """A network of this shape whose weights nobody has set yet."""
    return _meta_net(features, logits, spec, players).to_empty(device="cpu")


def _meta_net(features: tuple[int, ...], logits: int, spec: NetSpec, players: int) -> Net:
    with torch.device("meta"):  # making a layer draws its weights; on this device that costs nothing and draws nothing
        net: Net
        if spec.kind == "mlp":
            net = YatzyNet(math.prod(features), logits, spec, players)
        elif spec.kind == "seats":
            _check_seats(features, spec)
            net = SeatsNet(math.prod(features), logits, spec, players)
        elif len(features) == 3:
            net = BoardNet(features, logits, spec, players)
        else:
            raise UsageError(
                f"net.kind: conv expects features [planes, rows, columns], got the shape {list(features)}; use mlp"
            )
    return net


def _check_seats(features: tuple[int, ...], spec: NetSpec) -> None:
    if tuple(features) != YATZY.features or not spec.togo:
        raise UsageError(f"net.kind: seats expects Yatzy's {YATZY.features[0]} features and togo: true, got {list(features)}")


def _initialise(net: Net, seed: int) -> None:
    """He's normal weights and zero biases; a block's second layer begins at zero, so the block begins as the identity."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in net.named_parameters():
        if name.endswith("bias") or ".second." in name:
            nn.init.zeros_(tensor)
        else:
            nn.init.kaiming_normal_(tensor, nonlinearity="relu", generator=generator)
            if name in ("logits.weight", "raw_values.weight", "seat_togo.weight"):
                tensor.data.mul_(TIMID)
