"""Games follow the rules, the temperature and the seed."""

import itertools

import pytest

from diplomacy_selfplay.conftest import play_game
from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.package_games import read_saved_game
from playmill.packs.diplomacy.selfplay.check import check_record
from playmill.packs.diplomacy.selfplay.export import export_game
from playmill.packs.diplomacy.selfplay.game import GameTable, SelfPlayGame
from playmill.packs.diplomacy.selfplay.generate import open_searcher
from playmill.packs.diplomacy.selfplay.settings import make_settings

pytestmark = pytest.mark.jit


@pytest.mark.parametrize("player", ["random", "heuristic", "cartesian", "rm_plus"])
@pytest.mark.parametrize("number", range(2))
def test_every_phase_leads_to_the_next_when_adjudicated_again(player, number):
    record = play_game(number, player=player, max_year=1905, budget={"kind": "iterations", "amount": 3})
    assert check_record(record) == []
    boards = [Board.from_dfen(phase.dfen).orders(phase.orders) for phase in record.phases]
    ends = [phase.dfen for phase in record.phases[1:]] + [record.final_dfen]
    assert [board.adjudicate().next.dfen for board in boards] == ends


def test_a_game_ends_after_the_last_phase_of_its_last_year(short_game):
    assert short_game.final_year == short_game.phases[-1].year == 1904
    assert short_game.final_dfen.startswith("1905sm/")
    assert short_game.ended_by == "max_year"


def test_a_solo_ends_the_game_with_its_last_phase():
    records = (play_game(number, max_year=1930) for number in range(40))
    record = next(record for record in records if record.winner)
    assert record.ended_by == "solo"
    assert record.final_sc_counts[record.winner] >= 18
    assert max(record.phases[-1].sc_counts.values()) < 18
    assert check_record(record) == []


def test_without_temperature_nothing_is_random():
    assert not any(phase.advised for phase in play_game(1, temperature=0).phases)


def test_at_full_temperature_every_move_is_random_and_the_advice_is_kept():
    for phase in play_game(1, decay=1).phases:
        expected = set(phase.orders) if phase.phase == "movement" else set()
        assert set(phase.advised) == expected


def test_the_chance_of_random_orders_falls_year_by_year():
    settings = make_settings(temperature=2.0, decay=0.5)
    assert [settings.random_chance(year) for year in (1901, 1902, 1903, 1904)] == [1.0, 1.0, 0.5, 0.25]


def test_random_order_sets_are_as_frequent_as_the_chance_says():
    moves = [p for n in range(12) for p in play_game(n, temperature=0.3, decay=1).phases if p.phase == "movement"]
    asked, random = sum(len(p.orders) for p in moves), sum(len(p.advised) for p in moves)
    assert asked > 500
    assert abs(random / asked - 0.3) < 4 * (0.3 * 0.7 / asked) ** 0.5  # four standard errors


def test_a_game_depends_on_nothing_but_its_number():
    settings = make_settings(player="rm_plus", max_year=1902, budget={"kind": "iterations", "amount": 4})
    table, player = GameTable(settings), open_searcher(settings)
    games = [SelfPlayGame(number, settings, table) for number in range(3)]
    while not all(game.is_over for game in games):  # side by side, one phase each
        for game in games:
            if not game.is_over:
                game.step(player)
    alone = SelfPlayGame(2, settings, GameTable(settings))
    while not alone.is_over:
        alone.step(open_searcher(settings))
    assert games[2].record() == alone.record()
    assert games[0].record().phases != games[1].record().phases


def test_three_still_years_end_the_game():
    class Idle:
        def decide(self, state, powers=None, stream=0, budget=None):
            decision = open_searcher(make_settings(player="heuristic")).decide(state)
            nothing = {power: orders[:0] for power, orders in decision.orders.items()}
            return type(decision)(nothing, decision.values)

    settings = make_settings(temperature=0)
    game = SelfPlayGame(0, settings, GameTable(settings))
    while not game.is_over:
        game.step(Idle())
    record = game.record()
    assert (record.ended_by, record.final_year, record.quality.reasons) == ("stalemate", 1903, ["early_stalemate"])
    assert check_record(record) == []


def test_an_unfinished_game_has_no_record():
    settings = make_settings()
    with pytest.raises(ValueError, match="game 4 is not over"):
        SelfPlayGame(4, settings, GameTable(settings)).record()


def tampered(record, number, **changes):
    phases = list(record.phases)
    phases[number] = phases[number].model_copy(update=changes)
    return record.model_copy(update={"phases": phases})


def test_a_changed_order_is_found(short_game):
    record = tampered(short_game, 1, orders={})
    assert any(problem.startswith("phases.1: position after it: expected") for problem in check_record(record))


def test_an_illegal_order_is_found(short_game):
    wrong = {**short_game.phases[0].orders, "france": "A par - mos"}
    problems = check_record(tampered(short_game, 0, orders=wrong))
    assert any(problem.startswith("phases.0.orders: 'A par - mos': illegal") for problem in problems)


def test_illegal_advice_is_found(short_game):
    problems = check_record(tampered(short_game, 0, advised={"france": "F par - mos"}))
    assert any(problem.startswith("phases.0.advised: 'F par - mos': illegal") for problem in problems)


def test_a_bad_dfen_is_found(short_game):
    problems = check_record(tampered(short_game, 2, dfen="1901sm/-/-"))
    assert any(problem.startswith("phases.2: DFEN: expected 4 or 5 fields") for problem in problems)


def test_a_dropped_last_phase_is_found(short_game):
    problems = check_record(short_game.model_copy(update={"phases": short_game.phases[:-1]}))
    assert any("position after it" in problem for problem in problems)


@pytest.mark.parametrize(
    ("changes", "start"),
    [
        ({"winner": "italy"}, "winner: expected None, got italy"),
        ({"final_year": 1903}, "final_year: expected 1904, got 1903"),
        ({"ended_by": "stalemate"}, "ended_by: expected max_year, got stalemate"),
        ({"final_dfen": "x"}, "phases."),
    ],
)
def test_a_wrong_ending_is_found(short_game, changes, start):
    assert any(problem.startswith(start) for problem in check_record(short_game.model_copy(update=changes)))


def test_an_unknown_budget_is_refused():
    with pytest.raises(UsageError, match=r"budget\.kind: expected 'iterations', 'nodes' or 'movetime', got 'days'"):
        make_settings(budget={"kind": "days", "amount": 1})


def test_an_exported_game_comes_back(short_game):
    boards = read_saved_game(export_game(short_game))
    assert len(boards) == len(short_game.phases) + 1
    wanted = [phase.dfen.split("/")[:3] for phase in short_game.phases] + [short_game.final_dfen.split("/")[:3]]
    assert [board.dfen.split("/")[:3] for board in boards] == wanted
    for board, after in itertools.pairwise(boards):
        assert board.adjudicate().next.dfen.split("/")[:3] == after.dfen.split("/")[:3]
