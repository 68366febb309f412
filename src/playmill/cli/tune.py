"""`playmill tune`: the quickest lanes, backend and threads of a configuration on this machine, measured and written down."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, Force, Overrides
from playmill.cli.output import print_json
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.bench.tuning import Tuned


def register(app: typer.Typer) -> None:
    app.command()(tune)


def tune(
    config: Annotated[Path, typer.Argument(help="A run's settings, such as configs/connect_four.yaml.", metavar="CONFIG")],
    out: Annotated[
        Path | None, typer.Option(help="The tuned settings. [default: CONFIG with .tuned before its ending]")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long to measure, compiling apart.", min=2.0, max=3600.0)] = 60.0,
    overrides: Overrides = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Measure lanes, backends and threads of a configuration with its own self-play, and write a tuned one.

    What a run learns from does not depend on them but for the backend's last bits. What isn't clearly faster stays.
    """
    require_extra("nets", "tune")
    from playmill.bench.tuning import Tuner, bottleneck
    from playmill.core.files import atomic_write, claim_output
    from playmill.pipeline.checks import check_run
    from playmill.runs.overrides import override

    settings, _, game = check_run(config, overrides or [])
    path = claim_output(out or config.with_suffix(f".tuned{config.suffix}"), force, [config])
    tuned = Tuner(settings, game, seconds, lambda line: typer.echo(line, err=True)).run()
    changes, words = _changes(tuned), bottleneck(tuned)
    text = override(settings, changes, config)[1] if changes else _as_it_is(settings)
    atomic_write(path, _head(config, tuned, changes, words) + text)
    if as_json:
        print_json({"path": path, "changes": changes, "bottleneck": words, **_facts(tuned)})
        return
    typer.echo(f"{path}: {', '.join(changes) or 'nothing is clearly faster than what the file has'}")
    typer.echo(
        f"  {tuned.decisions_s:,.0f} decisions/s, {tuned.ratio:.2f} times the file's own; {tuned.samples_s:,.0f} samples/s"
    )
    typer.echo(f"  {words}")


def _changes(tuned: Tuned) -> list[str]:
    """Settings that are to be others, as --set takes them."""
    own, new = tuned.own, tuned.chosen
    pairs = {
        "backend": (own.backend, new.backend),
        "selfplay.lanes": (own.lanes, new.lanes),
        "workers": (own.workers, new.workers),
        "train.threads": (tuned.own_threads, tuned.threads),
    }
    return [f"{key}={found}" for key, (had, found) in pairs.items() if had != found]


def _facts(tuned: Tuned) -> dict[str, Any]:
    return {**vars(tuned), "own": vars(tuned.own), "chosen": vars(tuned.chosen)}


def _as_it_is(settings: Any) -> str:
    import yaml

    text: str = yaml.safe_dump(settings.model_dump(mode="json", exclude_unset=True), sort_keys=False, allow_unicode=True)
    return text


def _head(config: Path, tuned: Tuned, changes: list[str], words: str) -> str:
    """What the file says of itself."""
    import textwrap

    from playmill.bench.machine import machine_facts

    facts = machine_facts()
    lines = [
        f"{config}, tuned for {facts['cpu']} with {facts['cores']} cores by `playmill tune`.",
        f"Changed: {', '.join(changes) or 'nothing, as nothing was clearly faster'}.",
        f"Self-play: {tuned.decisions_s:,.0f} decisions/s, {tuned.ratio:.2f} times as many as with the file's own settings"
        f" ({tuned.own_decisions_s:,.0f}). Training: {tuned.samples_s:,.0f} samples/s ({tuned.own_samples_s:,.0f}).",
        f"Bottleneck: {words}.",
    ]
    return "".join(f"# {part}\n" for line in lines for part in textwrap.wrap(line, 120))
