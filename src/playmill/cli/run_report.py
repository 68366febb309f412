"""A run as one page: how strong it became and when, its gates, its losses, its rates. Made of its `RunView`."""

from __future__ import annotations

from pathlib import Path

from playmill.arena.measure import Column, Shown
from playmill.cli import report_cards as cards
from playmill.cli import report_page as html
from playmill.packs.shown import cells_of, columns_of, last_found, shown_of
from playmill.pipeline.roles import roles_in
from playmill.pipeline.run import kind_of, require_pack
from playmill.runs.folder import Manifest
from playmill.runs.meetings import have_met, results_cell, results_header
from playmill.runs.status import as_utc
from playmill.runs.steps import RESULT_COLUMNS, Step, duration, result_cells, steps_of
from playmill.runs.view import RunView

OPEN_ROWS = 24  # a longer table begins folded
HASH_DIGITS = 12


def make_report(root: Path) -> str:
    """The page about the run in `root`, finished or not."""
    view = RunView(root)
    require_pack(view.folder, view.manifest)
    manifest, steps, roles = view.manifest, steps_of(view.manifest), roles_in(view.config)
    parts = [
        _header(view),
        html.tiles(_figures(manifest, steps)),
        cards.measures(manifest, steps),
        cards.players(steps, roles),
        cards.summaries(manifest, steps),
        cards.breakdowns(manifest, steps),
        cards.losses(steps),
        cards.validation(steps),
        cards.searches(steps),
        cards.rates(steps),
        html.card("The run", "", html.facts(_facts(view)), "wide"),
        _table(manifest, steps, columns_of(manifest), results_header(roles)),
        f"<footer>Written by playmill {manifest.playmill} from {view.folder.manifest.name}.</footer>",
    ]
    return html.page(f"{manifest.run_id}: {manifest.game}", "\n".join(part for part in parts if part))


def _header(view: RunView) -> str:
    manifest, state = view.manifest, view.state
    is_done = manifest.phase == "done"
    badge = "finished" if is_done else f"unfinished: {manifest.phase}"
    line = f"{manifest.game}, {manifest.iterations_done} of {view.iterations} iterations"
    return html.header(manifest.run_id, line if is_done else f"{line}; {state.text}", badge, is_done)


def _figures(manifest: Manifest, steps: list[Step]) -> list[tuple[str, str]]:
    """What one wants to know first."""
    figures: list[tuple[str, str]] = []
    for shown in shown_of(manifest):
        figures += shown.figures(last_found(shown, steps))
    gates = [step.entry.gate for step in steps if step.entry.gate]
    figures.append((f"{sum(gate.promote for gate in gates)} of {len(gates)}", "candidates promoted"))
    figures.append((f"{manifest.selfplay_games:,}", "games of self-play"))
    figures.append((duration(steps[-1].minutes if steps else 0.0), "of work"))
    return figures


def _facts(view: RunView) -> dict[str, str]:
    manifest, told = view.manifest, kind_of(view.config).load(view.config)[0].describe()
    rows = {
        "game": f"{manifest.game} ({manifest.ruleset}, {manifest.action_space}, features {manifest.feature_schema})",
        "begun": as_utc(manifest.created_ms),
        "seed": str(manifest.seed),
        **told,
        "training": f"{manifest.train_steps:,} steps in all, {told['training']}",
        "best weights": (manifest.best or "none yet")[:HASH_DIGITS],
        "code": f"playmill {manifest.playmill}, commit {manifest.commit or 'not known'}",
        "settings": manifest.settings_hash[:HASH_DIGITS],
    }
    return {name: value for name, value in rows.items() if value}


def _table(manifest: Manifest, steps: list[Step], measured: list[tuple[Shown, Column]], met: str) -> str:
    """The iterations, the newest first; `met` heads how self-play's players fared."""
    if not steps:
        return ""
    columns = ["iteration", "minutes", *RESULT_COLUMNS]
    columns += [*([met] if have_met(manifest) else []), *(column.header for _, column in measured)]
    fared = [[results_cell(step.entry)] if have_met(manifest) else [] for step in steps]
    rows = [[*_row(step), *cells, *cells_of(step.entry, measured)] for step, cells in zip(steps, fared, strict=True)][::-1]
    is_open = " open" if len(rows) <= OPEN_ROWS else ""
    return f'<details class="card"{is_open}><summary>Iterations</summary>{html.table(columns, rows)}</details>'


def _row(step: Step) -> list[str]:
    return [f"{step.number}", f"{step.minutes:.1f}", *result_cells(step.entry)]
