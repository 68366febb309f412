"""A game that somebody played, saved as one JSON object (`docs/formats.md`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from playmill.core.documents import fit, parse_object, read_bytes
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write
from playmill.games.game import Game
from playmill.games.state import State
from playmill.replay.meta import expect, identity
from playmill.replay.recorded_game import MoveNote, RecordedGame, record_game

FORMAT = "playmill.game"
VERSION = 1
MOST_MOVES = 100_000


class Opponent(BaseModel):
    """The bot in the seats that nobody sat in, named as `playmill play` takes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    bot: str = Field(description="A bot's name, or a checkpoint's path.")
    search: str = Field("auto", description="What it thought with.")
    simulations: int = Field(400, ge=1, description="How many simulations it had.")


class SavedGame(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str = Field(FORMAT, description="Names the kind of file.")
    version: int = Field(VERSION, description="Rises when older readers would misread the file.")
    game: str = Field(description="Name of the game.")
    ruleset: str = Field(description="Which rules were played.")
    action_space: str = Field(description="What an action's number means.")
    seed: int = Field(ge=0, lt=1 << 64, description="The episode: all chance of the game.")
    seats: tuple[str, ...] = Field(description="Who sat in each seat.")
    person: int = Field(ge=0, description="The seat of whoever played at the terminal.")
    against: Opponent = Field(description="The bot in the other seats.")
    actions: tuple[int, ...] = Field(max_length=MOST_MOVES, description="Every action in order, of all seats.")
    texts: tuple[str, ...] = Field(description="The same for people.")
    key: str = Field(description="Key of the last position in hex, to which the actions must lead again.")
    result: tuple[float, ...] | None = Field(None, description="Final utilities by seat; null while the game goes on.")

    @classmethod
    def of(cls, states: Sequence[State], actions: Sequence[int], **fields: object) -> SavedGame:
        """The game that went through `states` by `actions`."""
        first, last = states[0], states[-1]
        texts = tuple(state.action_text(action) for state, action in zip(states, actions, strict=False))
        result = last.returns if last.is_over else None
        played = {"seed": first.seed, "actions": tuple(actions), "texts": texts, "key": _key(last), "result": result}
        return cls.model_validate({**_rules(first.game), **played, **fields})

    def write(self, path: Path) -> None:
        """Write the file, all of it or nothing; equal games give equal bytes."""
        atomic_write(path, json.dumps(self.model_dump(mode="json"), indent=1, allow_nan=False) + "\n")

    def record(self, path: Path, game: Game) -> RecordedGame:
        """The game played again by the rules of `game`; refused where it comes to something else than the file says."""
        for name, value in _rules(game).items():
            expect(path, name, value, getattr(self, name))
        expect(path, "seats", game.players, len(self.seats))
        expect(path, "texts", len(self.actions), len(self.texts))
        facts = {"person": self.person, "against": self.against.model_dump()}
        record = record_game(
            str(path), game, 0, self.seed, self.actions, lambda state: MoveNote(self.seats[state.to_move]),
            seats=self.seats, source=path.name, facts=facts,
        )  # fmt: skip
        for i, move in enumerate(record.moves):
            expect(path, f"texts.{i}", move.text, self.texts[i])
        expect(path, "key", _key(record.final), self.key)
        expect(path, "result", record.returns, self.result)
        return record


def read_saved(path: Path) -> SavedGame:
    """The file, its fields checked; `SavedGame.record` checks the game itself."""
    content = parse_object(read_bytes(path), str(path), PlaymillError)
    expect(path, "format", FORMAT, content.get("format"))
    version = content.get("version")
    if isinstance(version, int) and version > VERSION:
        raise PlaymillError(f"{path}: version: expected at most {VERSION}, got {version}; a newer playmill wrote it")
    expect(path, "version", VERSION, version)
    return fit(SavedGame, str(path), content, PlaymillError)


def _rules(game: Game) -> dict[str, str]:
    """The fields in which a file and a game must agree."""
    return {name: identity(game)[name] for name in ("game", "ruleset", "action_space")}


def _key(state: State) -> str:
    return f"{state.key:016x}"
