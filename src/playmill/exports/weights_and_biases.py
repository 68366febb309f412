"""Scalars as a run of Weights & Biases, online or in files for `wandb sync`."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from playmill.core.errors import PlaymillError, one_line
from playmill.exports.cursor import Cursor
from playmill.exports.scalars import Scalars
from playmill.runs.settings_file import read_content
from playmill.runs.view import RunView

ID_DIGITS = 12
DEFAULT_PROJECT = "playmill"
STEPPED = ("train_step", "train_validation")  # drawn over optimizer steps; everything else over iterations


class WandbRun:
    """One run there for one run here, whoever goes on with it: its id follows from the run.

    A row has the cursor's number as its step. What is told twice after a kill has the same step, and wandb drops it.
    """

    def __init__(self, folder: Path, cursor: Cursor, view: RunView, project: str, is_offline: bool) -> None:
        os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
        self.cursor = cursor
        self._run = _open(
            project=project,
            id=run_key(cursor),
            name=view.manifest.run_id,
            dir=str(folder),
            resume=None if is_offline else "allow",  # files of their own are put together by `wandb sync --append`
            config=_config(view),
            settings=_settings(is_offline),
        )
        for kind in STEPPED:
            self._run.define_metric(f"{kind}/*", step_metric="run_step")
        self._run.define_metric("*", step_metric="iteration")

    def tell(self, event: dict[str, Any], scalars: Scalars) -> None:
        places = {"iteration": event.get("iteration", 0), "run_step": event.get("step", 0)}
        self._run.log({**scalars, **places}, step=self.cursor.rows)

    def flush(self) -> None:
        """wandb writes in a process of its own, which no kill of ours reaches."""

    def close(self) -> None:
        self._run.finish()


def _open(**words: Any) -> Any:
    import wandb

    try:
        return wandb.init(**words)
    except wandb.Error as error:
        raise PlaymillError(f"wandb: {one_line(error).rstrip('.')}; or write files with --offline") from None


def run_key(cursor: Cursor) -> str:
    """The id over there: of run, settings and moment."""
    text = f"{cursor.run_id} {cursor.config_hash} {cursor.created_ms}"
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


def _config(view: RunView) -> dict[str, Any]:
    """The settings as they were given, and whose they are."""
    manifest = view.manifest
    names = ("run_id", "game", "ruleset", "action_space", "feature_schema", "settings_hash", "playmill", "commit")
    return {**read_content(view.config)[0], "playmill_run": {name: getattr(manifest, name) for name in names}}


def _settings(is_offline: bool) -> Any:
    """Only what we tell: no console, no code, no figures of this machine."""
    import wandb

    return wandb.Settings(
        mode="offline" if is_offline else "online",
        console="off",
        silent=True,
        disable_git=True,
        save_code=False,
        x_disable_stats=True,
        x_disable_meta=True,
        x_disable_machine_info=True,
        x_save_requirements=False,
    )
