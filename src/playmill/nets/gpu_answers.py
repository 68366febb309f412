"""What a GPU makes of a batch: rows come packed, and of the policy only what was asked for goes back.

A row of bits is a thirty-second of a row of floats, and a network with thousands of logits is asked for a few dozen: what
travels between the two memories stays small beside the work.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from playmill.core.evaluation import POLICY, VALUES
from playmill.core.jit import kernel
from playmill.games.heads import column_of
from playmill.nets.model import Net

BITS_A_BYTE = 8
FLOATS, BYTES, BITS = "float32", "uint8", "bit"  # how a game's features may travel


def packed_width(features: int, feature_type: str) -> int:
    """Numbers in a packed row: floats, or bytes."""
    return -(-features // BITS_A_BYTE) if feature_type == BITS else features


def packed_dtype(feature_type: str) -> torch.dtype:
    return torch.float32 if feature_type == FLOATS else torch.uint8


@kernel
def pack(features: Any, is_bits: Any, out: Any) -> None:
    """Fill uint8 `out` with the rows of float32 `features`: a bit a feature, lowest first, or a byte a feature."""
    for i in range(len(features)):
        if is_bits:
            for byte in range(out.shape[1]):
                word = 0
                first = byte * BITS_A_BYTE
                for bit in range(min(BITS_A_BYTE, features.shape[1] - first)):
                    word |= (1 << bit) if features[i, first + bit] != 0 else 0
                out[i, byte] = word
        else:
            for j in range(out.shape[1]):
                out[i, j] = np.uint8(features[i, j])


def unpacked(rows: Tensor, features: int, feature_type: str) -> Tensor:
    """The features [n, features] again."""
    if feature_type == FLOATS:
        return rows
    if feature_type == BYTES:
        return rows.float()
    places = torch.arange(BITS_A_BYTE, dtype=torch.uint8, device=rows.device)
    return ((rows.unsqueeze(2) >> places) & 1).flatten(1)[:, :features].float()


def gathered(logits: Tensor, asked: Tensor) -> Tensor:
    """The logits [n, actions] of the actions asked for [n, actions, 2]: the sum of the one or two that are named."""
    first, second = asked.long().unbind(2)
    return logits.gather(1, first) + torch.where(second < 0, 0.0, logits.gather(1, second.clamp(min=0)))


class Answers(nn.Module):
    """A network together with the unpacking before it and the choosing after it: packed rows in, what goes back out."""

    def __init__(self, net: Net, features: int, feature_type: str, heads: tuple[str, ...], what: str, gathers: bool) -> None:
        super().__init__()
        self.net, self.features, self.feature_type = net, features, feature_type
        self.what, self.gathers = what, gathers
        self.column = column_of(heads, what, net.players) if what not in (POLICY, VALUES) else 0

    def forward(self, rows: Tensor, asked: Tensor) -> tuple[Tensor, ...]:
        features = unpacked(rows, self.features, self.feature_type)
        if self.what == POLICY:
            logits, values = self.net(features)
            return gathered(logits, asked) if self.gathers else logits, values
        values = self.net.answer_values(features)
        return (values if self.what == VALUES else values[:, self.column : self.column + 1],)
