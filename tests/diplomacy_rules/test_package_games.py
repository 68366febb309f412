"""Saved games of the `diplomacy` package: ours pass its own check, and its finished ones can be read."""

import json

import pytest

from diplomacy_peer import owner
from diplomacy_phases import random_phases
from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.package_games import read_saved_game, write_saved_game
from playmill.games.diplomacy.package_json import write_state

pytestmark = pytest.mark.jit
CENTRES = Board.start().dfen.split("/")[2]


def random_games(count, seed, rules, last_year):
    """Games as boards with their orders; the last has none."""
    boards = []
    for phase in random_phases(10**9, seed, rules=rules, last_year=last_year):
        board = Board(phase.states, rules)
        if boards and board.dfen.startswith("1901sm"):
            yield [*boards, boards[-1].adjudicate().next]
            boards, count = [], count - 1
            if count == 0:
                return
        by_power = {}
        for order in phase.orders.tolist():
            by_power.setdefault(owner(order, board.state).lower(), []).append(order)
        boards.append(board.orders({power: write_orders(orders, board.plain) for power, orders in by_power.items()}))


def test_the_hash_is_the_packages():
    from diplomacy import Game

    game = Game()
    for phase in random_phases(120, 21):
        state = write_state(Board(phase.states))
        game.set_state(state)
        assert state["zobrist_hash"] == game.get_hash()


@pytest.mark.parametrize(("rules", "seed"), [("2.x", 7), ("3.x", 8)])
def test_random_games_pass_the_packages_own_check(rules, seed):
    from diplomacy.utils.export import is_valid_saved_game

    for number, boards in enumerate(random_games(12, seed, rules, 1908)):
        assert is_valid_saved_game(write_saved_game(boards)), f"game {number}"


def test_the_check_can_fail():
    from diplomacy.utils.export import is_valid_saved_game

    (boards,) = random_games(1, 3, "2.x", 1902)
    game = write_saved_game(boards)
    for phase in game["phases"][1:3]:
        phase["state"]["zobrist_hash"] = "1"  # one difference would be forgiven
    assert not is_valid_saved_game(game)


def test_a_won_game_is_completed_and_reads_as_it_was():
    owned = "Abel,Aber,Abre,Abud,Abul,Aden,Agre,Ahol,Akie,Amar,Amun,Anap,Apar,Apor,Arom,Arum,Aser"
    others = ",".join(f"N{centre[1:]}" for centre in CENTRES.split(",") if f"A{centre[1:]}" not in owned)
    board = Board.from_dfen(f"1910fm/Aatyr,Aagas/{owned},{others}/-").orders("A tyr - ven")
    end = board.adjudicate().next
    game = json.loads(json.dumps(write_saved_game([board, end])))
    assert [phase["name"] for phase in game["phases"]] == ["F1910M", "COMPLETED"]
    assert [again.dfen for again in read_saved_game(game)] == [board.dfen, end.dfen]


def test_a_game_that_was_drawn_ends_where_nobody_moved():
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    game = Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.process()
    game.draw()
    boards = read_saved_game(json.loads(json.dumps(to_saved_game_format(game))))
    assert [board.dfen[:6] for board in boards] == ["1901sm", "1901fm", "1901fm"]
    assert boards[1].dfen == boards[2].dfen


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ({}, "game: expected a field 'phases', got nothing"),
        ([1], "game: expected an object with a field 'phases', got"),
        ({"phases": []}, r"game: phases: expected a list of phases, got \[\]"),
        ({"phases": [1]}, "phases.0: phase: expected an object with a field 'state', got 1"),
        ({"phases": [{"state": []}]}, "phases.0: state: expected an object with a field 'name'"),
        ({"map": "ancmed", "phases": []}, "game: map: expected standard, got 'ancmed'"),
        ({"phases": [{"state": {"name": "COMPLETED"}}]}, "phases.0: state: name: expected a phase before COMPLETED"),
        ({"phases": [{"state": {"name": "S1901M", "units": 3}}]}, "units: expected an object by power, got 3"),
        ({"phases": [{"state": {"name": "S1901M", "units": {"ITALY": [3]}}}]}, "ITALY: expected a list of texts"),
        ({"phases": [{"state": {"name": "S1901M", "units": {"ITALY": ["A ROM", "F ROM"]}}}]}, "already a unit in Rome"),
        ({"phases": [{"state": {"name": "S1901M", "units": {}, "centers": {"ITALY": ["APU"]}}}]}, "a supply centre, got 'APU'"),
    ],
)
def test_what_is_no_saved_game_is_refused_by_its_field(game, message):
    with pytest.raises(UsageError, match=message):
        read_saved_game(game)
