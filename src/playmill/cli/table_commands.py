"""What a person may say at the table besides a move, and the answers: hints, the engine's opinion, the game so far."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.arena.table import PlayTable
from playmill.cli.table import SOFT, say_wrapped, unbroken
from playmill.core.files import claim_output
from playmill.core.terminal import columns
from playmill.games.game import Game
from playmill.games.state import State

if TYPE_CHECKING:
    from playmill.api import Model

HELP = {
    "a move": "its name as ? lists it; in most games a part that no other has",
    "? [PART]": "legal moves; of a square, a piece, a beginning",
    "opinion": "what the engine thinks of the position",
    "undo": "back to your last decision",
    "board": "the board again",
    "moves": "the game so far",
    "save [FILE]": "where the game is kept; or a copy of it",
    "help": "this",
    "q": "leave; the game is kept",
}
SHOWN = 6  # moves in an opinion
FEW = 9  # moves that are always listed


def show_help(game: Game) -> None:
    """What may be said, then how the game's board and moves are read."""
    for title, rows in (("", HELP), (f"{game.name}:", game.legend)):
        if title and rows:
            say_wrapped(title)
        for words, meaning in rows.items():
            say_wrapped(f"  {words:<12} {meaning}", " " * 15)


def show_moves(table: PlayTable) -> None:
    for line in table.moves() or ["nothing has been played yet"]:
        say_wrapped(line, "     ")


# ------------------------------------------------------------------ hints


def show_hints(state: State, part: str) -> None:
    """The legal moves under what they belong to; with a `part` only those that it is the beginning, or a word, of."""
    groups = _groups(state, part)
    if not groups:
        say_wrapped(f"no legal move is listed under '{part}'; ? alone lists all")
    width = max(map(len, groups), default=0)
    for name, texts in groups.items():
        head = f"  {name:<{width}}  " if name else "  "
        say_wrapped(head + "  ".join(map(unbroken, texts)), " " * len(head), head, SOFT)


def short_list(state: State) -> str:
    """The legal moves where there are few, or a line has room for them; else nothing."""
    texts = dict.fromkeys(state.action_text(action) for action in state.legal_actions)
    line = "  ".join(unbroken(text) for text in texts)
    return line if len(texts) <= FEW or len(line) < columns() else ""


def _groups(state: State, part: str) -> dict[str, list[str]]:
    record, groups = state.record, dict[str, dict[str, None]]()
    for action in state.legal_actions:
        text, name = state.action_text(action), state.game.action_group(record, action)
        if not part or text.lower().startswith(part) or part in f"{name} {text}".lower().split():
            groups.setdefault(name, {})[text] = None  # of those that read alike, the first
    return {name: list(texts) for name, texts in groups.items()}


# ------------------------------------------------------------------ the engine's opinion


class Adviser:
    """A search that is asked for its opinion; its network is opened when it is first asked."""

    def __init__(self, model: Path | None, search: Any, simulations: int) -> None:
        self.path, self.search, self.simulations = model, search, simulations
        self._model: Model | None = None

    def show(self, state: State, seat: int) -> None:
        """What it thinks of the position, and its best moves."""
        from playmill import api
        from playmill.cli.explore import NO_MODEL, search_table
        from playmill.cli.output import print_table, table_console
        from playmill.packs.judged import judge_actions

        if self.path is not None and self._model is None:
            self._model = api.load_model(self.path, state.game)
        found = api.search(state, self._model, self.simulations, kind=self.search)
        if self.path is None:
            say_wrapped(f"no model: {NO_MODEL}")
        rows = judge_actions(found)
        worth = found.player_values[seat]
        whose = f"{self.path.name}, {found.kind}" if self.path is not None else found.kind
        say_wrapped(f"{whose}: the position is worth {worth:+.3f} to you; it would play {rows[0].text}")
        print_table(search_table(rows[:SHOWN], is_short=True), table_console())


# ------------------------------------------------------------------ keeping


def save_game(table: PlayTable, place: str) -> None:
    """Keep the game; with a place, a copy of it there."""
    if place:
        table.saved().write(claim_output(Path(place)))
        say_wrapped(f"a copy is in {place}")
    elif table.actions:
        table.save()
        say_wrapped(table.kept.place)
    else:
        say_wrapped("nothing has been played yet; it is kept from the first move on")
