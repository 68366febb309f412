"""Bots by name: how a checkpoint becomes one."""

import pytest

from playmill.arena.entrants import choose_search, find_bot
from playmill.arena.match import play_match
from playmill.arena.seeds import derive_seeds
from playmill.cli.arena import read_search
from playmill.core.errors import PlaymillError, UnknownName, UsageError
from playmill.games.registry import get_game
from playmill.games.yatzy.rules import YATZY
from playmill.packs.registry import find_pack
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.play.bots import PolicyBot, RandomBot, SearchBot

TICTACTOE = get_game("tictactoe")


def test_baselines_have_names(oracle):
    assert isinstance(find_bot("random", TICTACTOE)(4), RandomBot)
    assert isinstance(find_bot("oracle", YATZY, bots=find_pack("yatzy").bots)(4), OracleBot)
    with pytest.raises(UsageError, match=r"tictactoe: unknown bot 'oracle' \(known: random\); a checkpoint's name ends"):
        find_bot("oracle", TICTACTOE)


def test_a_search_is_chosen_by_its_name_or_by_what_the_network_answers():
    assert choose_search("policy", 8, YATZY, ("win",)) is None
    assert choose_search("puct", 8, YATZY, ("win", "togo_own", "togo_opp")).puct.budget == 8
    gumbel = choose_search("gumbel", 8, TICTACTOE, ("win",))
    assert (gumbel.kind, gumbel.puct.selection, gumbel.puct.budget) == ("puct", "gumbel", 8)
    assert choose_search("auto", 8, YATZY, ("win",)).kind == "puct"
    assert choose_search("auto", 8, YATZY, ("win", "togo_own", "togo_opp")).kind == "exact_turn"
    assert choose_search("auto", 8, TICTACTOE, ("win", "togo_own", "togo_opp")).kind == "puct"
    with pytest.raises(UnknownName, match="did you mean 'puct'"):
        choose_search("putc", 8, YATZY, ("win",))


def test_a_search_may_be_that_of_a_run(tmp_path):
    assert read_search("puct", YATZY) == "puct"
    config = tmp_path / "run.yaml"
    config.write_text("game: yatzy\nsearch: {kind: puct, puct: {budget: 11, afterstates: true}}\n")
    settings = read_search(str(config), YATZY)
    assert choose_search(settings, 8, YATZY, ("win",)) is settings
    assert (settings.puct.budget, settings.puct.afterstates) == (11, True)
    with pytest.raises(UsageError, match=r"none.yaml: can't be read"):
        read_search(str(tmp_path / "none.yaml"), YATZY)


def test_a_search_of_another_games_run_is_refused(tmp_path):
    config = tmp_path / "run.yaml"
    config.write_text("game: yatzy\n")
    with pytest.raises(UsageError, match=r"--search: expected a run's file for tictactoe, got .*run.yaml, which is for yatzy"):
        read_search(str(config), get_game("tictactoe"))


@pytest.fixture
def checkpoint(tmp_path):
    """A function that saves a new network for a game and returns its path."""
    pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
    from playmill.nets.model import build_net
    from playmill.nets.spec import NetSpec

    def save(game, **fields):
        spec = NetSpec(hidden=16, blocks=1, **fields)
        path = tmp_path / f"{game.name}.pt"
        save_checkpoint(path, make_checkpoint(game, spec, build_net(game, spec)))
        return str(path)

    return save


@pytest.mark.parametrize(
    ("game", "kind", "bot"), [(YATZY, "auto", SearchBot), (TICTACTOE, "puct", SearchBot), (TICTACTOE, "policy", PolicyBot)]
)
def test_a_checkpoint_plays_the_same_match_on_any_number_of_threads(checkpoint, game, kind, bot):
    maker = find_bot(checkpoint(game, togo=game is YATZY), game, kind, simulations=8)
    assert isinstance(maker(4), bot)
    assert maker(4).name.startswith(f"{game.name}.pt@")
    matches = [play_match(game, [maker, find_bot("random", game)], derive_seeds(40).array(), w) for w in (1, 2)]
    assert matches[0].actions.tobytes() == matches[1].actions.tobytes()


def test_a_checkpoint_of_another_game_or_none_is_refused(checkpoint, tmp_path):
    path = checkpoint(TICTACTOE)
    with pytest.raises(PlaymillError, match="tictactoe"):
        find_bot(path, YATZY)
    with pytest.raises(PlaymillError, match="no such checkpoint"):
        find_bot(str(tmp_path / "none.pt"), YATZY)
