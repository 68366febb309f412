"""What the studio is shown in tests: a folder of runs, and tiny networks to play against."""

from __future__ import annotations

import shutil

from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec, usual_value
from playmill.packs.registry import find_game

MODELS = {"tiny-four": "connect_four", "tiny-yatzy": "yatzy", "tiny-exchange": "exchange", "tiny-togo": "yatzy"}


def copy_runs(smoke_run, folder):
    """A folder with a run, another like it, a damaged one and something else; the folder."""
    runs = folder / "runs"
    for name in ("first", "second", "torn"):
        shutil.copytree(smoke_run, runs / name)
    (runs / "torn" / "run.json").write_text("{")
    (runs / "notes").mkdir()
    return runs


def make_models(folder):
    """A network that knows nothing for each game, by name: its path."""
    paths = {}
    for name, game_name in MODELS.items():
        game = find_game(game_name)
        spec = NetSpec(kind="mlp", hidden=16, blocks=0, value=usual_value(game), togo=name == "tiny-togo")
        paths[name] = folder / f"{name}.pt"
        save_checkpoint(paths[name], make_checkpoint(game, spec, build_net(game, spec)))
    return paths
