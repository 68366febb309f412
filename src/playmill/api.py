"""What the top level of the package offers and no room has: a model from a file, and a search of one state."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.evaluation import Evaluator
from playmill.core.extras import require_extra
from playmill.games.game import Game
from playmill.games.heads import column_of
from playmill.games.state import State
from playmill.nets.net_evaluator import NetEvaluator, NetShape
from playmill.nets.pretrained import model_path
from playmill.packs.registry import find_game, find_pack
from playmill.search.position import SearchResult, search_state
from playmill.search.settings import SearchSettings

if TYPE_CHECKING:
    from playmill.nets.meta import NetMeta

__all__ = ["Evaluation", "Model", "load_model", "search", "uniform_evaluator"]


@dataclass(frozen=True)
class Evaluation:
    """A network's answer about one state."""

    policy: dict[int, float]  # how likely each action is, of those that differ in effect; adds up to 1
    heads: dict[str, tuple[float, ...]]  # each head's columns, seen by the mover


@dataclass(frozen=True)
class Model:
    """A network that was read from a checkpoint, ready to answer."""

    game: Game
    meta: NetMeta = field(repr=False)
    evaluator: NetEvaluator = field(repr=False)
    path: Path

    @property
    def heads(self) -> tuple[str, ...]:
        """What it answers besides its policy (`docs/howto/add_a_head.md`)."""
        return self.evaluator.heads

    @property
    def backend(self) -> str:
        """What runs it: ort, ort_int8, torch or torch_bf16."""
        return self.evaluator.backend

    def evaluate(self, state: State) -> Evaluation:
        """What the network says of a state at first sight, without a search."""
        if state.game is not self.game:
            raise UsageError(f"{self.path}: expected a state of {self.game.name}, got one of {state.game.name}")
        values = np.zeros((1, self.evaluator.columns), np.float32)
        self.evaluator.evaluate_values(state.features().reshape(1, -1), values)
        first = {head: column_of(self.heads, head, self.game.players) for head in self.heads}
        ends = [*list(first.values())[1:], values.shape[1]]
        answers = {head: tuple(values[0, i:j].tolist()) for (head, i), j in zip(first.items(), ends, strict=True)}
        return Evaluation(search(state, self, 1, kind="puct").priors, answers)


def load_model(path: Path | str, game: Game | str | None = None, *, backend: str = "auto", device: str = "cpu") -> Model:
    """The network in a checkpoint such as `runs/mine/models/best.pt`, or a pretrained player by its name.

    Its game is the one that the file names; a game that is not registered is given. A file that is missing, damaged or made
    for another game is refused by name.
    """
    file = model_path(path)
    require_extra("nets", f"{file}: a checkpoint", ["torch"])
    from playmill.nets.checkpoint import load_checkpoint
    from playmill.nets.evaluators import open_evaluator
    from playmill.packs.checkpoints import open_checkpoint

    rules = game if isinstance(game, Game) else find_game(game or open_checkpoint(file).meta.game)
    find_pack(rules.name)
    checkpoint = load_checkpoint(file, rules)
    return Model(rules, checkpoint.meta, open_evaluator(checkpoint, backend, device, game=rules), file)


def uniform_evaluator(game: Game) -> NetEvaluator:
    """An evaluator that knows nothing: every action alike, every position even."""
    from playmill.nets.spec import usual_value
    from playmill.nets.tables import UniformEvaluator

    togo = ("togo_own", "togo_opp") if "points" in game.kernels else ()
    return UniformEvaluator(NetShape.of_game(game, (usual_value(game), *togo)))


def search(
    state: State,
    model: Model | Evaluator | Path | str | None = None,
    simulations: int = 100,
    *,
    kind: str | SearchSettings = "auto",
) -> SearchResult:
    """What a search makes of a state: the best action, its policy, visits and values.

    The model may be a `Model`, a checkpoint's path, or an evaluator of your own; without one the search knows the rules alone.
    `kind` is `puct`, `gumbel`, another search of the game's, or whole settings; `auto` takes an exact one where game and
    network allow, and that one needs no simulations.
    """
    from playmill.arena.entrants import choose_search

    if not isinstance(state, State):
        way_out = "; Diplomacy has `playmill diplomacy search`" if type(state).__name__ == "Board" else ""
        raise UsageError(
            f"search: expected a State such as get_game('connect_four').new(), got {type(state).__name__}{way_out}"
        )
    find_pack(state.game.name)  # its networks and searches are known from here on
    if model is None and kind == "auto":
        kind = "puct"
    evaluator = _evaluator(state.game, model)
    settings = choose_search(kind, simulations, state.game, evaluator.heads)
    if settings is None:
        raise UsageError("search: expected a search such as puct, got 'policy'; the priors of puct are the bare policy")
    return search_state(state, evaluator, settings)


def _evaluator(game: Game, model: Model | Evaluator | Path | str | None) -> Evaluator:
    """Whatever answers; a model of another game is refused."""
    if model is None:
        return uniform_evaluator(game)
    if isinstance(model, Path | str):
        model = load_model(model, game)
    if not isinstance(model, Model):
        return _checked(model)
    if model.game is not game:
        raise UsageError(f"{model.path}: expected a model of {game.name}, got one of {model.game.name}")
    return model.evaluator


def _checked(evaluator: Evaluator) -> Evaluator:
    if not all(hasattr(evaluator, name) for name in ("heads", "open_buffer", "submit", "collect")):
        raise UsageError(f"search: model: expected a Model, a path or an evaluator, got {type(evaluator).__name__}")
    return evaluator
