"""Settings of mining with KataGo: the engine, what the hunter looks for, and how clear a judgement must be."""

from __future__ import annotations

from pydantic import Field

from playmill.core.settings import Settings
from playmill.puzzles.katago.settings import KataGoSettings


class HuntSettings(Settings):
    """What counts as a blunder that a puzzle may come from, and how hard the engine looks for it."""

    first_move: int = Field(20, ge=0, description="Moves at a game's beginning that are not looked at.")
    scan_every: int = Field(
        4, ge=1, le=100, description="Moves from one look of the scan to the next; even, so that one side is to play each time."
    )
    scan_visits: int = Field(1, ge=1, description="Visits for each look of the scan; 1 is the network's own opinion.")
    confirm_visits: int = Field(40, ge=1, description="Visits for the positions before and after a move that seems to lose.")
    min_winrate_drop: float = Field(0.15, ge=0, le=1, description="What a move must lose in winrate, or ...")
    min_score_loss: float = Field(5.0, ge=0, description="... in points.")
    scan_share: float = Field(0.5, ge=0, le=1, description="The share of a loss, and of `min_swing`, that the scan must show.")
    decided_winrate: float = Field(0.99, ge=0.5, le=1, description="A side's winrate from which a game is decided.")
    min_swing: float = Field(
        0.7, ge=0, le=2, description="How far the ownership of a chain must go from one side's to the other's, of 2 in all."
    )
    min_stones: int = Field(2, ge=1, description="Stones that must flip.")
    group_reach: int = Field(3, ge=1, le=19, description="Lines between chains of a group that flipped, at most.")
    punish: bool = Field(
        True, description="Whether the position after a blunder is a candidate, too, for the other side to play."
    )
    with_solver: bool = Field(True, description="Whether the solver's hunter looks through each game as well.")
    unsettled_every: int = Field(
        6, ge=0, le=100, description="Moves from one look for groups that hang on who plays first to the next; 0: none."
    )
    unsettled_fate: float = Field(
        0.5, ge=0, le=1, description="How far such a group must belong to whichever side plays first, and to the other if not."
    )


class JudgeSettings(Settings):
    """How hard the engine looks at a problem, and how clear its answer must be."""

    paddings: tuple[int, ...] = Field(
        (3, 5), min_length=1, description="Lines around the marked chains that are kept; the first that keep their fate count."
    )
    active_padding: int = Field(
        2, ge=0, le=9, description="Lines around the marked chains and those that touch them, if none of `paddings` will do."
    )
    margin: int = Field(2, ge=1, le=5, description="Lines from the kept stones to the wall of the frame.")
    first_visits: int = Field(40, ge=2, description="Visits for the first look; each further one has four times as many.")
    budget: int = Field(
        640, ge=2, description="Visits after which a problem that is not clear is too deep; 50,000 with a graphics card."
    )
    clear_winrate: float = Field(0.75, ge=0.5, le=1, description="Winrate in the frame from which a side has succeeded.")
    clear_fate: float = Field(0.5, ge=0, le=1, description="How far the marked stones must belong to that side as well.")
    crop_fate: float = Field(
        0.3, ge=0, le=1, description="How far they must do so at a glance, whoever plays first, for a crop to be looked at."
    )
    plausible_prior: float = Field(0.03, ge=0, le=1, description="The engine's prior from which a wrong move is plausible.")
    most_wrong: int = Field(6, ge=1, le=20, description="Wrong first moves that are shown with their refutations, at most.")
    tree_visits: int = Field(40, ge=2, description="Visits for each position of the solution tree.")
    most_replies: int = Field(3, ge=1, le=10, description="The opponent's answers to the right move, at most.")
    min_plies: int = Field(3, ge=1, le=15, description="The main line's length, at least: what is shorter is trivial.")
    most_plies: int = Field(15, ge=1, le=99, description="The main line's length, at most.")
    allow_seki: bool = Field(False, description="Whether a seki may be the best result.")
    wrong_plies: int = Field(6, ge=2, le=99, description="A refutation's length with the wrong move, at most.")


class KataGoMining(Settings):
    """Mining with KataGo."""

    engine: KataGoSettings = Field(KataGoSettings(), description="The engine.")
    hunt: HuntSettings = Field(HuntSettings(), description="What the hunter looks for.")
    judge: JudgeSettings = Field(JudgeSettings(), description="How a cropped problem is judged.")
