"""The measure of win rates against named bots: what the screen and the report show of `Rivals`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from playmill.arena.entrants import OpenBot
from playmill.arena.measure import Breakdown, Column, Curve, Fields, Interval, Measure
from playmill.arena.rivals import HEAD_TO_HEAD, STUDENT, TEACHER, Rivals

PERCENT = "{:.0%}"
EVEN = 0.5, "even, 50%"
NOTE = "Seats exchanged in pairs, a draw is half a win; 95 % interval over independent pairs."


def rivals_measure(name: str, bots: Mapping[str, OpenBot], student: str) -> Measure:
    """The measure of a network as teacher and student against these bots, the hardest first."""
    rivals = Rivals(bots, student)
    first, *others = bots
    return Measure(
        name=name,
        about=f"teacher and student ({student}) against {' and '.join(bots)}, and each other",
        run=rivals,
        words=_words,
        columns=(
            _column(first, min_width=0),
            *(_column(other, min_width=120) for other in others),
            Column("student vs teacher", lambda fields: f"{_rate(fields[HEAD_TO_HEAD]):.0%}", min_width=140),
        ),
        curves=tuple(_curves(bots)),
        figures=partial(_figures, first),
        breakdowns=_breakdowns,
        matches=rivals.matches,
        is_of_best=True,
    )


def _rate(meeting: Fields) -> float:
    return float(meeting["rate"]["mean"])


def _interval(meeting: Fields) -> Interval:
    rate = meeting["rate"]
    return Interval(rate["mean"], rate["low"], rate["high"])


def _column(rival: str, min_width: int) -> Column:
    """The teacher's win rate and the student's."""
    return Column(
        f"vs {rival}",
        lambda fields: "/".join(f"{100 * _rate(fields[who][rival]):.0f}" for who in (TEACHER, STUDENT)) + " %",
        min_width,
    )


def _meetings(fields: Fields) -> Iterator[tuple[str, str, Fields]]:
    """(who, against whom, what came of it) of a measurement."""
    for who in (TEACHER, STUDENT):
        for rival, meeting in fields[who].items():
            yield who, rival, meeting
    yield STUDENT, TEACHER, fields[HEAD_TO_HEAD]


def _words(fields: Fields) -> str:
    return ", ".join(f"{who} {_rate_words(_interval(meeting))} against {other}" for who, other, meeting in _meetings(fields))


def _rate_words(rate: Interval) -> str:
    """A rate in per cent, with its interval where it has one."""
    bounds = "" if rate.low is None or rate.high is None else f" ({100 * rate.low:.0f} to {100 * rate.high:.0f})"
    return f"{rate.value:.1%}{bounds}"


def _curves(bots: Mapping[str, OpenBot]) -> Iterator[Curve]:
    for rival in bots:
        for who in (TEACHER, STUDENT):
            yield _curve(f"{who.capitalize()} against {rival}", partial(_of, who, rival))
    yield _curve("Student against teacher", lambda fields: _interval(fields[HEAD_TO_HEAD]))


def _of(who: str, rival: str, fields: Fields) -> Interval:
    return _interval(fields[who][rival])


def _curve(title: str, point: Callable[[Fields], Interval]) -> Curve:
    return Curve(title, NOTE, point, PERCENT, reference=lambda fields: EVEN, limits=(0.0, 1.0))


def _figures(rival: str, fields: Fields) -> list[tuple[str, str]]:
    """The win rates against the hardest rival, and the student's against its teacher."""
    shown = [(TEACHER, rival, fields[TEACHER][rival]), (STUDENT, rival, fields[STUDENT][rival])]
    return [
        (f"{_rate(meeting):.1%}", f"win rate of the {who} against {other}")
        for who, other, meeting in [*shown, (STUDENT, f"the {TEACHER}", fields[HEAD_TO_HEAD])]
    ]


def _breakdowns(fields: Fields) -> list[Breakdown]:
    """Every meeting of the last measurement."""
    header = ("who", "against", "games", "distinct", "win rate", "interval", "won", "lost", "drawn", "plies")
    rows = tuple(_row(*meeting) for meeting in _meetings(fields))
    return [Breakdown("Win rates against bots", f"The last measurement. {NOTE}", header, rows)]


def _row(who: str, other: str, meeting: Fields) -> tuple[str, ...]:
    rate = _interval(meeting)
    interval = "-" if rate.low is None or rate.high is None else f"{rate.low:.1%} to {rate.high:.1%}"
    counts = (f"{meeting[name]:,}" for name in ("wins", "losses"))
    ends = (*counts, f"{meeting['draw_share']:.1%}", f"{meeting['mean_plies']:.0f}")
    return who, other, f"{meeting['games']:,}", f"{meeting['distinct_games']:,}", f"{rate.value:.1%}", interval, *ends
