"""The `diplomacy` package's hash of a position: its saved games carry one a phase, and its own check compares them.

Zobrist's: every unit, dislodged unit, centre and home has a number, and a position's hash is the exclusive or of them all. The
package draws the numbers from Python's generator, seeded by its map, so that they can be drawn again without it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

Table = list[list[int]]

SEED = 12345  # to which the package adds what it knows of the map
LARGEST = 2**63 - 1


class PackageHash:
    """The numbers for a map, by the names that the package has for powers, places and centres."""

    def __init__(self, powers: Iterable[str], places: Iterable[str], centres: Iterable[str]) -> None:
        self._powers = {name: number for number, name in enumerate(sorted(powers))}
        self._places = {name: number for number, name in enumerate(sorted(places))}
        words = "-".join(sorted(centres))
        total = SEED + len(self._places) + sum(ord(letter) * 7**i for i, letter in enumerate(words))
        draw = random.Random(total % 2**32)
        # The order of these lines is the package's: each draws from where the last one stopped.
        self._kinds = self._table(draw, 2)
        self._units = self._table(draw, len(self._powers))
        self._out_kinds = self._table(draw, 2)
        self._out_units = self._table(draw, len(self._powers))
        self._centres = self._table(draw, len(self._powers))
        self._homes = self._table(draw, len(self._powers))

    def _table(self, draw: random.Random, rows: int) -> Table:
        return [[draw.randint(1, LARGEST) for _ in self._places] for _ in range(rows)]

    def of(
        self,
        units: Mapping[str, Iterable[str]],
        centres: Mapping[str, Iterable[str]],
        homes: Mapping[str, Iterable[str]],
    ) -> str:
        """The hash of a position, as text: units such as `A PAR`, dislodged ones `*A PAR`, by power."""
        total = 0
        for power, names in units.items():
            for name in names:
                total ^= self._unit(self._powers[power], name)
        for table, owned in ((self._centres, centres), (self._homes, homes)):
            for power, names in owned.items():
                for name in names:
                    total ^= table[self._powers[power]][self._places[name]]
        return str(total)

    def _unit(self, power: int, name: str) -> int:
        letter, _, place = name.removeprefix("*").partition(" ")
        is_out = name.startswith("*")
        kinds, units = (self._out_kinds, self._out_units) if is_out else (self._kinds, self._units)
        return kinds["AF".index(letter)][self._places[place]] ^ units[power][self._places[place]]
