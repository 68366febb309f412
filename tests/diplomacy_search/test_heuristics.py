"""Retreats, builds and removals by judgement."""

from diplomacy_search.games_at_hand import legal_set, positions
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.geography import POWERS
from playmill.games.diplomacy.state import BUILDS
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.heuristics import is_movement


def texts(board, power):
    orders = make_player("heuristic").decide(board.state).orders[POWERS.index(power)]
    return write_orders(orders.tolist(), board.plain)


def test_a_dislodged_unit_goes_to_a_centre_rather_than_nowhere():
    dfen = "1902sr/Aaser,Fabel/Aser,Fbel,Nbul,Ngre,Nrum/Taser<bud"
    board = Board.from_dfen(_complete(dfen))
    assert texts(board, "turkey") in {f"A ser R {centre}" for centre in ("bul", "gre", "rum", "tri")}


def test_a_unit_with_nowhere_to_go_is_disbanded():
    dfen = "1902sr/Aaser,Fapor/Aser,Fpor,Nbul,Ngre,Nrum/Taser<bud,Eapor<spa"  # only Spain borders Portugal by land
    board = Board.from_dfen(_complete(dfen))
    assert texts(board, "england") == "A por D"
    assert " R " in texts(board, "turkey")


def test_of_two_mates_with_one_way_out_one_is_disbanded():
    # Both could go to Apulia, and nowhere else: the attackers came from Rome and Venice, and Austria holds Tuscany.
    dfen = "1902sr/Aanap,Aarom,Aatus/Anap,Arom/Ianap<rom,Iarom<ven"
    assert texts(Board.from_dfen(_complete(dfen)), "italy") == "A nap R apu ; A rom D"


def test_every_order_of_a_retreat_is_legal():
    retreats = [states for states in positions("random", 7) if states[0].phase in (1, 3)]
    assert retreats
    for states in retreats:
        for orders in make_player("heuristic").decide(states[0]).orders.values():
            assert set(orders.tolist()) <= legal_set(states[0])


def test_england_builds_fleets_and_russia_an_army_inland():
    board = Board.from_dfen(_complete("1901fb/Efnwy/Eedi,Elon,Elvp,Enwy,Rmos,Rsev,Rstp,Rwar/-"))
    assert "F " in texts(board, "england")
    assert "A war B" in texts(board, "russia") or "A mos B" in texts(board, "russia")


def test_the_unit_that_stands_worst_is_removed():
    board = Board.from_dfen(_complete("1903fb/Aabud,Aatri,Aasyr/Abud,Atri/-"))
    assert texts(board, "austria") == "A syr D"


def test_every_phase_of_a_game_has_its_orders():
    seen = {bool(is_movement(states[0])) for states in positions("heuristic", 1)}
    assert seen == {True, False}
    assert any(states[0].phase == BUILDS for states in positions("heuristic", 1))


def _complete(dfen):
    """The position with all other centres neutral, as DFEN wants every centre named."""
    from playmill.games.diplomacy.geography import CENTRES, PROVINCES

    phase, units, centres, out = dfen.split("/")
    named = {name[1:] for name in centres.split(",")}
    rest = [f"N{PROVINCES[c]}" for c in CENTRES if PROVINCES[c] not in named]
    return "/".join([phase, units, ",".join([centres, *rest]), out])
