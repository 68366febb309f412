"""What Yatzy brings besides its rules; its variants have the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playmill.games.heads import TOGO_OPP
from playmill.games.yatzy.hands import CATEGORY_COUNT
from playmill.nets.kinds import NetKind, mlp_weights
from playmill.packs.pack import Pack, Preparation
from playmill.packs.yatzy.exact_settings import ExactTurnSettings
from playmill.packs.yatzy.measure import ORACLE
from playmill.packs.yatzy.seats_settings import SEATS, SeatsSettings, seats_of
from playmill.search.kinds import SearchKind

if TYPE_CHECKING:
    from playmill.arena.appraisal import Appraiser
    from playmill.core.evaluation import Evaluator
    from playmill.core.executor import Progress
    from playmill.games.game import Game
    from playmill.games.state import State
    from playmill.nets.checkpoint import Checkpoint
    from playmill.nets.graph import GraphWriter
    from playmill.nets.model import Net
    from playmill.nets.spec import NetSpec
    from playmill.play.player import MakePlayer
    from playmill.search.decisions import Array, Searcher
    from playmill.search.settings import SearchSettings

EXACT_TURN = "exact_turn"
ROWS_A_TURN = 45  # boards that a turn may end with, as far as one seat's points are concerned


def _build_seats(features: tuple[int, ...], logits: int, spec: NetSpec, players: int) -> Net:
    from playmill.packs.yatzy.seats import build_seats

    return build_seats(features, logits, spec, players)


def _write_seats(writer: GraphWriter, checkpoint: Checkpoint) -> None:
    from playmill.packs.yatzy.seats_graph import write_seats

    write_seats(writer, checkpoint)


def _seats_weights(spec: NetSpec) -> int:
    own = seats_of(spec)
    return mlp_weights(spec) + 2 * own.tower_blocks * own.tower**2


def _make_exact_turn(game: Game, settings: SearchSettings, evaluator: Evaluator, lanes: int) -> Searcher:
    from playmill.packs.yatzy.exact_turn import ExactTurnSearch

    return ExactTurnSearch(game, getattr(settings, EXACT_TURN), evaluator, lanes)


def _load_oracle(workers: int, progress: Progress | None) -> object:
    from playmill.packs.yatzy.solved import load_oracle

    return load_oracle(workers, progress)


def _open_bot(game: Game, workers: int) -> MakePlayer:
    from playmill.packs.yatzy.solved import open_bot

    return open_bot(game, workers)


def _open_appraiser(workers: int) -> Appraiser:
    from playmill.packs.yatzy.solved import open_appraiser

    return open_appraiser(workers)


def _action_values(state: State) -> Array:
    from playmill.packs.yatzy.solved import action_values

    return action_values(state)


def _suggest(game: str, best: str) -> list[str]:
    """Only the game itself is measured so: a variant's networks see it otherwise."""
    return [f"playmill oracle-eval --model {best}"] if game == "yatzy" else []


PACK = Pack(
    games=("yatzy", "yatzy_rich"),
    searches={
        EXACT_TURN: SearchKind(
            about="Exact solution of a turn, for Yatzy.",
            make=_make_exact_turn,
            rows=lambda settings: ROWS_A_TURN,
            settings=ExactTurnSettings(),
            suits=lambda heads: TOGO_OPP in heads,
        )
    },
    nets={
        SEATS: NetKind(
            about="An MLP with a tower that sees one seat's board, for Yatzy.",
            build=_build_seats,
            write=_write_seats,
            weights=_seats_weights,
            settings=SeatsSettings(),
        )
    },
    bots={"oracle": _open_bot},
    appraiser=_open_appraiser,
    measures=(ORACLE,),
    presets={
        "search.kind": EXACT_TURN,
        "net.togo": True,
        "selfplay.temperature.start": 0.3,
        "train.bootstrap": 1.0,
        "gate.luck_reduced": True,
    },
    preparation=Preparation("solving boards", 1 << CATEGORY_COUNT, _load_oracle),
    action_values=_action_values,
    suggest=_suggest,
)
