"""`--infer ADDRESS[,ADDRESS]`: commands whose networks answer at servers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.core.errors import UsageError

if TYPE_CHECKING:
    from playmill.serve.opening import RemoteOpener
    from playmill.serve.settings import InferSettings

MANAGED = "managed"
Infer = Annotated[
    str | None,
    typer.Option("--infer", help="Ask `playmill serve` at these addresses for the networks.", metavar="ADDRESS[,ADDRESS]"),
]
RunInfer = Annotated[
    str | None,
    typer.Option(
        "--infer",
        help="Ask `playmill serve` at these addresses for the networks; managed: one of its own.",
        metavar="ADDRESS[,ADDRESS]|managed",
    ),
]
InferKey = Annotated[
    Path | None, typer.Option("--infer-key", help="The client's file of `playmill serve-keys`, where servers want it.")
]


def infer_words(infer: str | None, key: Path | None) -> list[str]:
    """What the options stand for, as changes of settings."""
    if infer is None:
        return [] if key is None else [f"infer.key={key}"]
    chosen = ["infer.managed=true"] if infer == MANAGED else [f"infer.addresses={infer}", "infer.managed=false"]
    return chosen if key is None else [*chosen, f"infer.key={key}"]


def infer_settings(infer: str | None, key: Path | None) -> InferSettings | None:
    """The settings that the options stand for; None without them."""
    from playmill.serve.inference import check_infer
    from playmill.serve.settings import InferSettings

    if infer is None:
        if key is not None:
            raise UsageError("--infer-key: there is no --infer that would need it")
        return None
    settings = InferSettings(addresses=infer, key=None if key is None else str(key))
    if not settings.endpoints:
        raise UsageError("--infer: expected an address such as unix:///tmp/mill.sock, got none")
    check_infer(settings)
    return settings


def infer_opener(infer: str | None, key: Path | None) -> RemoteOpener | None:
    """What opens networks at the servers; None where they answer here."""
    settings = infer_settings(infer, key)
    if settings is None:
        return None
    from playmill.serve.opening import RemoteOpener

    return RemoteOpener(settings)
