"""What a GPU makes of a batch: rows come packed, and of the policy only what was asked for goes back.

A row of bits is a thirty-second of a row of floats, floats that a network rounds first of all travel rounded, and a network
with thousands of logits is asked for a few dozen: what travels between the two memories stays small beside the work.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from playmill.core.evaluation import POLICY, VALUES
from playmill.core.halves import pack_halves
from playmill.core.jit import kernel
from playmill.games.heads import column_of
from playmill.nets.model import Net

BITS_A_BYTE = 8
# A product with this brings the lowest bits of eight bytes together in the top byte, the first one lowest.
TOGETHER, TOP_BYTE = np.uint64(0x0102_0408_1020_4080), np.uint64(56)
FLOATS, HALVES, BYTES, BITS = "float32", "bfloat16", "uint8", "bit"  # how features may travel
DTYPES = {FLOATS: torch.float32, HALVES: torch.bfloat16}


def packed_width(features: int, feature_type: str) -> int:
    """Numbers in a packed row: floats, halves, or bytes."""
    return -(-features // BITS_A_BYTE) if feature_type == BITS else features


def packed_dtype(feature_type: str) -> torch.dtype:
    return DTYPES.get(feature_type, torch.uint8)


def travel_type(feature_type: str, dtype: torch.dtype) -> str:
    """The type in which a game's features are sent to a network that rounds them to `dtype` first of all."""
    return HALVES if feature_type == FLOATS and dtype == torch.bfloat16 else feature_type


def packs(feature_type: str) -> bool:
    """Whether rows are packed before they are sent, so that a search writes its features into memory apart."""
    return feature_type in (BITS, HALVES)


def pack_rows(features: Any, packed: Tensor, feature_type: str) -> None:
    """Fill the first rows of `packed` with `features`, as a search wrote them."""
    if feature_type == BITS:
        pack_bits(features, packed.numpy())
    else:
        pack_halves(features.view(np.uint32), packed.view(torch.int16).numpy().view(np.uint16))


@kernel
def pack_bits(features: Any, out: Any) -> None:
    """Fill uint8 `out` with the rows of uint8 `features`, all 0 or 1: a bit a feature, lowest first."""
    whole = features.shape[1] // BITS_A_BYTE
    for i in range(len(features)):
        for byte in range(whole):
            word = np.uint64(0)
            for k in range(BITS_A_BYTE):  # one load of eight bytes, as the compiler sees it
                word |= np.uint64(features[i, byte * BITS_A_BYTE + k]) << np.uint64(BITS_A_BYTE * k)
            out[i, byte] = np.uint8((word * TOGETHER) >> TOP_BYTE)
        for j in range(whole * BITS_A_BYTE, features.shape[1]):
            bit = j - whole * BITS_A_BYTE
            out[i, whole] = (out[i, whole] if bit else 0) | features[i, j] << bit


def unpacked(rows: Tensor, features: int, feature_type: str) -> Tensor:
    """The features [n, features] again."""
    if feature_type in DTYPES:
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
