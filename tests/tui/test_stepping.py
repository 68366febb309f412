"""Stepping through games and searches."""

import json

import pytest
from textual.widgets import DataTable, OptionList, Static

from playmill.core.events import read_events
from playmill.core.terminal import USUAL_COLUMNS, columns
from playmill.games.registry import get_game
from playmill.packs.diplomacy.runs import DiplomacyRuns
from playmill.runs.folder import RunFolder
from playmill.tui.boards import draw_board, extent
from playmill.tui.roots import RootsScreen
from playmill.tui.viewer import ViewerScreen
from tui.piloting import LARGE, USUAL, driven, lists, opened, screen_text, shown, until

pytestmark = pytest.mark.jit


async def open_run(app, pilot, key, kind):
    await until(pilot, lambda: lists(app, 1))
    await pilot.press("enter")
    await until(pilot, lambda: app.screen.view is not None)
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, kind))


@driven
async def test_games_are_stepped_through_by_key(runs):
    async with opened(runs, LARGE) as (app, pilot):
        await open_run(app, pilot, "g", ViewerScreen)
        await until(pilot, lambda: app.screen.game is not None)
        games, said = app.screen.query_one(OptionList), app.screen.query_one("#said", Static)
        assert games.option_count == 128
        assert "game 127" in shown(app.screen.query_one("#head", Static))
        assert "dice" in shown(app.screen.query_one("#position", Static))
        await pilot.press("right", "right", "left")
        assert shown(said).startswith("after 1 of ")
        assert "last:   1. player" in shown(said)
        assert "search: " in shown(said)
        await pilot.press("end")
        assert "the end: " in shown(said)
        await pilot.press("home", "space")
        await until(pilot, lambda: app.screen.place > 1)
        await pilot.press("space")
        first = app.screen.game
        await pilot.press("down")
        await until(pilot, lambda: app.screen.game is not first)
        assert "game 126" in shown(app.screen.query_one("#head", Static))


@pytest.mark.parametrize("size", [USUAL, LARGE])
@driven
async def test_a_whole_score_sheet_is_seen_with_what_was_done_and_thought(runs, size):
    async with opened(runs, size) as (app, pilot):
        await open_run(app, pilot, "g", ViewerScreen)
        await until(pilot, lambda: app.screen.game is not None)
        await pilot.press("right")
        await until(pilot, lambda: "after 1 of " in screen_text(app))
        assert app.screen.query_one("#game").has_class("beside") == (size == USUAL)
        game = ("ones ", "total ", "dice ", "last: ", "next: ", "search:", "won after")
        await until(pilot, lambda: all(words in screen_text(app) for words in game))
        await pilot.press("escape", "r")
        await until(pilot, lambda: isinstance(app.screen, RootsScreen) and app.screen.query_one(DataTable).row_count > 0)
        root = ("ones ", "total ", "dice ", "worth ", "%")
        await until(pilot, lambda: all(words in screen_text(app) for words in root))


@driven
async def test_the_root_log_is_stepped_through_with_its_positions(runs):
    folder = RunFolder(runs / "smoke")
    logged = list(read_events(folder.roots))
    async with opened(runs, USUAL) as (app, pilot):
        await open_run(app, pilot, "r", RootsScreen)
        await until(pilot, lambda: app.screen.query_one(DataTable).row_count > 0)
        assert app.screen.query_one(OptionList).option_count == len(logged)
        last = logged[-1]
        assert app.screen.query_one(DataTable).row_count == len(last["actions"])
        assert f"game {last['game']:,}, ply {last['ply']}" in shown(app.screen.query_one("#facts", Static))
        assert "dice" in shown(app.screen.query_one("#position", Static))
        facts = " ".join(shown(app.screen.query_one("#facts", Static)).split())
        assert "was played; " in facts
        await pilot.resize_terminal(*LARGE)
        await until(pilot, lambda: "▶" in screen_text(app))


