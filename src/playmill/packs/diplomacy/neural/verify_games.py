"""Recorded games of a run, played again by the rules and searched again by the players that made them.

A game depends on its number alone, not on its neighbours, its lane or its thread: searched again, it must give the very line
that its file holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from playmill.core.errors import PlaymillError
from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
from playmill.packs.diplomacy.neural.seating import game_settings, open_network, selfplay_players
from playmill.packs.diplomacy.players.team import Team, open_team
from playmill.packs.diplomacy.selfplay.check import check_file
from playmill.packs.diplomacy.selfplay.game import GameTable, SelfPlayGame
from playmill.packs.diplomacy.selfplay.records import read_lines, read_record
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings
from playmill.runs.folder import Iteration, Manifest, RunFolder
from playmill.runs.verification import Problem, VerifyReport, choose_games


class GameVerifier:
    """Compares files of games with what their players do now."""

    def __init__(self, folder: RunFolder, manifest: Manifest, settings: DiplomacyRunSettings, report: VerifyReport) -> None:
        self.folder, self.settings, self.report = folder, settings, report
        self._iterations = {folder.games_of(one.number): one for one in manifest.iterations}

    def run(self, paths: Sequence[Path], games: int, seed: int, progress: Callable[[int], None] | None) -> None:
        """Play all games of these files by the rules, and search some of them again."""
        rows = choose_games([sum(1 for _ in read_lines(path)) for path in paths], games, seed)
        for number, (path, chosen) in enumerate(zip(paths, rows, strict=True)):
            try:
                self._check(path, set(chosen))
            except PlaymillError as error:
                self._tell(path, str(error))
            if progress is not None:
                progress(number + 1)

    def _tell(self, path: Path, what: str, game: int | None = None) -> None:
        # An error of the readers begins with the path, too.
        self.report.problems.append(Problem(self.folder.name_of(path), game, what.removeprefix(f"{path}: ")))

    def _check(self, path: Path, rows: set[int]) -> None:
        totals: Counter[str] = Counter()
        for problem in check_file(path, totals):
            self._tell(path, problem)
        self.report.shards += 1
        self.report.games += totals["games"]
        self.report.replayed += totals["games"]
        if rows:
            self._search_again(path, rows)

    def _search_again(self, path: Path, rows: set[int]) -> None:
        iteration = self._iterations[path]
        settings = game_settings(self.settings, iteration.number, iteration.selfplay.model if iteration.selfplay else None)
        team, table = self._open_team(iteration), GameTable(settings)
        for number, line in read_lines(path):
            if number - 1 not in rows:
                continue
            record = read_record(line, f"{path}: line {number}")
            if record.settings != settings.as_json():
                self._tell(path, "its settings are not the run's", record.game_id)
            elif record.reproducible:
                self.report.searched += 1
                self.report.samples += len(record.phases)
                if play_game(record.game_id, settings, team, table) != line:
                    self._tell(path, "searched again, it is another game", record.game_id)

    def _open_team(self, iteration: Iteration) -> Team:
        """The players of an iteration; refused if their network is not there, or can't run here."""
        played = iteration.selfplay
        model = None if played is None or played.model is None else self.folder.kept(played.model)
        network = open_network(self.settings, model, played.backend if played else None)
        return open_team(selfplay_players(self.settings, network, lanes=1))


def play_game(number: int, settings: DiplomacyGameSettings, team: Team, table: GameTable) -> bytes:
    """A game as a line of a file."""
    game = SelfPlayGame(number, settings, table)
    while not game.is_over:
        game.play(team.decide_round([game.state], [game.player_stream], game.budget)[0])
    return game.record().line()
