"""`playmill models`, `model-export`: the players that come with the package, and networks for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, Force
from playmill.cli.output import print_json, print_table
from playmill.core.errors import UsageError
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.nets.checkpoint import Checkpoint
    from playmill.nets.pretrained import PretrainedModel


def register(app: typer.Typer) -> None:
    app.command()(models)
    app.command("model-export")(model_export)


# ------------------------------------------------------------------ what comes with the package


def models(
    game: Annotated[str | None, typer.Argument(help="Only those that play this game.", metavar="[GAME]")] = None,
    as_json: AsJson = False,
) -> None:
    """List the pretrained players; their names stand wherever a checkpoint is expected, such as --model NAME."""
    from playmill.nets.pretrained import pretrained

    found = [model for model in pretrained().values() if game in (None, model.game)]
    for model in found:
        model.check()
    if as_json:
        print_json([_facts(model) for model in found])
    elif not found:
        typer.echo(f"no pretrained player{f' of {game}' if game else ''} comes with this playmill; `playmill run` trains one")
    else:
        _show(found)


def _facts(model: PretrainedModel) -> dict[str, Any]:
    return {**model.model_dump(exclude={"file"}), "path": model.path, "bytes": model.path.stat().st_size}


def _show(found: list[PretrainedModel]) -> None:
    from rich.table import Table

    table = Table("name", "game", "size", "strength", box=None, pad_edge=False)
    for model in found:
        table.add_row(model.name, model.game, f"{model.path.stat().st_size / 1024:.0f} KiB", model.strength)
    print_table(table)
    for model in found:
        typer.echo(f"\n{model.name}: sha256 {model.sha256}\n  made by      {model.made_by}\n  measured by  {model.measured_by}")


# ------------------------------------------------------------------ for other programs


def model_export(
    model: Annotated[Path, typer.Argument(help="A checkpoint (.pt), or a pretrained player's name.", metavar="MODEL")],
    onnx: Annotated[Path | None, typer.Option(help="Write it as ONNX: float32, any number of rows.")] = None,
    weights: Annotated[
        Path | None, typer.Option("--pt", help="Write it as a checkpoint without what only training needs.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a network for other programs; docs/howto/export_a_model.md runs one with nothing but onnxruntime."""
    require_extra("nets", "a network")
    from playmill.core.files import claim_output
    from playmill.nets.pretrained import model_path
    from playmill.packs.checkpoints import open_checkpoint

    given = [path for path in (onnx, weights) if path is not None]
    if len(given) != 1:
        raise UsageError(f"model-export: expected one of --onnx FILE, --pt FILE, got {len(given)}")
    source = model_path(model)
    checkpoint = open_checkpoint(source)
    claim_output(given[0], force, [source])
    facts = _write_onnx(given[0], checkpoint) if onnx is not None else _write_weights(given[0], checkpoint)
    size = given[0].stat().st_size
    facts = {"model": source, "path": given[0], "bytes": size, "weights_sha256": checkpoint.meta.weights_sha256, **facts}
    print_json(facts) if as_json else typer.echo(f"{given[0]}: {size / 1024:.0f} KiB")


def _write_onnx(path: Path, checkpoint: Checkpoint) -> dict[str, Any]:
    from playmill.core.files import atomic_write
    from playmill.nets.exported import export_onnx, onnx_facts

    atomic_write(path, export_onnx(checkpoint))
    return onnx_facts(checkpoint)


def _write_weights(path: Path, checkpoint: Checkpoint) -> dict[str, Any]:
    from dataclasses import replace

    from playmill.nets.checkpoint import save_checkpoint

    save_checkpoint(path, replace(checkpoint, optimizer=None, extras={}))
    return {}
