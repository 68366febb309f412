"""`playmill config`: a commented file of settings to start from, and the page that documents every key."""

from __future__ import annotations

from typing import Annotated

import typer

from playmill.cli.options import PresetName, complete_game
from playmill.core.errors import UsageError

PAGE = """# Settings

Every key of a settings file. The page is made from the settings themselves:
`playmill config --docs > docs/settings.md`. `playmill config GAME` prints a file with all of them to start from;
`--set KEY=VALUE` changes one for a run.

## A run: `playmill run`, `playmill selfplay`

{run}
## A run of Diplomacy: `playmill run`

{diplomacy}"""


def register(app: typer.Typer) -> None:
    app.command()(config)


def config(
    game: Annotated[
        str | None,
        typer.Argument(help="A game from `playmill games`, or module:GAME.", metavar="GAME", autocompletion=complete_game),
    ] = None,
    preset: PresetName = None,
    docs: Annotated[bool, typer.Option("--docs", help="Print docs/settings.md instead: every key, for all games.")] = False,
) -> None:
    """Print a commented file of settings to start a run from."""
    if (game is None) != docs:
        raise UsageError("config: expected a game, such as `playmill config yatzy`, or --docs")
    if preset is not None and game is None:
        raise UsageError("config: --preset is for a game, such as `playmill config exchange --preset tiny`")
    from playmill.pipeline.run import starting_text

    typer.echo(_page() if game is None else starting_text(game, preset), nl=False)


def _page() -> str:
    from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
    from playmill.packs.registry import load_packs
    from playmill.pipeline.settings import RunSettings
    from playmill.runs.settings_text import markdown

    load_packs()
    return PAGE.format(run=markdown(RunSettings), diplomacy=markdown(DiplomacyRunSettings))
