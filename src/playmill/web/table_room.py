"""The tables of the studio: games begun, taken up again and listed. Each is a kept game, as `playmill play` keeps them."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from playmill import api
from playmill.arena.entrants import AUTO, POLICY
from playmill.arena.table import PlayTable
from playmill.core.errors import PlaymillError, UnknownName, UsageError
from playmill.games.game import Game
from playmill.packs.judged import judge_actions
from playmill.packs.registry import find_game, find_pack
from playmill.replay.kept_game import KeptGame, claim_name
from playmill.replay.recorded_game import RecordedGame
from playmill.replay.saved_game import Opponent, SavedGame, read_saved
from playmill.web.opponents import Opponents
from playmill.web.table_session import TableSession, known_values

MOST_OPEN = 8  # tables with a thread and a network; whoever comes back to another one finds it as it was
SHOWN = 12  # actions of an opinion


class TableRoom:
    """The games in a folder; those that are played have a thread each."""

    def __init__(self, folder: Path, opponents: Opponents) -> None:
        self.folder, self.opponents = folder, opponents
        self._lock = threading.Lock()
        self._open: OrderedDict[str, TableSession] = OrderedDict()

    def rows(self) -> list[dict[str, Any]]:
        """The kept games, the newest first; a file that is none is left out."""
        files = sorted(self.folder.glob("*.json"), key=lambda path: -path.stat().st_mtime_ns) if self.folder.is_dir() else []
        return [row for path in files if (row := self._row(path)) is not None]

    def begin(self, game: str, against: str, seat: int, simulations: int) -> str:
        """A new game with a seed that nobody knows; its name."""
        rules = find_game(game)
        if not 0 <= seat < rules.players:
            raise UsageError(f"seat: {rules.name} has seats 0 to {rules.players - 1}, got {seat}")
        return self._begin(rules, Opponent(bot=self.opponents.find(rules, against), simulations=simulations), seat)

    def again(self, name: str) -> str:
        """Another game against the opponent of a kept one, from the next seat; its name."""
        _, saved = self._kept(name)
        rules = find_game(saved.game)
        return self._begin(rules, saved.against, (saved.person + 1) % rules.players)

    def _begin(self, rules: Game, opponent: Opponent, seat: int) -> str:
        make_bot = self.opponents.open(rules, opponent)
        names = tuple("you" if place == seat else make_bot(1).name for place in range(rules.players))
        path = claim_name(self.folder, rules.name)
        table = PlayTable(rules, secrets.randbits(53), seat, names, opponent, KeptGame(path, rules.name))
        table.begin([])
        table.save()  # from here on it has a place, whatever happens
        with self._lock:
            self._seat(path.stem, TableSession(table, make_bot, table.states, []))
        return path.stem

    def session(self, name: str) -> TableSession:
        """The table of a kept game, opened if need be."""
        with self._lock:
            known = self._open.get(name)
            if known is None or known.problem:  # one that failed is tried again from its file
                self._seat(name, self._resume(name))
            self._open.move_to_end(name)
            return self._open[name]

    def record(self, name: str) -> RecordedGame:
        """The game so far, to be stepped through."""
        path, saved = self._kept(name)
        return saved.record(path, find_game(saved.game))

    def opinion(self, name: str, by: str | None) -> dict[str, Any]:
        """What a search thinks of the position; without a model it knows the rules alone."""
        session = self.session(name)
        table, state = session.table, session.states[-1]
        model = self.opponents.adviser(table.game, table.against.bot if by is None else self.opponents.find(table.game, by))
        kind = AUTO if table.against.search == POLICY else table.against.search
        if pack := find_pack(table.game.name).preparation:
            pack.run(1, None)
        found = api.search(state, model, table.against.simulations, kind=kind)
        rows = judge_actions(found)
        if model is None and rows[0].regret is not None:  # a search without a network has nothing to say beside the truth
            rows.sort(key=lambda row: row.regret or 0.0)
        return {
            "ply": state.ply,
            "kind": found.kind,
            "model": self.opponents.title(model) if model else None,
            "is_own": model == table.against.bot,
            "values": known_values(found.player_values),
            "rows": [{**vars(row), "is_best": row.is_best} for row in rows[:SHOWN]],
        }

    def close(self) -> None:
        for session in self._open.values():
            session.close()

    def _kept(self, name: str) -> tuple[Path, SavedGame]:
        path = self.folder / f"{name}.json"
        if path.parent != self.folder or not path.is_file():
            raise UnknownName(f"{self.folder}: no game is called '{name:.80}'")
        return path, read_saved(path)

    def _resume(self, name: str) -> TableSession:
        path, saved = self._kept(name)
        rules = find_game(saved.game)
        record = saved.record(path, rules)
        if saved.person >= rules.players:
            raise UsageError(f"{path}: person: expected a seat from 0 to {rules.players - 1}, got {saved.person}")
        kept = KeptGame(path, rules.name)
        table = PlayTable(rules, saved.seed, saved.person, saved.seats, saved.against, kept)
        return TableSession(table, self.opponents.open(rules, saved.against), record.states, saved.actions)

    def _row(self, path: Path) -> dict[str, Any] | None:
        try:
            saved = read_saved(path)
        except PlaymillError:
            return None
        lead = None
        if saved.result is not None:
            others = [value for seat, value in enumerate(saved.result) if seat != saved.person]
            lead = saved.result[saved.person] - max(others, default=0.0)
        return {
            "name": path.stem,
            "game": saved.game,
            "against": self.opponents.title(saved.against.bot),
            "moves": len(saved.actions),
            "is_over": saved.result is not None,
            "lead": lead,
            "changed_ms": path.stat().st_mtime_ns // 1_000_000,
        }

    def _seat(self, name: str, session: TableSession) -> None:
        self._open[name] = session
        if len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)[1].close()
