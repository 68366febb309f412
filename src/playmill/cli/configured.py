"""Commands that take a game, or a run's whole settings in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import complete_game
from playmill.core.errors import UsageError

if TYPE_CHECKING:
    from playmill.nets.checkpoint import Checkpoint
    from playmill.pipeline.settings import RunSettings

GameOrConfig = Annotated[
    str,
    typer.Argument(
        help="A game from `playmill games`, or module:GAME; or a run's settings, such as configs/yatzy_smoke.yaml.",
        metavar="GAME|CONFIG",
        autocompletion=complete_game,
    ),
]


def is_config(word: str) -> bool:
    """Whether the word is a file of settings."""
    return word.endswith((".yaml", ".yml"))


def refuse_given(context: typer.Context, keys: Mapping[str, str]) -> None:
    """Refuse options beside a file of settings that says the same; `keys` are the settings of each option."""
    for name, key in keys.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = name.replace("_", "-")
            raise UsageError(f"--{option}: the file of settings says it; change it there, or with --set {key}=...")


def refuse_other_size(option: str, network: Checkpoint, settings: RunSettings) -> None:
    """Refuse a network that is not the one which a file of settings describes, if it does: another preset's, say.

    Two sizes may meet in a gate of a game, where no settings speak of a network.
    """
    from playmill.runs.settings_text import differences

    told = differences({"net": network.spec.model_dump(mode="json")}, {"net": settings.net.model_dump(mode="json")})
    if "net" in settings.model_fields_set and told:
        raise UsageError(
            f"{option}: {network.path} is of another size than the settings say: {told}; use the settings of its own run"
        )


def refuse_overrides(overrides: list[str] | None) -> None:
    """Refuse --set where there is no file of settings."""
    if overrides:
        raise UsageError("--set: changes a file of settings; name one in place of the game")
