"""The recorded games of a run, stepped through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from playmill.core.errors import PlaymillError
from playmill.pipeline.run import kind_of
from playmill.runs.folder import RunFolder
from playmill.runs.shown_game import ShownGame
from playmill.runs.view import RunView
from playmill.tui.background import Background
from playmill.tui.boards import draw_board, extent

if TYPE_CHECKING:
    from playmill.tui.app import MillApp

MOST_GAMES = 2_000  # in the list, the newest ones
PAUSE_S = 0.7  # between two moves that are played on
PADDING = 3  # columns beside a board
BESIDE = 60  # columns for a board and words beside it; of these the words have at least
LEAST_WORDS = 18
WORD_LINES = 7  # where they stand below


class ViewerScreen(Screen[None], Background):
    """The games on the left, the newest first; the board, and what was done and thought, on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,n", "step(1)", "Next", priority=True),
        Binding("left,b", "step(-1)", "Back", priority=True),
        Binding("home", "go(0)", "Start", priority=True),
        Binding("end", "go(1000000)", "End", priority=True),
        Binding("space", "play", "Play on", priority=True),
        Binding("escape", "app.pop_screen", "Run"),
    ]
    app: MillApp

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self.folder = folder
        self.games: list[tuple[Path, int]] = []
        self.game: ShownGame | None = None
        self.place = 0
        self._playing: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static(f" {self.folder.root.name} · games", classes="title", id="head", markup=False)
        with Horizontal():
            yield OptionList(id="games", compact=True)
            with Vertical(id="game"):
                with VerticalScroll(id="board"):
                    yield Static("", id="position")
                with VerticalScroll(id="words"):
                    yield Static("looking for games …", id="said", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.find_games()

    @work(thread=True)
    def find_games(self) -> None:
        try:
            games = games_of(self.folder)
        except PlaymillError as error:
            self.later(self._say, str(error))
            return
        self.later(self._list, games)

    def _list(self, games: list[tuple[Path, int]]) -> None:
        if not self.is_mounted:
            return
        self.games = games
        options = self.query_one(OptionList)
        options.add_options(Option(Text(f"game {number:,}").append(f"  {path.stem}", style="dim")) for path, number in games)
        if games:
            options.highlighted = 0
            options.focus()
        else:
            self._say("no game is kept yet: they come with the first shard of self-play")

    @on(OptionList.OptionHighlighted)
    def _choose(self, event: OptionList.OptionHighlighted) -> None:
        self.open_game(*self.games[event.option_index])

    @work(thread=True, exclusive=True, group="game")
    def open_game(self, path: Path, number: int) -> None:
        """Play the game again, beside the screen's own thread."""
        try:
            game = kind_of(self.folder.config).open_game(path, number)
        except PlaymillError as error:
            self.later(self._say, str(error))
            return
        self.later(self._open, game)

    def _open(self, game: ShownGame) -> None:
        if self.is_mounted:
            self.game = game
            self.query_one("#head", Static).update(f" {game.title}")
            self.action_go(0)

    def _say(self, line: str) -> None:
        if self.is_mounted:
            self.query_one("#said", Static).update(line)

    # ------------------------------------------------------------------ keys

    def action_step(self, by: int) -> None:
        self.action_go(self.place + by)

    def action_go(self, place: int) -> None:
        if self.game is None:
            return
        self.place = min(max(place, 0), self.game.last)
        self._draw()
        lines = [f"after {self.place} of {self.game.last}", *self.game.lines(self.place)]
        self._say("\n".join(lines))
        if self._playing is not None and self.place == self.game.last:
            self.action_play()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        """The position; a high board has the words beside it where there is room, else they stand below."""
        if self.game is None:
            return
        game, place, room = self.game, self.place, self.query_one("#game").size
        text = draw_board(lambda: game.board(place), room.width - PADDING)
        width, height = extent(text)
        is_beside = height + WORD_LINES > room.height and room.width >= BESIDE
        self.query_one("#game").set_class(is_beside, "beside")
        self.query_one("#board").styles.width = min(width + PADDING, room.width - LEAST_WORDS) if is_beside else None
        self.query_one("#position", Static).update(text)

    def action_play(self) -> None:
        """Play on by itself, until the end or until it is pressed again."""
        if self._playing is None:
            self._playing = self.set_interval(PAUSE_S, lambda: self.action_step(1))
        else:
            self._playing.stop()
            self._playing = None


def games_of(folder: RunFolder) -> list[tuple[Path, int]]:
    """The run's games by file and number, the newest first."""
    view, kind = RunView(folder.root), kind_of(folder.config)
    games: list[tuple[Path, int]] = []
    for path in reversed(kind.files_of_games(folder, view.manifest)):
        games += [(path, number) for number in reversed(kind.games_in(path))]
        if len(games) >= MOST_GAMES:
            break
    return games[:MOST_GAMES]
