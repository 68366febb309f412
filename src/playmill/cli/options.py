"""Arguments and options that several commands have: one name, one meaning, one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def complete_game(incomplete: str) -> list[str]:
    """The games that begin so, for the Tab key."""
    from playmill.games.registry import game_names

    return [name for name in game_names() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(help="A game from `playmill games`, or module:GAME.", metavar="GAME", autocompletion=complete_game),
]
Run = Annotated[Path, typer.Argument(help="A run's folder, finished or not.", metavar="RUN")]
Seed = Annotated[int, typer.Option(help="Same seed, same games.")]
Workers = Annotated[int | None, typer.Option(help="Threads; results don't depend on it. [default: all cores]")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change one setting, such as train.lr=0.01; may be given more than once.", metavar="KEY=VALUE"),
]
PresetName = Annotated[
    str | None,
    typer.Option("--preset", help="A named preset of the game, such as tiny or medium; `playmill games` lists them."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
