"""Settings of mining: what the hunter looks for, how a problem is cropped, and what a good puzzle is."""

from __future__ import annotations

from pydantic import Field

from playmill.core.settings import Settings
from playmill.puzzles.grading import GradingSettings
from playmill.puzzles.mining.katago_settings import KataGoMining
from playmill.puzzles.solver.settings import SolverSettings


class SolverHuntSettings(Settings):
    """Which groups of a game the solver looks at."""

    max_empty: int = Field(24, ge=2, le=24, description="Empty points within reach of a group, at most.")
    min_stones: int = Field(2, ge=1, le=100, description="Stones of the chain that a puzzle is about, at least.")
    nodes: int = Field(30_000, ge=1, description="Nodes for the first look at a group.")
    wall_liberties: int = Field(
        1,
        ge=0,
        le=400,
        description="Liberties outside that enclosing chains must have on the whole board; a puzzle needs more.",
    )
    both_sides: bool = Field(
        True, description="Whether to ask for either side to play, not only for the one whose turn it was."
    )
    take_back: int = Field(
        5,
        ge=0,
        le=20,
        description="How many of the last stones played at a group to leave out, one at a time, as if never played.",
    )
    only_mistakes: bool = Field(False, description="Whether the game must have gone on with a wrong move there.")


class MiningSettings(Settings):
    """The conveyor's settings."""

    hunt: SolverHuntSettings = Field(SolverHuntSettings(), description="What the hunter looks for.")
    nodes: int = Field(200_000, ge=1, description="The budget: nodes of the solver for each answer about a problem.")
    wall_liberties: int = Field(
        4, ge=1, le=400, description="Liberties outside that the enclosing chains of a puzzle must have, at least."
    )
    padding: int = Field(3, ge=1, le=9, description="Lines around the fight in which stones are kept.")
    thicken: bool = Field(
        True, description="Whether stones may be added behind enclosing chains that are too weak once the rest is cut off."
    )
    min_plies: int = Field(3, ge=1, le=15, description="Moves of the main line, at least: fewer are trivial.")
    max_plies: int = Field(15, ge=1, le=99, description="Moves of the main line that are shown, at most.")
    wrong_plies: int = Field(6, ge=2, le=99, description="Moves of a refutation with the wrong move, at most.")
    most_replies: int = Field(3, ge=1, le=10, description="The opponent's answers to the right move that are shown, at most.")
    most_wrong: int = Field(6, ge=3, le=30, description="Wrong first moves that are shown with what refutes them, at most.")
    allow_trivial: bool = Field(False, description="Whether captures in one move and the like are puzzles.")
    allow_seki: bool = Field(False, description="Whether a seki may be the best result.")
    katago: KataGoMining = Field(KataGoMining(), description="Finding and judging with KataGo, if that is the engine.")
    grading: GradingSettings = Field(GradingSettings(), description="How difficulty is measured.")

    def solver(self, factor: int = 1) -> SolverSettings:
        """The solver's settings for a problem, with so many times the budget."""
        return SolverSettings(max_nodes=self.nodes * factor, wall_liberties=self.wall_liberties)