@driven
async def test_a_root_says_what_its_search_knew_and_where_it_fell_back(runs):
    folder = RunFolder(runs / "smoke")
    root = {
        "event": "mcts_root", "iteration": 0, "game": 10**6, "ply": 3, "temperature": 1.0, "actions": [2, 5],
        "visits": [30, 10], "priors": [0.5, 0.5], "noisy_priors": [0.6, 0.4], "policy": [0.75, 0.25], "value": None,
        "entropy": 0.5,
        "max_prob": 0.75, "fallback": True, "played": 5,
    }  # fmt: skip
    with folder.roots.open("a") as log:
        log.write(json.dumps(root) + "\n")
    async with opened(runs, LARGE) as (app, pilot):
        await open_run(app, pilot, "r", RootsScreen)
        await until(pilot, lambda: app.screen.query_one(DataTable).row_count == 2)
        facts = app.screen.query_one("#facts", Static)
        told = ("fallback", "no longer kept", "nobody knows its worth", "noisy", "60.0%", "30")
        await until(pilot, lambda: all(words in screen_text(app) + shown(facts) for words in told))


def test_a_game_of_diplomacy_has_pages(tmp_path):
    """The same viewer serves games whose players move all at once."""
    from playmill.packs.diplomacy.selfplay.pages import game_numbers

    path = tmp_path / "games.jsonl"
    path.write_bytes(some_record().line())
    assert game_numbers(path) == [4]
    pages = DiplomacyRuns().open_game(path, 4)
    assert pages.last == 1
    assert pages.board(0).startswith("Austria 3   A bud, F tri, A vie\nEngland 3   ")
    assert pages.board(0).endswith(f"\n\n{pages.record.phases[0].dfen}")
    assert any(line.startswith("france: ") for line in pages.lines(0))
    assert pages.lines(1)[0].startswith("the end: no winner")


def test_dislodged_units_of_diplomacy_are_told_with_their_attackers():
    from playmill.games.diplomacy.board import Board
    from playmill.packs.diplomacy.selfplay.pages import PhasePages

    _, _, centres, _ = Board.start().dfen.split("/")
    attacked = Board.from_dfen(f"1901sm/Faber,Fakie,Gamun/{centres}/-").orders("A ber - mun ; A kie S A ber - mun", "france")
    record = some_record().model_copy(update={"final_dfen": attacked.adjudicate().next.dfen})
    text = PhasePages(record, "games.jsonl").board(1)
    assert "France 3    A kie, A mun\n" in text
    assert "dislodged   Germany A mun, from ber" in text


def some_record():
    from playmill.games.diplomacy.board import Board
    from playmill.games.diplomacy.geography import POWERS
    from playmill.packs.diplomacy.selfplay.records import GameRecord

    start = Board.start()
    counts, values = start.centres, dict.fromkeys(POWERS, 1 / 7)
    after = start.orders("A par - bur", "france").adjudicate().next.dfen
    phase = {
        "dfen": start.dfen, "year": 1901, "season": "spring", "phase": "movement", "orders": {"france": "A par - bur"},
        "values": values, "sc_counts": counts,
    }  # fmt: skip
    return GameRecord.model_validate(
        {
            "game_id": 4, "seed": 1, "reproducible": True, "winner": None, "ended_by": "max_year", "final_year": 1901,
            "final_sc_counts": counts, "final_dfen": after, "settings": {}, "phases": [phase],
            "quality": {"stalemate": False, "early_stalemate": False, "early_domination": False},
        }
    )  # fmt: skip


def test_a_board_is_drawn_for_its_room_and_in_colours():
    """EXCHANGE has a narrow form and a wide one."""
    start = get_game("exchange").new(seed=7)
    narrow, wide = (draw_board(lambda: str(start), width) for width in (58, 90))
    assert extent(narrow)[0] < 45 < extent(wide)[0] < 90
    assert "\x1b" not in wide.plain
    assert columns() == USUAL_COLUMNS
