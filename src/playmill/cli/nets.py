"""`playmill model-init`, `model-info`: make a new network, and say what a file holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, Force, GameName
from playmill.cli.output import print_json
from playmill.core.errors import require_seed
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.nets.checkpoint import Checkpoint


def register(app: typer.Typer) -> None:
    app.command("model-init")(model_init)
    app.command("model-info")(model_info)


def model_init(
    game: GameName,
    out: Annotated[Path, typer.Option(help="The checkpoint to write, e.g. runs/1/models/best.pt.")],
    kind: Annotated[str | None, typer.Option(help="mlp, conv, or the game's own. [default: conv for boards, else mlp]")] = None,
    hidden: Annotated[int, typer.Option(help="Width of the MLP.")] = 256,
    blocks: Annotated[int, typer.Option(help="Residual blocks.")] = 2,
    channels: Annotated[int, typer.Option(help="Planes inside a board net.")] = 64,
    margin: Annotated[bool, typer.Option(help="Answer the final score difference, too.")] = False,
    togo: Annotated[bool, typer.Option(help="Answer the points still to come, too.")] = False,
    seed: Annotated[int, typer.Option(help="Same seed, same weights.")] = 0,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a checkpoint with new weights."""
    require_extra("nets", "a network")
    from playmill.core.files import claim_output
    from playmill.nets.checkpoint import check_suffix, make_checkpoint, save_checkpoint
    from playmill.nets.model import build_net
    from playmill.nets.spec import make_spec, usual_kind, usual_value
    from playmill.packs.registry import find_game

    rules = find_game(game)
    size = {"hidden": hidden, "blocks": blocks, "channels": channels}
    spec = make_spec({"kind": kind or usual_kind(rules), "value": usual_value(rules), **size, "margin": margin, "togo": togo})
    check_suffix(claim_output(out, force))
    checkpoint = make_checkpoint(rules, spec, build_net(rules, spec, require_seed(seed)))
    save_checkpoint(out, checkpoint)
    if as_json:
        print_json({"path": out, **_facts(checkpoint)})
    else:
        typer.echo(f"{_parameters(checkpoint)} parameters in {out}")


def model_info(path: Annotated[Path, typer.Argument(help="A checkpoint (.pt).")], as_json: AsJson = False) -> None:
    """Say what a checkpoint holds: its shape, the game it was made for, where it comes from."""
    require_extra("nets", "a network")
    from playmill.packs.checkpoints import open_checkpoint

    facts = _facts(open_checkpoint(path))
    if as_json:
        print_json({"path": path, **facts})
    else:
        for name, value in facts.items():
            typer.echo(f"{name}: {_text(value)}")


def _facts(checkpoint: Checkpoint) -> dict[str, Any]:
    return {"parameters": _parameters(checkpoint), **checkpoint.spec.model_dump(), **checkpoint.meta.model_dump()}


def _parameters(checkpoint: Checkpoint) -> int:
    return sum(tensor.numel() for tensor in checkpoint.weights.values())


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "-" if value is None else str(value)
