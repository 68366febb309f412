"""Where a person's game is kept: written after every move, so that neither Ctrl-C nor a kill loses it."""

from __future__ import annotations

from pathlib import Path

from playmill.core.disk import DiskError, writing
from playmill.replay.saved_game import SavedGame

FOLDER = Path("games")


class KeptGame:
    """A file that was asked for, or else the next free name in ./games, taken with the first move."""

    def __init__(self, path: Path | None, game: str) -> None:
        self.path, self.game = path, game
        self.is_asked_for = path is not None
        self.problem = ""  # why the usual place can't be written

    def write(self, saved: SavedGame) -> None:
        """Write the game as it is now; a usual place that can't be written is told, and the game goes on without."""
        try:
            self.path = self.path or claim_name(FOLDER, self.game)
            saved.write(self.path)
        except DiskError as error:
            if self.is_asked_for:
                raise
            self.problem = str(error)

    @property
    def place(self) -> str:
        """In words, for somebody who leaves."""
        if self.problem:
            return f"not saved ({self.problem})"
        return "not saved, as nothing was played" if self.path is None else f"saved in {self.path}"


def claim_name(folder: Path, game: str) -> Path:
    """The first name in the folder that nobody has; an empty file holds it, so that two games at once don't share one."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            path = folder / f"{game}_{number:04d}.json"
            try:
                path.touch(exist_ok=False)
                return path
            except FileExistsError:
                number += 1
