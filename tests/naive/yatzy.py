"""Swedish Yatzy on paper: score sheets as dictionaries, dice as a list, the rules as sentences.

The dice rule is the documented one: the turn's chance word gives word number 1 and 2 for its rerolls and number 0 for the
first roll of the next turn, and a die is a base-6 digit of the 51-bit fraction that such a word begins with.
"""

from __future__ import annotations

from collections import Counter

from playmill.core.seeds import mix

SHEET = [
    "ones", "twos", "threes", "fours", "fives", "sixes", "pair", "two pairs", "three of a kind", "four of a kind",
    "small straight", "large straight", "house", "chance", "yatzy",
]  # fmt: skip
FIRST_MARK = 32


def five_values(word: int) -> list[int]:
    """The dice that a roll's word holds, in order."""
    fraction = word >> 13
    return [(fraction * 6 ** (i + 1) >> 51) % 6 + 1 for i in range(5)]


def points(dice: list[int], category: str) -> int:
    """What the dice score, by the printed rules."""
    times = Counter(dice)
    if category in SHEET[:6]:
        face = SHEET.index(category) + 1
        return dice.count(face) * face
    several = {size: sorted((face for face in times if times[face] >= size), reverse=True) for size in (2, 3, 4, 5)}
    if category in ("pair", "three of a kind", "four of a kind"):
        size = {"pair": 2, "three of a kind": 3, "four of a kind": 4}[category]
        return several[size][0] * size if several[size] else 0
    if category == "two pairs":
        return 2 * sum(several[2]) if len(several[2]) == 2 else 0
    if category == "house":
        return sum(dice) if sorted(times.values()) == [2, 3] else 0
    if category == "small straight":
        return 15 if set(dice) == {1, 2, 3, 4, 5} else 0
    if category == "large straight":
        return 20 if set(dice) == {2, 3, 4, 5, 6} else 0
    if category == "yatzy":
        return 50 if several[5] else 0
    return sum(dice)


class Yatzy:
    def start(self, chance: int) -> None:
        self.sheets: list[dict[str, int]] = [{}, {}]
        self._begin_turn(chance)

    def legal(self) -> list[int]:
        keeps = list(range(31)) if self.rolls < 3 else []
        return keeps + [FIRST_MARK + i for i, name in enumerate(SHEET) if name not in self.sheets[self.to_move()]]

    def play(self, action: int, chance: int) -> None:
        if action < FIRST_MARK:
            self._reroll(f"{action:05b}", chance)
        else:
            category = SHEET[action - FIRST_MARK]
            self.sheets[self.to_move()][category] = points(self.dice, category)
            self._begin_turn(chance)

    def outcome(self) -> list[float] | None:
        if self._marks() < 30:
            return None
        first, second = self.total(0), self.total(1)
        return [float((first > second) - (first < second)), float((second > first) - (second < first))]

    def to_move(self) -> int:
        return self._marks() % 2

    def total(self, player: int) -> int:
        sheet = self.sheets[player]
        upper = sum(sheet.get(name, 0) for name in SHEET[:6])
        return sum(sheet.values()) + (50 if upper >= 63 else 0)

    def _begin_turn(self, chance: int) -> None:
        self.dice = sorted(five_values(mix(chance, 0)))
        self.rolls = 1

    def _reroll(self, keep: str, chance: int) -> None:
        kept = [die for die, is_kept in zip(self.dice, keep, strict=True) if is_kept == "1"]
        fresh = five_values(mix(chance, self.rolls))
        self.dice = sorted(kept + fresh[: 5 - len(kept)])
        self.rolls += 1

    def _marks(self) -> int:
        return len(self.sheets[0]) + len(self.sheets[1])
