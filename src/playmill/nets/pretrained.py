"""Players that come with the package: checkpoints by name, wherever a checkpoint's path is expected.

`models/catalogue.json` lists them. A name stands for a file only where no file of that name is there.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from pydantic import Field

from playmill.core.documents import fit, parse_object, read_bytes
from playmill.core.errors import PlaymillError
from playmill.core.settings import Settings

FOLDER = Path(__file__).parents[1] / "models"
CATALOGUE = "catalogue.json"
CHECKPOINT = ".pt"


class PretrainedModel(Settings):
    """One of the players."""

    name: str = Field(description="What commands call it.")
    game: str = Field(description="Whose player it is.")
    file: str = Field(description="In the folder of the catalogue.")
    sha256: str = Field(description="Of the file.")
    weights_sha256: str = Field(description="Of its weights, as its checkpoint has it.")
    strength: str = Field(description="How good it is, in words and figures.")
    made_by: str = Field(description="The command that trained it.")
    measured_by: str = Field(description="The command that measured this very file.")

    @property
    def path(self) -> Path:
        return FOLDER / self.file

    def check(self) -> None:
        """Raise unless the file is the one that was measured."""
        if not self.path.is_file():
            raise PlaymillError(f"{self.path}: {self.name} is listed, but its file is missing; install playmill again")
        found = hashlib.sha256(self.path.read_bytes()).hexdigest()
        if found != self.sha256:
            raise PlaymillError(f"{self.path}: damaged: expected sha256 {self.sha256}, got {found}; install playmill again")


class Catalogue(Settings):
    """`catalogue.json`."""

    models: list[PretrainedModel] = Field(description="By name.")


@functools.cache
def pretrained() -> dict[str, PretrainedModel]:
    """All of them by name."""
    path = FOLDER / CATALOGUE
    found = fit(Catalogue, str(path), parse_object(read_bytes(path), str(path)))
    return {model.name: model for model in found.models}


def names_for(game: str) -> list[str]:
    """Those that play a game."""
    return [name for name, model in pretrained().items() if model.game == game]


def model_path(model: str | Path) -> Path:
    """The checkpoint that `model` names: a path as it is, a pretrained player's name as the file that came with the package."""
    path = Path(model)
    found = pretrained().get(str(model))
    if found is None or path.exists():
        return path
    found.check()
    return found.path


def name_of(path: Path) -> str | None:
    """The name of the pretrained player whose file this is, if it is one's."""
    return next((name for name, model in pretrained().items() if model.path == path), None)


def is_checkpoint(word: str | Path) -> bool:
    """Whether a word means a checkpoint, and not a bot of a game."""
    return Path(word).suffix == CHECKPOINT or str(word) in pretrained()
