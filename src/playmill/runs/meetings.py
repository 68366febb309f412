"""How self-play's players fared against each other; the screen, its lines and the report read it here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playmill.runs.entries import SelfPlayEntry
    from playmill.runs.folder import Iteration, Manifest
    from playmill.search.roles import Roles

MIN_WIDTH = 80  # columns of a terminal that has room for it


def results_header(roles: Roles) -> str:
    """Of a table's column: whose wins, losses and draws it has."""
    return f"{roles[0].partition(' ')[0]} w/l/d"


def have_met(manifest: Manifest) -> bool:
    """Whether two players met in any iteration."""
    return any(_shares(entry.selfplay) for entry in manifest.iterations)


def results_cell(entry: Iteration) -> str:
    """The best's wins, losses and draws against its opponent, in per cent; empty where they did not meet."""
    shares = _shares(entry.selfplay)
    return "/".join(f"{100 * share:.0f}" for share in shares) + " %" if shares else ""


def results_words(entry: SelfPlayEntry, roles: Roles) -> str:
    """The same in words, for the end of a line."""
    shares = _shares(entry)
    if not shares:
        return f"; by {entry.bot}" if entry.bot else ""
    plies = next(iter(entry.results.values())).mean_plies
    won, lost, drawn = shares
    words = f"; {roles[0]} won {won:.1%}, {roles[1]} {lost:.1%}, drawn {drawn:.1%}, {plies:.0f} plies"
    return words + "".join(f"; {name} lost {bot.shares[1]:.1%} of {bot.games}" for name, bot in entry.results_of_bots.items())


def result_share(number: int, entry: Iteration) -> float | None:
    """Of the games in which two players met: what the best won (0), what its opponent won (1), what was drawn (2)."""
    shares = _shares(entry.selfplay)
    return shares[number] if shares else None


def mean_plies(entry: Iteration) -> float | None:
    """Of the games that results tell of."""
    results = entry.selfplay.results if entry.selfplay else {}
    return next((result.mean_plies for result in results.values()), None)


def _shares(entry: SelfPlayEntry | None) -> tuple[float, float, float] | None:
    """The best's, if it met an opponent."""
    best = entry.results_of_best if entry else None
    return best.shares if best and best.games else None
