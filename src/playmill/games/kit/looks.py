"""Promises about what people see."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from playmill.games.game import Game
from playmill.games.kit.promise import promise
from playmill.games.kit.samples import Sample

ROOT = "{http://www.w3.org/2000/svg}svg"


def needs_picture(game: Game, twin: Any, sample: Sample) -> str | None:
    return None if game.has_picture else "the game has no picture"


@promise("pictures are SVG", needs_picture)
def pictures_are_svg(game: Game, twin: Any, sample: Sample) -> None:
    """Every state of a game has a picture that a notebook can show."""
    for moment in sample.episodes[0].moments():
        try:
            root = ElementTree.fromstring(game.svg(moment.record) or "").tag
        except ElementTree.ParseError as error:
            raise moment.breach(f"the picture is no XML: {error}") from None
        if root != ROOT:
            raise moment.breach(f"the picture begins with <{root}>, not with <svg xmlns=...>")
