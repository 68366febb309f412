"""Picking runs and looking at them."""

import io
import json
import os
import shutil

import pytest
from rich.console import Console
from textual.widgets import DataTable, Static

from playmill.core.errors import UsageError
from playmill.core.events import EventLog
from playmill.runs.folder import RunFolder, now_ms
from playmill.runs.shelf import require_shelf
from playmill.runs.view import RunView
from playmill.tui.dashboard import RunScreen
from playmill.tui.form import FormScreen
from playmill.tui.live import Readings, draw_live
from playmill.tui.picker import PickerScreen
from playmill.tui.too_small import TooSmall
from runs.toy_run import open_toy
from tui.piloting import LARGE, USUAL, driven, lists, opened, screen_text, shown, told, until

pytestmark = pytest.mark.jit


def rows(screen):
    table = screen.query_one(DataTable)
    return [[str(cell) for cell in table.get_row_at(number)] for number in range(table.row_count)]


def set_status(root, **fields):
    path = RunFolder(root).status
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@driven
async def test_the_picker_says_of_each_run_how_it_stands(runs):
    for name in ("killed", "broke", "damaged"):
        shutil.copytree(runs / "smoke", runs / name)
    set_status(runs / "broke", state="failed", text="failed: the disk is full")
    manifest = runs / "damaged" / "run.json"
    manifest.write_text(manifest.read_text().replace('"seed": 7', '"seed": 8'))
    (runs / "planned").mkdir()
    (runs / "planned" / "config.draft.yaml").write_text("game: connect_four\n")
    (runs / "notes").mkdir()
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 5))
        found = {row[0]: row[1:] for row in rows(app.screen)}
        assert found["smoke"][:3] == ["done", "yatzy", "2/2"]
        assert found["smoke"][3].endswith("points")
        assert found["planned"][:2] == ["draft", "connect_four"]
        assert found["damaged"][0] == "damaged"
        assert "notes" not in found


def test_a_phase_that_still_prepares_is_named_and_has_no_bar(tmp_path):
    def before(name):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_toy(tmp_path, before=before).run()
    set_status(tmp_path, state="running", pid=os.getpid(), heartbeat_ms=now_ms())
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(draw_live(RunView(tmp_path), Readings(), 100))
    text = console.export_text()
    assert "at work" in text
    assert "took      self-play" in text
    assert " of 0" not in text


@driven
async def test_an_empty_folder_says_how_to_begin(tmp_path):
    async with opened(tmp_path / "runs") as (app, _):
        assert "press n" in shown(app.screen.query_one("#none", Static))


@driven
async def test_the_first_run_that_comes_into_an_empty_folder_is_opened_by_key(tmp_path):
    runs = tmp_path / "runs"
    async with opened(runs) as (app, pilot):
        await until(pilot, lambda: "press n" in screen_text(app))
        (runs / "planned").mkdir(parents=True)
        (runs / "planned" / "config.draft.yaml").write_text("game: connect_four\n")
        await until(pilot, lambda: lists(app, 1))
        await until(pilot, lambda: "Open" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, FormScreen))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda root: root.write_text("x"), "got a file"),
        (lambda root: (root.mkdir(), (root / "letter.txt").touch()), "only letter.txt"),
        (lambda root: (root.mkdir(), (root / "run.json").touch()), "it is a run itself"),
    ],
)
def test_a_folder_that_is_none_of_runs_is_refused_in_a_line(tmp_path, make, words):
    root = tmp_path / "runs"
    make(root)
    with pytest.raises(UsageError, match=words):
        require_shelf(root)


def test_a_folder_below_nothing_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no such folder"):
        require_shelf(tmp_path / "a" / "b")


