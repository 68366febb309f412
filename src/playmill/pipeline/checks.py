"""Whether a run can be carried out as its file says, found out before a folder is made."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.arena.gate import check_gate
from playmill.core.errors import UsageError
from playmill.games.conformance import check_game
from playmill.games.game import Game
from playmill.games.registry import is_built_in
from playmill.nets.evaluators import check_device
from playmill.nets.model import check_net
from playmill.nets.net_evaluator import NetShape
from playmill.nets.spec import heads
from playmill.nets.tables import UniformEvaluator
from playmill.packs.registry import find_game, find_pack
from playmill.pipeline.measures import chosen_measures
from playmill.pipeline.seating import check_bots, check_imitation, check_opponent
from playmill.pipeline.settings import RunSettings, load_settings
from playmill.runs.settings_file import SettingsSource
from playmill.search.make import make_searcher
from playmill.selfplay.rewards import check_rewards
from playmill.serve.inference import check_executor, check_infer


def check_run(config: SettingsSource, overrides: Sequence[str] = ()) -> tuple[RunSettings, str, Game]:
    """The settings in a file, its text, and their game; refused if the parts do not fit each other or this machine."""
    settings, text = load_settings(config, overrides)
    try:
        game = find_game(settings.game)
        check_device(settings.device)
        _check_ends(game)
        check_infer(settings.infer)
        check_executor(settings.executor, settings.device, settings.infer)
        check_net(game, settings.net)
        pack = find_pack(game.name)
        check_gate(game, settings.gate, pack.appraiser is not None)
        chosen_measures(pack, settings.measure)
        check_opponent(game, settings)
        check_bots(game, settings)
        check_imitation(game, settings)
        check_rewards(game, settings.selfplay.rewards)
        make_searcher(game, settings.search, UniformEvaluator(NetShape.of_game(game, heads(settings.net))), lanes=1)
    except UsageError as error:
        raise UsageError(f"{config}: {error}") from None
    return settings, text, game


def _check_ends(game: Game) -> None:
    """Refuse a game of somebody else's whose ends are not as declared: kernels trust it, and would write past their arrays."""
    if not is_built_in(game):
        check_game(game, games=2, promises=["outcome fills the scores", "utilities are as declared"])
