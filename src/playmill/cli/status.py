"""`playmill status`: where a run is, live or finished, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from playmill.cli.options import AsJson, Run
from playmill.cli.output import print_json

if TYPE_CHECKING:
    from playmill.runs.view import RunView

COLOURS = {"running": "cyan", "done": "green", "failed": "red"}


def register(app: typer.Typer) -> None:
    app.command()(status)


def status(run: Run, as_json: AsJson = False) -> None:
    """Say where a run is: at work, done, stopped or failed, and what its iterations came to so far."""
    from playmill.runs.view import RunView

    view = RunView(run)
    print_json(status_facts(view)) if as_json else show_status(view)


def status_facts(view: RunView) -> dict[str, Any]:
    """What `--json` prints: the state, and the status and counts behind it."""
    state, manifest = view.state, view.manifest
    counts = ("game", "iterations_done", "selfplay_games", "train_steps", "gate_games", "best")
    return {
        "run": view.folder.root,
        "state": state.name,
        "text": state.text,
        "since_ms": state.since_ms,
        **{name: getattr(manifest, name) for name in counts},
        "status": view.status.model_dump(mode="json") if view.status else None,
    }


def show_status(view: RunView) -> None:
    """The screen that the run itself shows, and its state in a line."""
    from rich.console import Console

    from playmill.cli.screen import Screen, draw
    from playmill.pipeline.roles import roles_in
    from playmill.runs.status import Status, as_utc

    state = view.state
    known = view.status or Status(run_id=view.manifest.run_id, iterations=view.iterations, phases=view.phases)
    console = Console(highlight=False)
    foot = f"{state.name} since {as_utc(state.since_ms)}" if state.name != "running" else f"running as process {known.pid}"
    roles, colour = roles_in(view.folder.config), COLOURS.get(state.name, "yellow")
    console.print(draw(Screen(view.folder.root, view.manifest, known, foot, roles, colour), console.width))
    console.print(state.text, markup=False)
