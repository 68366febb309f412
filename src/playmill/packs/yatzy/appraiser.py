"""The solved game as the gate's appraiser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playmill.arena.gate_summary import BEST, CANDIDATE
from playmill.arena.match import Match
from playmill.games.yatzy.oracle import Oracle
from playmill.packs.yatzy.luck import Ledger, keep_ledger
from playmill.packs.yatzy.oracle_view import Boards, Choices, Wins, see_boards, see_choices, see_wins

if TYPE_CHECKING:
    from playmill.arena.appraisal import Appraiser


@dataclass(frozen=True)
class OracleView:
    """What the solved game says about the two bots of a gate in these very games."""

    candidate: Boards
    best: Boards
    candidate_choices: dict[str, Choices]
    best_choices: dict[str, Choices]
    wins: Wins  # the candidate's, with and without luck

    def facts(self) -> dict[str, Any]:
        """How often each bot chose as best play does, by kind of decision, and the candidate's win rate without luck."""
        choices = {"candidate": self.candidate_choices, "best": self.best_choices}
        rates = {bot: {kind: found.match_rate for kind, found in by_kind.items()} for bot, by_kind in choices.items()}
        regrets = {bot: by_kind["all"].mean_regret for bot, by_kind in choices.items()}
        return {"oracle_match_rate": rates, "mean_regret": regrets, "fair_win_rate": self.wins.fair.mean}


class OracleAppraiser:
    """Luck on a board is exact, since its game is solved; that of a win is reduced (`luck.py`)."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    def appraise(self, match: Match, workers: int) -> Ledger:
        return keep_ledger(self.oracle, match, workers)

    def join(self, parts: Sequence[Ledger]) -> Ledger:
        return Ledger.join(parts)

    def view(self, appraisal: Ledger) -> OracleView:
        return OracleView(
            candidate=see_boards(appraisal, CANDIDATE),
            best=see_boards(appraisal, BEST),
            candidate_choices=see_choices(appraisal, CANDIDATE),
            best_choices=see_choices(appraisal, BEST),
            wins=see_wins(appraisal, CANDIDATE),
        )


if TYPE_CHECKING:
    _is_appraiser: type[Appraiser] = OracleAppraiser
