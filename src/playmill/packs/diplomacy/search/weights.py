"""The numbers that judgement is made of, by name. A kernel gets them as one record: `weights.owned`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from playmill.core.records import record_of


@dataclass(frozen=True)
class EvaluationWeights:
    """What makes a position good. The first six are claims on a centre; whose claims are larger, likely has it soon."""

    owned: float = 3.0  # the owner's claim
    stands: float = 4.0  # of a unit in the centre
    one_step: float = 1.0  # of each unit that could go there now
    two_steps: float = 0.35
    three_steps: float = 0.12
    neutral: float = 1.0  # what keeps a centre from belonging to anybody
    home: float = 0.15  # more for an own home centre: one can build there
    unit: float = 0.1  # each unit on the board, in centres
    squares: float = 0.7  # how much of the value goes by squares of centres, as a leader is worth more than his count


@dataclass(frozen=True)
class OrderWeights:
    """What makes an order good, in units of a neutral centre that can be had."""

    enemy: float = 1.0  # a centre of somebody else
    leader: float = 0.5  # more for one of a power with many centres
    defend: float = 0.9  # an own centre that can be attacked
    retake: float = 1.4  # an own centre with a stranger in it
    arrive: float = 1.2  # standing in a centre, over being near it
    leave: float = 0.6  # leaving an own centre that can be attacked
    support: float = 1.1  # helping a move that needs help, by what the move gains
    guard: float = 0.5  # helping a unit stay that can be attacked
    convoy: float = 0.3  # the turn that a fleet gives up
    blocked: float = 0.4  # staying where a mate wants to go


def _dtype_of(weights: type[EvaluationWeights] | type[OrderWeights]) -> np.dtype[Any]:
    return record_of(*((field.name, "f8") for field in fields(weights)))


# A kernel gets them as a record, which is filled by `astuple`.
EVALUATION_WEIGHTS = _dtype_of(EvaluationWeights)
ORDER_WEIGHTS = _dtype_of(OrderWeights)
