"""The kind `neural` stands beside the others wherever players are named: ladder, engine, search."""

import pytest

from diplomacy_neural.playing import new_checkpoint
from playmill.core.errors import UsageError
from playmill.nets.checkpoint import save_checkpoint as save
from playmill.packs.diplomacy.players.engine import Engine
from playmill.packs.diplomacy.players.ladder import LadderSettings, run_ladder
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.budgets import Budget

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled

FEW = Budget(iterations=3)
NEEDS_NETWORK = "player neural: expected a network"


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "model.pt"
    save(path, new_checkpoint())
    return path


def test_a_ladder_has_a_rung_for_it(network):
    settings = [LadderSettings(games=14, max_year=1901, budget=FEW, threads=threads) for threads in (1, 2)]
    one, two = (run_ladder([("neural", "rm_plus")], chosen, network=network)[0] for chosen in settings)
    assert one == two
    assert (one.challenger, one.games) == ("neural", 14)


def test_strength_scales_it_like_rm_plus(network):
    for strength in (20, 100):
        guided, plain = make_player("neural", strength, network=network), make_player("rm_plus", strength)
        assert guided.settings == plain.settings


def test_the_engine_plays_with_it(network):
    lines = []
    engine = Engine(lines.append)
    engine.serve(
        ["setoption name Search value neural", f"setoption name Network value {network}", "setpower france", "go iterations 3"]
    )
    assert any("search neural" in line for line in lines)
    assert lines[-1].startswith("bestorders F bre")


def test_it_needs_a_network():
    with pytest.raises(UsageError, match=NEEDS_NETWORK):
        run_ladder([("neural", "rm_plus")], LadderSettings(games=14))
    lines = []
    Engine(lines.append).serve(["setoption name Search value neural", "setpower france", "go iterations 3"])
    assert [line[: len("info string ") + len(NEEDS_NETWORK)] for line in lines] == [f"info string {NEEDS_NETWORK}"]
