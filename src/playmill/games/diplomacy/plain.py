"""Positions and orders as plain Python, for the faces: NumPy's records are slow to ask field by field.

A `Plain` has the fields of a STATE, the arrays as lists; what reads a position reads either. `parts` takes an order apart.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from playmill.games.diplomacy.geography import NOBODY, PROVINCE_COUNT, PROVINCE_OF
from playmill.games.diplomacy.orders import AUXILIARY_AT, KIND_BITS, KIND_MASK, PLACE_MASK, TARGET_AT, VIA_AT
from playmill.games.diplomacy.state import FIRST_YEAR, new_states

PROVINCE = PROVINCE_OF.tolist()
_EMPTY = {"kind": 0, "out_kind": 0, "contested": 0}


class Plain:
    """One position; see `state.py` for what the fields mean."""

    FIELDS = ("kind", "power", "at", "owner", "out_kind", "out_power", "out_at", "out_from", "contested")

    year: int
    phase: int
    kind: list[int]
    power: list[int]
    at: list[int]
    owner: list[int]
    out_kind: list[int]
    out_power: list[int]
    out_at: list[int]
    out_from: list[int]
    contested: list[int]

    def __init__(self) -> None:
        """An empty board in spring 1901."""
        self.year, self.phase = FIRST_YEAR, 0
        for field in self.FIELDS:
            setattr(self, field, [_EMPTY.get(field, NOBODY)] * PROVINCE_COUNT)

    @classmethod
    def of(cls, states: Any) -> Plain:
        """The first position of an array."""
        plain = cls.__new__(cls)
        plain.year, plain.phase = int(states["year"][0]), int(states["phase"][0])
        for field in cls.FIELDS:
            setattr(plain, field, states[field][0].tolist())
        return plain

    def states(self) -> Any:
        """An array with this one position, as kernels want it."""
        states = new_states(1)
        states["year"], states["phase"] = self.year, self.phase
        for field in self.FIELDS:
            states[field][0] = getattr(self, field)
        return states

    def put(self, kind: int, power: int, location: int) -> None:
        """Place a unit."""
        province = PROVINCE[location]
        self.kind[province], self.power[province], self.at[province] = kind, power, location

    def put_dislodged(self, kind: int, power: int, location: int, source: int) -> None:
        """Note a dislodged unit and the province its attacker came from."""
        province = PROVINCE[location]
        self.out_kind[province], self.out_power[province] = kind, power
        self.out_at[province], self.out_from[province] = location, source


class Parts(NamedTuple):
    """An order, taken apart; what the places mean depends on its kind (`orders.py`)."""

    kind: int
    location: int
    auxiliary: int
    target: int
    via: int

    @property
    def province(self) -> int:
        return int(PROVINCE[self.location])


@functools.lru_cache(maxsize=1 << 16)
def parts(order: int) -> Parts:
    """The order's parts; remembered, as the same orders come up again and again."""
    return Parts(
        order & KIND_MASK,
        order >> KIND_BITS & PLACE_MASK,
        order >> AUXILIARY_AT & PLACE_MASK,
        order >> TARGET_AT & PLACE_MASK,
        order >> VIA_AT & 1,
    )


def joined(kind: int, location: int, auxiliary: int = 0, target: int = 0, via: int = 0) -> int:
    """The order with these parts: `orders.pack` without a kernel."""
    return kind | location << KIND_BITS | auxiliary << AUXILIARY_AT | target << TARGET_AT | via << VIA_AT
