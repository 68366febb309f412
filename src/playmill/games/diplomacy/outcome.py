"""What became of a phase's orders, in words: for each order its verdicts, and the position that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from playmill.games.diplomacy.geography import LOCATIONS, NOBODY
from playmill.games.diplomacy.orders import CONVOY, DISBAND, HOLD, SUPPORT_HOLD
from playmill.games.diplomacy.places import unit_text
from playmill.games.diplomacy.plain import PROVINCE, Plain, parts
from playmill.games.diplomacy.state import FALL_RETREATS, SPRING_RETREATS, phase_name, power_name
from playmill.games.diplomacy.verdicts import (
    BOUNCED,
    CONVOY_BROKEN,
    CUT,
    DISBANDED,
    DISLODGED,
    ILLEGAL,
    REASONS,
    REMOVED,
    SUCCEEDED,
    VOID,
    WORDS,
)

if TYPE_CHECKING:
    from playmill.games.diplomacy.board import Board


@dataclass(frozen=True)
class Verdict:
    """One order and what became of it. `given` is false for what a unit does without an order."""

    power: int
    text: str
    order: int
    verdict: int
    reason: int = 0
    other: int = NOBODY
    source: int = NOBODY
    strength: int = 0
    against: int = 0
    given: bool = True
    problem: str = ""  # of an order that can't be read

    @property
    def word(self) -> str:
        """The verdict alone: succeeded, bounced, cut, dislodged, no convoy, convoy broken, void, illegal, disbanded ..."""
        return WORDS[self.verdict]

    @property
    def is_dislodged(self) -> bool:
        return self.source != NOBODY


@dataclass(frozen=True)
class Outcome:
    """A phase, adjudicated: the positions before and after it, and a verdict for each order."""

    before: Board
    next: Board
    verdicts: tuple[Verdict, ...]

    def results(self) -> dict[str, list[str]]:
        """For each order its verdicts as text; the words before a colon, `with` or `by` are fixed."""
        found: dict[str, list[str]] = {}
        for verdict in self.verdicts:
            found.setdefault(verdict.text, []).extend(self.words(verdict))
        return found

    def words(self, verdict: Verdict) -> list[str]:
        """The verdicts on one order: what became of it, then what became of the unit."""
        words = [] if verdict.verdict == DISLODGED else [self._first(verdict)]
        if verdict.is_dislodged:
            words.append(f"{WORDS[DISLODGED]} by {self._unit(verdict.source)}")
            if self.next.plain.phase not in (SPRING_RETREATS, FALL_RETREATS):
                words.append("disbanded: nobody could retreat")
        return words

    def _first(self, verdict: Verdict) -> str:
        word = verdict.word
        if verdict.verdict == BOUNCED and verdict.other != NOBODY:
            return f"{word} with {self._unit(verdict.other)}"
        if verdict.verdict in (CUT, CONVOY_BROKEN):
            return f"{word} by {self._unit(verdict.other)}"
        if verdict.verdict == VOID:
            return f"{word}: {self._why_void(verdict)}"
        if verdict.verdict == ILLEGAL:
            return f"{word}: {verdict.problem or REASONS[verdict.reason]}"
        if verdict.verdict == DISBANDED:
            return f"{word}: {self._unit(verdict.other, out=True)} retreats there, too"
        if parts(verdict.order).kind == DISBAND and not verdict.given:
            return "disbanded: no retreat was ordered"
        return word

    def _why_void(self, verdict: Verdict) -> str:
        order = parts(verdict.order)
        helped = self._unit(PROVINCE[order.auxiliary])
        if order.kind == SUPPORT_HOLD:
            return f"{helped} was ordered to move"
        target = LOCATIONS[order.target]
        if order.kind == CONVOY and any(v.text.startswith(f"{helped} - {target}") for v in self.verdicts):
            return f"{helped} went over land"
        return f"{helped} was not ordered to {target}"

    def _unit(self, province: int, out: bool = False) -> str:
        """The unit that stood in a province before the phase."""
        state = self.before.plain
        kind, place = (state.out_kind, state.out_at) if out else (state.kind, state.at)
        return unit_text(kind[province], place[province])

    def explain(self) -> str:
        """The phase told to people: power by power, each order and what happened, and why."""
        lines = [phase_name(self.before.plain)]
        for power in sorted({verdict.power for verdict in self.verdicts}):
            lines.append(power_name(power) if power != NOBODY else "Nobody")
            own = [verdict for verdict in self.verdicts if verdict.power == power]
            width = max(len(verdict.text) for verdict in own)
            lines += [f"  {verdict.text:<{width}}  {self._told(verdict)}" for verdict in own]
        lines.append(f"next: {self.next.dfen}")
        return "\n".join(lines)

    def _told(self, verdict: Verdict) -> str:
        words = self.words(verdict)
        if verdict.verdict == BOUNCED:
            own = verdict.strength == 0
            words[0] += " (it would dislodge a unit of its own power)" if own else self._strengths(verdict)
        if not verdict.given and parts(verdict.order).kind == HOLD:
            words = ["no order, so it holds", *words[verdict.verdict == SUCCEEDED :]]
        return "; ".join(words)

    def _strengths(self, verdict: Verdict) -> str:
        return f" ({verdict.strength} against {verdict.against})"


def civil_disorder(before: Plain, after: Plain, removed: set[int]) -> list[Verdict]:
    """A verdict for each unit that was removed without an order."""
    found = []
    for province in range(len(before.kind)):
        if before.kind[province] and not after.kind[province] and province not in removed:
            text = f"{unit_text(before.kind[province], before.at[province])} D"
            found.append(Verdict(before.power[province], text, 0, REMOVED, given=False))
    return found
