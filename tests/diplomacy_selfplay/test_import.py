"""Games of the `diplomacy` package as our records, and ours as its saved games."""

import json
import random

import pytest
from typer.testing import CliRunner

from diplomacy_selfplay.conftest import play_game
from playmill.cli import diplomacy
from playmill.core.errors import UsageError
from playmill.packs.diplomacy.selfplay.check import check_record
from playmill.packs.diplomacy.selfplay.export import export_game
from playmill.packs.diplomacy.selfplay.package_import import import_game
from playmill.packs.diplomacy.selfplay.records import read_records

pytestmark = pytest.mark.jit


def run(*words):
    result = CliRunner().invoke(diplomacy.app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def won_game():
    """A game of heuristic players that somebody wins."""
    records = (play_game(number, max_year=1930) for number in range(40))
    return next(record for record in records if record.winner)


@pytest.fixture(scope="module")
def foreign_game():
    """A game that the package itself played, with random orders; it ends in a draw."""
    return played_there(5, 1903)


def played_there(seed, last_year):
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    draw, game = random.Random(seed), Game(game_id=f"random {seed}")
    while int(game.get_current_phase()[1:5]) <= last_year:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            places = game.get_orderable_locations(power)
            game.set_orders(power, [draw.choice(sorted(possible[place])) for place in sorted(places) if possible[place]])
        game.process()
    game.draw()
    return json.loads(json.dumps(to_saved_game_format(game)))


def test_a_won_game_passes_the_packages_check_and_comes_back(won_game):
    from diplomacy.utils.export import is_valid_saved_game

    saved = json.loads(json.dumps(export_game(won_game)))
    assert saved["phases"][-1]["name"] == "COMPLETED"
    assert is_valid_saved_game(saved)
    found = import_game(saved, 3, "3.x")
    assert found.problems == []
    assert (found.record.winner, found.record.ended_by) == (won_game.winner, "solo")
    assert found.record.final_dfen == won_game.final_dfen
    assert [phase.dfen for phase in found.record.phases] == [phase.dfen for phase in won_game.phases]


def test_a_game_of_the_package_becomes_a_record_that_plays_again(foreign_game):
    found = import_game(foreign_game, 0, "2.x")
    assert found.problems == []
    assert (found.record.ended_by, found.record.winner) == ("draw", None)
    assert len(found.record.phases) == len(foreign_game["phases"]) - 2  # the draw was agreed upon in a phase of its own
    assert check_record(found.record) == []


def test_the_command_writes_records_and_refuses_to_overwrite(tmp_path, foreign_game):
    one, lines, out = tmp_path / "one.json", tmp_path / "more.jsonl", tmp_path / "games.jsonl"
    one.write_text(json.dumps(foreign_game, indent=1))
    lines.write_text("\n".join(json.dumps(played_there(seed, 1901)) for seed in (1, 2)) + "\n")
    done = run("import", one, lines, "--out", out)
    assert done.exit_code == 0
    assert f"3 games: 3 play alike by 2.x, written to {out}; 0 differences" in done.stdout
    assert [record.game_id for record in read_records(out)] == [0, 1, 2]
    with pytest.raises(UsageError, match="there is a file already"):
        run("import", one, "--out", out)


def test_a_phase_that_ends_otherwise_is_told_and_its_game_is_not_written(tmp_path, foreign_game):
    file, out = tmp_path / "games.json", tmp_path / "games.jsonl"
    game = json.loads(json.dumps(foreign_game))
    units = game["phases"][1]["state"]["units"]["TURKEY"]
    units.remove(next(unit for unit in units if unit[0] == "A"))
    file.write_text(json.dumps([game, foreign_game]))
    done = run("import", file, "--out", out)
    assert done.exit_code == 1
    assert "game 0: phases.1 (F1901M): by our rules Turkey A " in done.stderr
    assert [record.game_id for record in read_records(out)] == [1]


def test_illegal_orders_are_left_out_and_counted(foreign_game):
    before = import_game(foreign_game, 0, "2.x").illegal
    game = json.loads(json.dumps(foreign_game))
    game["phases"][0]["orders"]["FRANCE"].append("A MOS - WAR")
    game["phases"][0]["orders"]["ITALY"].append("who knows")
    found = import_game(game, 0, "2.x")
    assert (found.problems, found.illegal) == ([], before + 2)
    assert check_record(found.record) == []


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", 0, "0 games"),
        ("{", 2, "line 1: expected a saved game as JSON, but"),
        ("[" * 100_000, 2, "line 1: expected a saved game as JSON, but it is nested"),
        ("[1]", 1, "game 0: game: expected an object with a field 'phases', got 1"),
        ('{"phases": [{}]}', 1, "game 0: phases.0: phase: expected a field 'state', got nothing"),
    ],
)
def test_what_is_no_game_is_one_line(tmp_path, text, code, words):
    file = tmp_path / "games.json"
    file.write_text(text)
    if code == 2:
        with pytest.raises(UsageError, match=words):
            run("import", file)
        return
    done = run("import", file)
    assert done.exit_code == code
    assert words in done.stdout + done.stderr


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"nothing\.json: can't be read"):
        run("import", tmp_path / "nothing.json")
