"""The blunder hunter: where a move of a game lost much and a group's fate with it, by KataGo's judgement.

Every few positions the engine is asked at a glance, and only where a group changed hands, move by move. Where a move seems to
have lost the group, the positions before and after it are looked at again for many visits, and only what stands then becomes a
candidate. A raw network thinks too well of the side to play, by some two points: a glance must have the same side to play each
time, or its losses are no more than that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.sgf.record import GoRecord
from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.katago.analyst import Analyst, shared_analyst
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.engine_game import EngineGame
from playmill.puzzles.mining.flips import find_flipped
from playmill.puzzles.mining.hunt_unsettled import hunt_unsettled
from playmill.puzzles.mining.katago_settings import HuntSettings, KataGoMining


def hunt(record: GoRecord, source: SourceFacts, settings: KataGoMining) -> Iterator[Candidate]:
    """The game's blunders that cost a group its fate, in order, and then its groups that hang on who plays first."""
    game, analyst = EngineGame(record, source), shared_analyst(settings.engine)
    yield from _Hunt(game, settings.hunt, analyst).candidates()
    yield from hunt_unsettled(game, settings.hunt, analyst)


class _Hunt:
    """One game at work."""

    def __init__(self, game: EngineGame, settings: HuntSettings, analyst: Analyst) -> None:
        self.game, self.record, self.settings, self.analyst = game, game.record, settings, analyst

    def candidates(self) -> Iterator[Candidate]:
        """Scan, confirm, and see what flipped."""
        doubtful = self._scan()
        needed = sorted({turn + more for turn in doubtful for more in (0, 1)})
        looked = self._look(needed, self.settings.confirm_visits)
        for turn in doubtful:
            if self._is_blunder(turn, looked, 1.0):
                yield from self._candidates(turn, looked)

    def _scan(self) -> list[int]:
        """The moves that seem to lose a group, at a glance.

        First every few positions are looked at. Between two with no group lost from one to the other nothing happened, unless
        it was undone at once; the others' gaps are looked at move by move.
        """
        settings, last = self.settings, len(self.record.moves)
        coarse = [*range(self.game.first(settings), last, settings.scan_every), last]
        looked = self._look(coarse, settings.scan_visits)
        gaps = [(one, other) for one, other in pairwise(coarse) if self._differs(one, other, looked)]
        turns = [turn for one, other in gaps for turn in range(one, other)]
        looked |= self._look(sorted({turn + more for turn in turns for more in (0, 1)} - looked.keys()), settings.scan_visits)
        return [turn for turn in turns if self._is_doubtful(turn, looked)]

    def _look(self, numbers: list[int], visits: int) -> dict[int, Analysis]:
        """Answers about the positions after so many moves."""
        return dict(
            zip(numbers, self.analyst.analyse_all([self.game.query(number, visits) for number in numbers]), strict=True)
        )

    def _differs(self, one: int, other: int, looked: dict[int, Analysis]) -> bool:
        """Whether either side seems to have lost a group from the one position to the other."""
        return any(self._lost(one, other, side, looked, self.settings.scan_share) for side in (BLACK, WHITE))

    def _is_doubtful(self, turn: int, looked: dict[int, Analysis]) -> bool:
        """Whether the move seems to be a blunder that lost a group."""
        mover, share = self.record.moves[turn][0], self.settings.scan_share
        is_blunder = self._is_in_turn(turn) and self._is_blunder(turn, looked, share)
        return is_blunder and bool(self._lost(turn, turn + 1, mover, looked, share))

    def _lost(self, one: int, other: int, loser: int, looked: dict[int, Analysis], share: float = 1.0) -> tuple[int, ...]:
        """The chains that a side lost from the one position to the other, as they stand in the first."""
        return find_flipped(self.game.board(one), looked[one], looked[other], loser, self.settings, share)

    def _is_in_turn(self, number: int) -> bool:
        """Whether the side that moved is the one that the engine takes to be to move."""
        moves = self.record.moves
        return moves[number][0] == (3 - moves[number - 1][0] if number else self.record.to_move)

    def _is_blunder(self, turn: int, looked: dict[int, Analysis], share: float) -> bool:
        """Whether the move lost enough, in a game that was not decided before it."""
        winrate = looked[turn].winrate(self.record.moves[turn][0])
        drop, loss = self._losses(turn, looked)
        limits = self.settings
        is_open = 1 - limits.decided_winrate < winrate < limits.decided_winrate
        return is_open and (drop > share * limits.min_winrate_drop or loss > share * limits.min_score_loss)

    def _losses(self, turn: int, looked: dict[int, Analysis]) -> tuple[float, float]:
        """What the move lost for the side that made it, in winrate and in points."""
        mover, before, after = self.record.moves[turn][0], looked[turn], looked[turn + 1]
        return before.winrate(mover) - after.winrate(mover), before.lead(mover) - after.lead(mover)

    def _candidates(self, turn: int, looked: dict[int, Analysis]) -> Iterator[Candidate]:
        """If a group flipped: the position before the move, which missed something, and the one after it, to punish that."""
        mover, played = self.record.moves[turn]
        marked = self._lost(turn, turn + 1, mover, looked)
        if not marked:
            return
        losses = self._losses(turn, looked)
        board, after = self.game.board(turn), self.game.board(turn + 1)
        yield replace(self.game.candidate(turn, board, mover, marked, losses), played=played)
        left = {int(after.head[cell]) for cell in marked if after.colour[cell] == board.colour[cell]}
        if self.settings.punish and left:
            yield self.game.candidate(turn + 1, after, 3 - mover, tuple(sorted(left)), losses)
