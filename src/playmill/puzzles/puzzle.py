"""A puzzle as it stands in puzzles.jsonl: the position, its solution tree, how hard it is, and where it comes from."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import Field

from playmill.core.documents import fit, parse_object
from playmill.core.settings import Settings

RANKS = ("25k", "20k", "15k", "10k", "5k", "1k", "1d", "3d", "5d", "9d")  # a band of ten points of difficulty each
PROVED, ENGINE = "proved", "engine"

Share = Annotated[float, Field(ge=0, le=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16,64}$")]


class PuzzleFacts(Settings):
    """What a puzzle's `metadata` holds. Points are SGF points of the published position, such as `ra`."""

    puzzle_id: Digest = Field(description="Of the position, its side to play and its goal, whatever its orientation.")
    orientation: int = Field(0, ge=0, le=7, description="Which of the 8 orientations this is; the same puzzle has one id.")
    side: Literal["black", "white"] = Field(description="Who is to play.")
    goal: Literal["live", "kill"] = Field(description="What the side to play has to do for the marked chains, or to them.")
    marked: list[str] = Field(min_length=1, description="A stone of each chain that the puzzle is about, in order.")
    verification: Literal["proved", "engine"] = Field(description="Proved by the local solver, or judged by an engine.")
    proof: str | None = Field(None, description="Its proof's file, in the folder beside the puzzles; none if it isn't proved.")
    engine: str = Field(description="What found and judged it: `solver`, or `katago` with its version.")
    network: str | None = Field(None, description="The engine's network.")
    budget: int = Field(ge=1, description="Nodes (solver) or visits (engine) that each answer was allowed.")
    generator: str = Field(description="The version of playmill that made it.")
    source: str = Field(description="The game record, by its name below the folder that was mined.")
    source_sgf_hash: Digest = Field(description="SHA-256 of the record's bytes.")
    original_move_number: int = Field(ge=0, description="Moves played before the position.")
    left_out: str | None = Field(None, description="A stone of the game that the position is taken without, if any.")
    added: list[str] = Field(
        [], description="Stones that the game did not have there: walls made strong enough to stand alone."
    )
    katago_winrate_drop: Share | None = Field(None, description="What the move of the game lost in winrate, by the engine.")
    score_loss: float | None = Field(None, description="... and in points.")
    difficulty_score: float = Field(ge=0, le=100, description="How hard it is.")
    difficulty_parts: dict[str, Share] = Field(description="What that is made of, each from 0, easy, to 1, hard.")


class Puzzle(Settings):
    """One line of puzzles.jsonl."""

    difficulty: Literal["25k", "20k", "15k", "10k", "5k", "1k", "1d", "3d", "5d", "9d"]
    initial_state_sgf: str
    solution_sgf: str
    tags: list[str]
    metadata: PuzzleFacts

    @property
    def name(self) -> str:
        """Unlike any other's in a file: the id, and the orientation where it is not the first."""
        facts = self.metadata
        return f"{facts.puzzle_id}.{facts.orientation}" if facts.orientation else facts.puzzle_id

    def line(self) -> str:
        """As a line of JSON, without the end of the line."""
        return json.dumps(self.model_dump(), ensure_ascii=False, allow_nan=False)


def parse_puzzle(line: bytes, where: str) -> Puzzle:
    """The puzzle of a line, or one line on what is wrong with it; `where` names the line."""
    return fit(Puzzle, where, parse_object(line, where))


def rank_of(score: float) -> str:
    """The rank of a difficulty from 0 to 100."""
    return RANKS[min(int(score // 10), len(RANKS) - 1)]
