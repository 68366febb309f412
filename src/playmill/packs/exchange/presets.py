"""Settings for runs of EXCHANGE: what all have, and the four sizes."""

from __future__ import annotations

from typing import Any

from playmill.packs.exchange.shaped import SHAPED
from playmill.packs.pack import Preset, RunOption

# The die makes every attack six positions, so trees are wide; root noise is for about thirty moves.
COMMON: dict[str, Any] = {
    "iterations": 1000,
    "net.kind": "conv",
    "net.policy": "planes",
    "net.value": SHAPED,
    "search.kind": "puct",
    "search.puct.budget": 50,
    "search.puct.dirichlet_alpha": 0.3,
    "selfplay.games": 100,
    "selfplay.shard_games": 25,
    "selfplay.bootstrap.games": 1000,
    "selfplay.bootstrap.bot": "random",
    "selfplay.temperature.kind": "step",
    "selfplay.temperature.start": 1.0,
    "selfplay.temperature.end": 0.1,
    "selfplay.temperature.plies": 30,
    "train.batch_size": 256,
    "train.steps_per_iteration": None,
    "train.epochs": 10,
    "train.lr": 1e-3,
    "train.lr_end": 0.1,
    "train.lr_fall": "cosine",
    "train.warmup": 20,
    "train.window_shards": 40,
    "gate.games": 50,
    "gate.threshold": 0.55,
    "gate.strict": True,
    "replay.capacity_shards": 400,
    "measure.games": 100,
    "measure.every": 10,
}


def _size(channels: int, blocks: int, hidden: int, about: str, **more: Any) -> Preset:
    values = {"net.channels": channels, "net.blocks": blocks, "net.hidden": hidden}
    return Preset(
        f"{channels} channels, {blocks} blocks; {about}", values | {key.replace("__", "."): v for key, v in more.items()}
    )


SIZES = {
    "tiny": _size(32, 2, 64, "for two cores; configs/exchange_tiny.yaml learns there within minutes", selfplay__lanes=50),
    "small": _size(64, 4, 128, "a night on a desktop", selfplay__lanes=50),
    "medium": _size(128, 8, 128, "the usual one, for a GPU", selfplay__lanes=100),
    "large": _size(256, 12, 256, "for a large GPU", selfplay__lanes=512, train__batch_size=1024, train__lr_final=0.1),
}

# The reward for attacks under Royal Decree, in the words of the command line.
_COMBO = ("combo-bonus-per-attack", "combo-bonus-max")
OPTIONS = {
    # Both play their best move: the die and the teacher's root noise make the games differ.
    "asymmetric": RunOption(
        sets={
            "selfplay.opponent.share": 1,
            "selfplay.opponent.search.kind": "one_ply",
            "selfplay.opponent.temperature.start": 0,
            "selfplay.temperature.kind": "constant",
            "selfplay.temperature.start": 0,
        },
        undone={"selfplay.opponent.share": 0},
    ),
    "no-combo-bonus": RunOption(sets={"selfplay.rewards.rd_combo_per_attack": 0}, bars=_COMBO),
    "combo-bonus-per-attack": RunOption(key="selfplay.rewards.rd_combo_per_attack"),
    "combo-bonus-max": RunOption(key="selfplay.rewards.rd_combo_max"),
}


def suggest(game: str, best: str) -> list[str]:
    """Commands that hold a run's best network against the greedy bot, and against a person."""
    return [
        f"playmill gate {game} --candidate {best} --best greedy --games 400 --simulations 50",
        f"playmill play {game} --against {best}",
    ]
