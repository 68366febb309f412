"""The log of searched roots, stepped through: what the network thought, where the search went, what was played."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import DataTable, Footer, OptionList, Static
from textual.widgets.option_list import Option

from playmill.core.errors import PlaymillError
from playmill.core.events import EventTail
from playmill.games.state import State
from playmill.pipeline.run import kind_of
from playmill.replay.game_text import GamePages
from playmill.runs.folder import RunFolder
from playmill.runs.view import RunView
from playmill.tui.background import Background
from playmill.tui.boards import draw_board, extent

if TYPE_CHECKING:
    from playmill.tui.app import MillApp

LEAST_ACTIONS = 33  # columns of the actions
PADDING = 3  # columns beside a board
MOST = 5_000  # roots in the list, the newest ones
FORMS = {"policy": "{:.1%}", "visits": "{:,}", "priors": "{:.1%}", "noisy_priors": "{:.1%}"}
HEADERS = {"policy": "policy", "visits": "visits", "priors": "prior", "noisy_priors": "noisy"}


class RootsScreen(Screen[None], Background):
    """The roots, the newest first, and the actions of one; beside them its position, as far as its game is kept."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Run")]
    app: MillApp

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self.folder = folder
        self.roots: list[dict[str, Any]] = []
        self.state: State | None = None
        self._open_game = cache(self._game)

    def compose(self) -> ComposeResult:
        yield Static(f" {self.folder.root.name} · searched roots", classes="title", id="head", markup=False)
        with Horizontal():
            with Vertical(id="search"):
                yield OptionList(id="roots", compact=True)
                yield Static("", id="facts", classes="note", markup=False)
                yield DataTable(id="actions", cursor_type="row")
            with VerticalScroll(id="place"):
                yield Static("", id="position")
        yield Footer()

    def on_mount(self) -> None:
        self.read()

    @work(thread=True)
    def read(self) -> None:
        found = [event for event in EventTail(self.folder.roots).take() if event["event"] == "mcts_root"]
        self.later(self._list, found[-MOST:][::-1])

    def _list(self, roots: list[dict[str, Any]]) -> None:
        if not self.is_mounted:
            return
        self.roots = roots
        options = self.query_one(OptionList)
        options.add_options(Option(_prompt(root)) for root in roots)
        if roots:
            options.highlighted = 0
            options.focus()
        else:
            self.query_one("#facts", Static).update("no root is logged yet; `selfplay.root_log_share` says how many are")

    @on(OptionList.OptionHighlighted)
    def _choose(self, event: OptionList.OptionHighlighted) -> None:
        self.open_root(self.roots[event.option_index])

    @work(thread=True, exclusive=True, group="root")
    def open_root(self, root: dict[str, Any]) -> None:
        """Find the position, beside the screen's own thread."""
        pages = self._open_game(int(root["game"]))
        is_known = pages is not None and int(root["ply"]) < len(pages.record.states)
        state = pages.record.states[int(root["ply"])] if pages is not None and is_known else None
        self.later(self.show, root, state)

    def _game(self, number: int) -> GamePages | None:
        """The game, if its shard is still kept."""
        try:
            kind, manifest = kind_of(self.folder.config), RunView(self.folder.root).manifest
            path = next(path for path in kind.files_of_games(self.folder, manifest) if number in kind.games_in(path))
            found = kind.open_game(path, number)
        except (PlaymillError, StopIteration):
            return None
        return found if isinstance(found, GamePages) else None

    def show(self, root: dict[str, Any], state: State | None) -> None:
        """The position, the search's figures, and its actions, the likeliest first."""
        if not self.is_mounted:
            return
        self.state = state
        self.draw()
        self.query_one("#facts", Static).update(_facts(root, _action_words(state, root["played"])))
        table = self.query_one(DataTable)
        table.clear(columns=True)
        names = [name for name in FORMS if name in root]
        table.add_columns("", "action", *(Text(HEADERS[name], justify="right") for name in names))
        order = sorted(range(len(root["actions"])), key=lambda i: (-root["policy"][i], root["actions"][i]))
        for i in order:
            action = root["actions"][i]
            words = _action_words(state, action)
            is_played = action == root["played"]
            cells = (Text(FORMS[name].format(root[name][i]), justify="right") for name in names)
            table.add_row(Text("▶" if is_played else "", style="green"), Text(words, style="bold" if is_played else ""), *cells)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """The position, in as much room as the actions leave; where its game is gone they have all."""
        state, room = self.state, max(self.size.width - LEAST_ACTIONS, LEAST_ACTIONS)
        text = Text("its game is no longer kept") if state is None else draw_board(lambda: str(state), room - PADDING)
        self.query_one("#place").styles.width = min(extent(text)[0] + PADDING, room) if self.has_class("-narrow") else "1fr"
        self.query_one("#position", Static).update(text)


def _prompt(root: dict[str, Any]) -> Text:
    text = Text(f"game {root['game']:,}").append(f" ply {root['ply']}", style="dim")
    return text.append("  fallback", style="bold red") if root.get("fallback") else text


def _action_words(state: State | None, action: int) -> str:
    return f"action {action}" if state is None else state.action_text(action)


def _facts(root: dict[str, Any], played: str) -> str:
    value = "nobody knows its worth" if root["value"] is None else f"worth {root['value']:+.3f} to the mover"
    fell = "; the network's answers were no numbers, and were made even" if root.get("fallback") else ""
    return (
        f"iteration {root['iteration'] + 1}, game {root['game']:,}, ply {root['ply']}: {played} was played; {value}; entropy"
        f" {root['entropy']:.2f}, highest {root['max_prob']:.0%}, temperature {root['temperature']:g}{fell}"
    )
