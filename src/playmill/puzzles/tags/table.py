"""All tags: what they are called, what they mean, and how they are told. A new tag is a row here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playmill.puzzles.solution_tree import SolutionTree
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.tags import eyes, liberties, links, places, sacrifices
from playmill.puzzles.tags.study import Study


@dataclass(frozen=True)
class Tag:
    """A tag's name, a sentence for people, and its predicate."""

    name: str
    sentence: str
    is_true: Callable[[Study], bool]


TAGS = (
    Tag("corner", "The fight touches two edges of the board that meet.", places.is_corner),
    Tag("side", "The fight touches an edge, but no corner.", places.is_side),
    Tag("centre", "The fight touches no edge.", places.is_centre),
    Tag("life", "The side to play has to live.", places.is_life),
    Tag("death", "The side to play has to kill.", places.is_death),
    Tag("capturing-race", "Two chains that shut each other in race for liberties.", liberties.is_capturing_race),
    Tag("liberty-shortage", "Chains in atari can't be joined: that would be self-atari.", liberties.has_liberty_shortage),
    Tag("throw-in", "A single stone is put where it can be taken at once.", sacrifices.has_throw_in),
    Tag("snapback", "Whoever takes the stone thrown in loses two or more at once.", sacrifices.has_snapback),
    Tag("sacrifice", "Two or more stones are given away.", sacrifices.has_sacrifice),
    Tag("under-the-stones", "Where stones were taken, a stone takes back or gives atari.", sacrifices.is_under_the_stones),
    Tag("eye-stealing", "The killing move takes the point where an eye would be completed.", eyes.is_eye_stealing),
    Tag("eye-making", "The saving move completes an eye.", eyes.is_eye_making),
    Tag("placement", "The killing move stands inside, with no friend beside it.", eyes.is_placement),
    Tag("reduction", "The killing move makes the eye space smaller from outside.", eyes.is_reduction),
    Tag("connect", "Chains that stood apart are joined.", links.is_connect),
    Tag("escape", "Chains short of liberties get into the open.", links.is_escape),
    Tag("first-line", "The right first move is on the edge of the board.", places.is_first_line),
    Tag("ko-free", "No line of the solution has a ko in it.", links.is_ko_free),
)  # fmt: skip


def tags_of(problem: Tsumego, tree: SolutionTree) -> list[str]:
    """The tags of a problem with this solution, in the table's order."""
    study = Study(problem, tree)
    return [tag.name for tag in TAGS if tag.is_true(study)]
