"""The shipped configurations as far as training goes, two others, and games to train on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.bench.nets import exchange_net
from playmill.core.files import temporary_folder

if TYPE_CHECKING:
    from playmill.nets.net_evaluator import NetEvaluator
    from playmill.pipeline.settings import RunSettings
    from playmill.train.feed import TensorBatch
    from playmill.train.trainer import Training

GAMES = 128  # of self-play, by a new network
SIMULATIONS = 8  # a decision by PUCT: how good the policies are makes no difference here

_YATZY_ROWS: dict[str, Any] = {"policy_share": 0.03, "temperature": {"kind": "constant", "start": 0.2}}
_YATZY_TRAIN: dict[str, Any] = {"batch_size": 1024, "value_weight": 0.1, "policy_weight": 0.05}
_SEATS: dict[str, Any] = {"tower": 128, "tower_blocks": 2}
_DEMO_NET: dict[str, Any] = {"kind": "seats", "hidden": 96, "blocks": 1, "togo": True, "seats": _SEATS}
# What of each file in configs/ decides how long a step takes; a test compares.
SHIPPED: dict[str, dict[str, Any]] = {
    "yatzy_demo": {
        "game": "yatzy",
        "net": _DEMO_NET,
        "search": {"kind": "exact_turn"},
        "selfplay": _YATZY_ROWS,
        "train": {**_YATZY_TRAIN, "bootstrap": 0.9},
    },
    "yatzy_cpu": {
        "game": "yatzy",
        "net": {**_DEMO_NET, "seats": {**_SEATS, "tower": 192}},
        "search": {"kind": "exact_turn"},
        "selfplay": _YATZY_ROWS,
        "train": {**_YATZY_TRAIN, "bootstrap": 1.0},
    },
    "yatzy_puct": {
        "game": "yatzy",
        "net": {**_DEMO_NET, "seats": {**_SEATS, "hand": True}},
        "search": {"kind": "puct", "puct": {"points_scale": 400, "afterstates": True, "luck": 0.0, "try_all": True}},
        "selfplay": {"explore": 0.07, "td_lambda": 0.8, "temperature": {"kind": "constant", "start": 2.0}},
        "train": {**_YATZY_TRAIN, "bootstrap": 1.0, "policy_weight": 0.2},
    },
    "connect_four": {
        "game": "connect_four",
        "net": {"kind": "conv", "channels": 32, "blocks": 2, "hidden": 64},
        "search": {"kind": "puct"},
        "selfplay": {"explore": 0.1, "td_lambda": 0.7},
        "train": {"batch_size": 512, "bootstrap": 1.0},
    },
}

_EXCHANGE: dict[str, Any] = {"game": "exchange", "search": {"kind": "puct"}, "selfplay": {}, "train": {"batch_size": 1024}}
# What no file has, by name as above.
OTHERS: dict[str, dict[str, Any]] = {
    "exchange_32x2": {**_EXCHANGE, "net": exchange_net(32, 2).spec},
    "exchange_256x12": {**_EXCHANGE, "net": exchange_net(256, 12).spec},
}


@contextmanager
def begin_training(name: str, device: str = "cpu") -> Iterator[Training[TensorBatch]]:
    """A training of a new network on the games that it has just played."""
    from playmill.nets.checkpoint import save_checkpoint
    from playmill.packs.registry import find_game
    from playmill.pipeline.selfplay_phase import first_network
    from playmill.replay import list_shards
    from playmill.train.plan import TrainJob
    from playmill.train.trainer import Training

    game, settings = find_game(_content(name)["game"]), shipped_settings(name)
    with temporary_folder("playmill-bench-") as folder:
        best = folder / "best.pt"
        save_checkpoint(best, first_network(game, settings))
        play_some(settings, best, folder / "replay")
        job = TrainJob(game, settings.train, best, folder / "candidate.pt", list_shards(folder / "replay"), device=device)
        yield Training(job)


def shipped_settings(name: str) -> RunSettings:
    """The settings of a shipped configuration, or of another, with GAMES games."""
    from playmill.core.documents import fit
    from playmill.packs.registry import find_game
    from playmill.pipeline.settings import RunSettings

    content = _content(name)
    find_game(content["game"])
    selfplay = {**content["selfplay"], "games": GAMES, "shard_games": GAMES // 4, "lanes": GAMES // 4}
    return fit(RunSettings, name, {**content, "selfplay": selfplay})


def _content(name: str) -> dict[str, Any]:
    return SHIPPED[name] if name in SHIPPED else OTHERS[name]


def play_some(settings: RunSettings, best: Path, folder: Path) -> None:
    """Play GAMES games, with few simulations, into a folder of shards."""
    from playmill.nets.evaluators import open_evaluator
    from playmill.nets.tables import UniformEvaluator
    from playmill.packs.registry import find_game
    from playmill.replay import ShardOrigin
    from playmill.selfplay.generate import SelfPlay
    from playmill.selfplay.plan import plan_iteration
    from playmill.selfplay.settings import BootstrapSettings, OpponentSettings, SparringSettings
    from playmill.selfplay.shards import Learner

    game, search = find_game(settings.game), settings.search
    if search.kind == "puct":
        puct = search.puct.model_copy(update={"budget": SIMULATIONS, "budget_second": None})
        search = search.model_copy(update={"puct": puct})
    one_player = {"opponent": OpponentSettings(), "sparring": SparringSettings(), "bootstrap": BootstrapSettings()}
    sizes = {"games": GAMES, "shard_games": GAMES // 4, "lanes": GAMES // 4}
    rules = settings.selfplay.model_copy(update={**one_player, **sizes})
    folder.mkdir()
    evaluator: NetEvaluator = open_evaluator(best, "torch", game=game)
    if settings.net.kind == "conv":  # a new network has hardly an opinion, and a large one takes minutes to say so
        evaluator = UniformEvaluator(evaluator.shape)
    makers = [Learner(game, rules, search, evaluator.clone)]
    SelfPlay(game, rules, makers, folder, 0, ShardOrigin.of(game)).run(plan_iteration(rules, 0), 1)
