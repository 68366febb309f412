"""The network kind `stones_mlp`: the MLP, and beside its values a layer of its own that tells the moves left."""

import torch
from torch import nn

from playmill.games.heads import segments
from playmill.nets.graph import FEATURES, LOGITS, write_blocks
from playmill.nets.model import ResidualMLP, rectified
from playmill.nets.spec import heads
from stones.settings import StonesNetSettings

MOVES_LEFT = "moves_left"


class StonesNet(ResidualMLP):
    """How many moves are left is no straight line of what the policy needs to know, so it has a hidden layer."""

    timid = (*ResidualMLP.timid, "moves.weight")  # weights that begin small

    def __init__(self, features, logits, spec, players):
        super().__init__(features, logits, spec, players)
        own: StonesNetSettings = spec.section()  # what stands under `net.stones_mlp`
        self.moves_hidden = nn.Linear(spec.hidden, own.moves_width)
        self.moves = nn.Linear(own.moves_width, 1)

    def trunk_heads(self, spec):
        return tuple(head for head in heads(spec) if head != MOVES_LEFT)

    def values_of(self, stream, features):
        moves = rectified(rectified(stream, self.moves_hidden), self.moves)
        return torch.cat((super().values_of(stream, features), moves), dim=1)


def write_net(writer, checkpoint):
    """The same as an ONNX graph, layer by layer."""
    stream = write_blocks(writer, checkpoint, writer.layer(FEATURES, "stem"))
    writer.rectified(stream, LOGITS)
    moves = writer.rectified(writer.rectified(stream, "moves_hidden"), "moves")
    trunk = [head for head in checkpoint.meta.heads if head != MOVES_LEFT]
    writer.squash(writer.rectified(stream, "raw_values"), segments(trunk, checkpoint.meta.players), [moves])