@driven
async def test_the_dashboard_has_the_iterations_with_the_packs_columns_plots_and_events(runs):
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("enter")
        assert isinstance(app.screen, RunScreen)
        table = app.screen.query_one("#history DataTable", DataTable)
        await until(pilot, lambda: table.row_count == 2)
        headers = [str(column.label) for column in table.columns.values()]
        assert {"loss", "gate", "interval", "points", "regret", "promoted"} <= set(headers)
        assert " to " in str(table.get_row_at(0)[headers.index("interval")])
        await until(pilot, lambda: "✓ measurement" in screen_text(app))
        plots = shown(app.screen.query_one("#drawn", Static))
        assert "Strength" in plots
        assert any(0x2800 < ord(dot) < 0x2900 for dot in plots)
        events = shown(app.screen.query_one("#told", Static))
        assert "self-play: 64 games" in events
        assert "measurement: " in events
        await pilot.press("escape")
        assert isinstance(app.screen, PickerScreen)


@driven
async def test_a_run_at_work_shows_its_phase_and_new_events_as_they_come(runs):
    run = RunFolder(runs / "smoke")
    set_status(
        run.root, state="running", phase="selfplay", done=30, total=64, rate=12.5, facts={"batch_fill": 0.75, "rows_out": 96.0},
        heartbeat_ms=1 << 42, pid=1, host="elsewhere",
    )  # fmt: skip
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: rows(app.screen) and rows(app.screen)[0][1] == "at work")
        await pilot.press("enter")
        now = app.screen.query_one("#now", Static)
        await until(pilot, lambda: "30 of 64" in screen_text(app))
        text = screen_text(app)
        assert "games/s 12.5" in text
        assert "batch fill 75%" in text
        assert "rows out 96" in text
        assert now.size.height > 3
        with EventLog(run.metrics) as log:
            log.write("model_reload", iteration=2, model="ab" * 32, address="unix:///x", ok=True, seconds=0.25, error=None)
            log.write("model_reload", iteration=2, model="cd" * 32, address="unix:///x", ok=False, seconds=1.0, error="no file")
        feed = app.screen.query_one("#told", Static)
        await until(pilot, lambda: "not loaded, no file" in shown(feed))
        assert "network abababab at unix:///x: loaded in 0.2 s" in shown(feed)


@driven
async def test_a_narrow_screen_has_one_panel_at_a_time_by_key_and_by_mouse(runs):
    async with opened(runs, USUAL) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query_one("#history DataTable", DataTable).row_count == 2)
        assert app.screen.query_one("#history").display
        assert not app.screen.query_one("#events").display
        await pilot.press("3")
        await until(pilot, lambda: app.screen.query_one("#events").display)
        await until(pilot, lambda: "training begins" in screen_text(app))
        assert app.focused is app.screen.query_one("#events")  # and scrolls by key
        await pilot.click("#tab-plots")
        await until(pilot, lambda: app.screen.query_one("#plots").display and "Strength" in screen_text(app))


@driven
async def test_it_survives_being_resized_and_says_when_there_is_no_room(runs):
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query_one("#history DataTable", DataTable).row_count == 2)
        await pilot.resize_terminal(30, 8)
        await until(pilot, lambda: isinstance(app.screen, TooSmall))
        await until(pilot, lambda: "too small" in screen_text(app))
        await until(pilot, lambda: "30 x 8" in screen_text(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: isinstance(app.screen, RunScreen))
        assert app.screen.has_class("-narrow")
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: app.screen.has_class("-wide"))
        assert app.screen.query_one("#events").display


@driven
async def test_a_second_screen_may_look_and_says_who_steers(runs):
    async with opened(runs) as (first, one), opened(runs) as (second, two):
        for app, pilot in ((first, one), (second, two)):
            await until(pilot, lambda app=app: lists(app, 1))
            await pilot.press("enter")
            await until(pilot, lambda app=app: app.screen.view is not None)
        assert first.screen.steering.is_ours
        await two.press("s")
        await until(two, lambda: "another screen (process" in told(second))
        await one.press("escape")
        await two.press("s")
        await until(two, lambda: second.has_dialog)
