"""Many games side by side, one a lane: each round every player is asked once for all games in which it is to move.

Chance comes from an episode's seed, as in `State.apply`; what a player imagines or draws comes from streams of its own. So a
game depends on its seed and its players alone: not on its lane, its neighbours, or when its evaluations come back.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from playmill.core.errors import IllegalAction, PlaymillError
from playmill.games.game import Game
from playmill.games.many import begin_games, first_illegal, movers, play_moves
from playmill.play import kernels
from playmill.play.bots import RandomBot
from playmill.play.player import Ask, Moves, Player
from playmill.play.recorder import Games, Recorder
from playmill.search.decisions import Array, Waiting

MAX_PLIES = 100_000  # no game of ours is a hundredth as long: a game that goes on has no end
OPENING = -1  # who chooses the moves of an opening


class Cohort:
    """Plays the games of `supply` in so many lanes; a lane whose game has ended gets the next one.

    Each game's first `opening` moves are drawn evenly, the same for games of one seed. `is_strict` refuses illegal moves;
    without it players are trusted.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        supply: Iterator[Games],
        lanes: int,
        recorder: Recorder,
        opening: int = 0,
        is_strict: bool = True,
    ) -> None:
        self.game, self.players, self.recorder = game, players, recorder
        self.opening, self.is_strict = opening, is_strict
        self._supply = supply
        self._next = Games(np.empty(0, np.int64), np.empty(0, np.uint64), np.empty((0, game.players), np.int8))
        self._records = game.records(lanes)
        self._seeds = np.zeros(lanes, np.uint64)
        self._seats = np.zeros((lanes, game.players), np.int8)
        self._plies = np.zeros(lanes, np.int32)
        self._is_live = np.zeros(lanes, np.bool_)
        self._opener = RandomBot(game)

    def rounds(self) -> Generator[bool, None, None]:
        """Play, a round at a time. Yields True when all players wait for evaluations, and False after each round."""
        self._fill(np.arange(self._is_live.size))
        while (live := np.flatnonzero(self._is_live)).size:
            for _ in self._round(live):
                yield True
            yield False

    def _fill(self, lanes: Array) -> None:
        """Start the next games in these lanes; they are left empty when there are none."""
        self._is_live[lanes] = False
        while lanes.size and (games := self._take(lanes.size)).numbers.size:
            some, lanes = lanes[: games.numbers.size], lanes[games.numbers.size :]
            self._seeds[some], self._seats[some], self._plies[some], self._is_live[some] = games.seeds, games.seats, 0, True
            begin_games(self.game, some, self._seeds, self.game.records(1), self._records)
            for player in self.players:
                player.forget(some)
            self.recorder.began(some, games)

    def _take(self, count: int) -> Games:
        """The next games, at most so many; none when the supply has run out."""
        while not self._next.numbers.size:
            more = next(self._supply, None)
            if more is None:
                break
            self._next = more
        taken, self._next = self._next.take(slice(count)), self._next.take(slice(count, None))
        return taken

    def _round(self, live: Array) -> Waiting[None]:
        """One move of every game."""
        if self._plies[live].max() >= MAX_PLIES:
            raise PlaymillError(f"{self.game.name}: a game is not over after {MAX_PLIES} moves")
        asks = self._asks(live)
        answers = yield from self._answers(asks)
        actions = np.empty(self._is_live.size, np.int32)
        for number, ask in asks.items():
            moves = answers[number]
            if self.is_strict:
                self._check(number, ask, moves.actions)
            self.recorder.decided(number, ask, moves)
            actions[ask.lanes] = moves.actions
        self._play(live, actions[live])

    def _asks(self, live: Array) -> dict[int, Ask]:
        """What each player is to decide."""
        seat = np.empty(live.size, np.int8)
        movers(self.game, self._records[live], seat)
        owner = np.where(self._plies[live] < self.opening, OPENING, self._seats[live, seat])
        asked = ((number, live[owner == number]) for number in range(OPENING, len(self.players)))
        return {number: self._ask(number, lanes) for number, lanes in asked if lanes.size}

    def _ask(self, number: int, lanes: Array) -> Ask:
        # A player gets words that the episode's own chance never uses: a search that imagines with them can't foresee.
        event = kernels.OPENING_EVENT if number == OPENING else kernels.SEARCH_EVENT
        return Ask(
            lanes,
            self._records[lanes],
            self._plies[lanes],
            self._words(lanes, event),
            self._words(lanes, kernels.CHOICES_EVENT),
        )

    def _words(self, lanes: Array, event: np.uint64) -> Array:
        words = np.empty(lanes.size, np.uint64)
        kernels.words_of(lanes, self._seeds, event, self._plies, words)
        return words

    def _answers(self, asks: dict[int, Ask]) -> Waiting[dict[int, Moves]]:
        """Ask every player once; wait only when all that are still at it wait."""
        thinking = {number: self._player(number).choose(ask) for number, ask in asks.items()}
        answers = {}
        while True:
            for number, work in list(thinking.items()):
                try:
                    next(work)
                except StopIteration as end:
                    answers[number] = end.value
                    del thinking[number]
            if not thinking:
                return answers
            yield

    def _player(self, number: int) -> Player:
        return self._opener if number == OPENING else self.players[number]

    def _check(self, number: int, ask: Ask, actions: Array) -> None:
        """Refuse an illegal action: kernels would play it."""
        wrong = first_illegal(self.game, ask.records, actions, np.empty(self.game.max_legal, np.int32))
        if wrong >= 0:
            name, state = self._player(number).name, self.game.text(ask.records[wrong])
            raise IllegalAction(f"{self.game.name}: {name} chose action {actions[wrong]}, which is illegal in '{state}'")

    def _play(self, live: Array, actions: Array) -> None:
        """Play with the episodes' own chance, tell everybody, and refill the lanes of games that ended."""
        utilities, is_over = np.zeros((live.size, self.game.players)), np.zeros(live.size, np.bool_)
        play_moves(self.game, live, self._seeds, actions, self._records, utilities, is_over)
        self._plies[live] += 1
        over, going_on = live[is_over], live[~is_over]
        if over.size:
            self.recorder.ended(over, utilities[is_over], self._records[over])
        for player in self.players:
            player.moved(going_on, actions[~is_over], self._records[going_on])
        self._fill(over)


def run_in_turn(cohorts: Sequence[Cohort]) -> Generator[None, None, None]:
    """Play several cohorts in one thread, another one whenever one waits; yields after each round of any of them.

    Whoever stops asking stops the games.
    """
    playing = [cohort.rounds() for cohort in cohorts]
    while playing:
        for rounds in list(playing):
            for waits in rounds:
                if waits:
                    break
                yield
            else:
                playing.remove(rounds)
