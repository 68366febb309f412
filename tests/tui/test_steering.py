"""Making, starting, stopping and resuming runs from the screen."""

import json
import os
import signal
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, Select, Static, Switch

from playmill.pipeline.starting_points import open_form, starting_points
from playmill.runs.folder import RunFolder
from playmill.runs.settings_file import load
from playmill.runs.shelf import Shelf
from playmill.runs.status import read_status
from playmill.runs.steering import stop_run
from playmill.runs.view import RunView
from playmill.tui.creator import CreatorDialog
from playmill.tui.dashboard import RunScreen
from playmill.tui.fields import FieldRow
from playmill.tui.form import FormScreen
from playmill.tui.preflight import PreflightDialog
from tui.piloting import LARGE, driven, lists, opened, screen_text, shown, told, until
from waiting import halted

pytestmark = pytest.mark.jit
ROOT = Path(__file__).parents[2]
SMOKE = ROOT / "configs" / "yatzy_smoke.yaml"
ITERATIONS = 8  # so many that the run is caught in its middle
RUN_S = 300.0  # for all of them on a busy machine; they take about twelve seconds


@pytest.fixture
def at_home(monkeypatch):
    """Where the shipped configurations are."""
    monkeypatch.chdir(ROOT)


async def new_run(app, pilot, label, name):
    """Press through the dialog that makes a run."""
    await pilot.press("n")
    await until(pilot, lambda: isinstance(app.screen, CreatorDialog))
    labels, named = [point.label for point in app.screen.points], app.screen.query_one("#name", Input)
    app.screen.query_one(OptionList).highlighted = labels.index(label)
    await pilot.press("enter")
    await until(pilot, lambda: app.focused is named)
    named.value = name
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, FormScreen))
    await until(pilot, lambda: app.screen.query(FieldRow))


async def open_group(app, pilot, name):
    groups = app.screen.query_one("#groups", OptionList)
    groups.highlighted = list(app.screen.form.groups).index(name)
    first = app.screen.form.fields_in(name)[0].path
    await until(pilot, lambda: [row.field.path for row in app.screen.query(FieldRow)][:1] == [first])


def row(app, path):
    return next(found for found in app.screen.query(FieldRow) if found.field.path == path)


@driven
async def test_a_run_is_made_edited_started_left_reopened_stopped_and_resumed_to_its_end(tmp_path, at_home):
    runs = tmp_path / "runs"
    folder = RunFolder(runs / "first")
    async with opened(runs, LARGE) as (app, pilot):
        await new_run(app, pilot, "configs/yatzy_smoke.yaml", "first")
        await open_group(app, pilot, "train")
        lr = row(app, "train.lr").query_one(Input)
        good, lr.value = lr.value, "abc"
        await until(pilot, lambda: row(app, "train.lr").has_class("wrong"))
        assert "expected a number, got 'abc'" in shown(row(app, "train.lr").query_one(".problem", Static))
        await pilot.press("f5")
        await until(pilot, lambda: "train.lr: expected a number" in told(app))
        assert not (runs / "first").exists()
        lr.value = good
        await until(pilot, lambda: not app.screen.problems)
        await open_group(app, pilot, "run")
        row(app, "iterations").query_one(Input).value = str(ITERATIONS)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, PreflightDialog))
        await until(pilot, lambda: app.screen.is_over)
        assert all(check.ok for check in app.screen.checks)
        await pilot.press("enter")
        await until(pilot, lambda: read_status(folder) is not None)
        with halted(read_status(folder).pid):
            await until(pilot, lambda: isinstance(app.screen, RunScreen))
            await until(pilot, lambda: app.screen.view is not None and app.screen.view.state.name == "running")
    # The screen is gone, the run is not.
    pid = RunView(folder.root).status.pid
    with halted(pid):
        assert RunView(folder.root).state.name == "running"
        async with opened(runs, LARGE) as (app, pilot):
            await until(pilot, lambda: lists(app, 1))
            await pilot.press("enter")
            await until(pilot, lambda: app.screen.view is not None)
            assert app.screen.view.status.pid == pid
            assert not folder.draft.exists()
            await pilot.press("x")
            await until(pilot, lambda: app.has_dialog)
            await pilot.press("y")
            os.kill(pid, signal.SIGCONT)
            await until(pilot, lambda: app.screen.view.state.name == "stopped")
            await until(pilot, lambda: "by the user" in screen_text(app))
            assert app.screen.view.manifest.iterations_done < ITERATIONS
            await pilot.press("s")
            await until(pilot, lambda: isinstance(app.screen, PreflightDialog) and app.screen.is_over)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, RunScreen))
            await until(pilot, lambda: app.screen.view.state.name == "done", RUN_S)
            assert app.screen.view.manifest.iterations_done == ITERATIONS
            assert app.screen.view.status.pid != pid


@driven
async def test_what_the_form_saves_is_what_was_typed_chosen_and_switched_and_a_draft_reopens(tmp_path, at_home):
    runs = tmp_path / "runs"
    async with opened(runs, LARGE) as (app, pilot):
        await new_run(app, pilot, "connect_four", "mine")
        row(app, "iterations").query_one(Input).value = "1e3"
        row(app, "backend").query_one(Select).value = "torch"
        await open_group(app, pilot, "infer")
        row(app, "infer.managed").query_one(Switch).toggle()
        await open_group(app, pilot, "selfplay")
        games = row(app, "selfplay.games")
        before = games.value
        games.query_one(Input).focus()
        await until(pilot, lambda: app.focused is games.query_one(Input))
        await pilot.press("up")
        await until(pilot, lambda: games.value > before)
        await pilot.click(games.query_one(".less"))
        await until(pilot, lambda: games.value == before)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.screen.is_saved)
    folder = RunFolder(runs / "mine")
    form = open_form(folder.draft, "mine")
    settings, _ = load(form.kind, folder.draft)
    assert (settings.iterations, settings.backend, settings.infer.managed) == (1000, "torch", True)
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, FormScreen) and app.screen.query(FieldRow))
        assert row(app, "iterations").value == 1000
        assert app.screen.is_saved
        row(app, "iterations").query_one(Input).value = "0"
        await until(pilot, lambda: "iterations: expected at least 1, got 0" in shown(app.screen.query_one("#verdict", Static)))
        await pilot.press("ctrl+s")  # a draft may be wrong, and says so when it is opened again
        await until(pilot, lambda: app.screen.is_saved)
    assert open_form(folder.draft, "mine").problems() == {"iterations": "expected at least 1, got 0"}


@driven
async def test_the_form_is_filled_in_by_keys_alone(tmp_path, at_home):
    async with opened(tmp_path / "runs") as (app, pilot):
        await new_run(app, pilot, "configs/yatzy_smoke.yaml", "first")
        await open_group(app, pilot, "search")
        await pilot.press("f6")
        await until(pilot, lambda: app.focused is row(app, "search.kind").query_one(Select))
        await pilot.press("enter", "home", "enter")
        await until(pilot, lambda: row(app, "search.kind").value == "puct")
        await pilot.press("f6")
        await open_group(app, pilot, "train")
        await pilot.press("f6", "1", "tab", "2")  # one field after the other, and what was there is typed over
        await until(pilot, lambda: row(app, "train.steps_per_iteration").value == 2)
        assert row(app, "train.batch_size").value == 1


@driven
async def test_a_start_that_is_refused_leads_to_the_field_that_is_wrong(tmp_path, at_home):
    runs = tmp_path / "runs"
    async with opened(runs) as (app, pilot):
        await new_run(app, pilot, "configs/yatzy_smoke.yaml", "first")
        await open_group(app, pilot, "train")
        lr = row(app, "train.lr").query_one(Input)
        lr.value = "abc"
        await until(pilot, lambda: app.screen.problems)
        await pilot.press("f5")
        await until(pilot, lambda: app.focused is lr)
        await open_group(app, pilot, "net")
        await pilot.press("f5")
        await until(pilot, lambda: app.focused is row(app, "train.lr").query_one(Input))


@driven
async def test_a_draft_with_keys_that_are_none_says_so(tmp_path):
    runs = tmp_path / "runs"
    folder = RunFolder(runs / "mine")
    folder.root.mkdir(parents=True)
    folder.draft.write_text("game: connect_four\ntrain: {lrr: 3}\n")
    async with opened(runs) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("enter")
        await until(pilot, lambda: "no setting is called train.lrr" in told(app))


@driven
async def test_dialogs_stand_in_the_middle(runs):
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        folder = RunFolder(runs / "smoke")
        for dialog in (PreflightDialog(folder, folder.config), CreatorDialog(runs, starting_points([]))):
            app.push_screen(dialog)
            await until(pilot, lambda dialog=dialog: dialog.is_current and dialog.query(".dialog"))
            region = dialog.query_one(".dialog").region
            left, right = region.x, LARGE[0] - region.right
            assert abs(left - right) <= 1
            assert left > 5
            app.pop_screen()


@driven
async def test_a_name_that_is_none_or_taken_is_refused_in_place(runs):
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, CreatorDialog))
        await pilot.press("enter")
        await until(pilot, lambda: app.focused is app.screen.query_one("#name"))
        for name, words in (("smoke", "something of that name already"), ("../up", "expected a name"), ("", "expected a name")):
            app.screen.query_one("#name", Input).value = name
            await pilot.press("enter")
            await until(pilot, lambda words=words: words in shown(app.screen.query_one(".problem", Static)))


@driven
async def test_preflight_says_what_is_missing_and_what_to_do(tmp_path, at_home):
    runs = tmp_path / "runs"
    folder = RunFolder(runs / "far")
    folder.root.mkdir(parents=True)
    folder.draft.write_text(SMOKE.read_text() + f"infer: {{addresses: 'unix://{tmp_path}/nobody'}}\n")
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, FormScreen) and app.screen.query(FieldRow))
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, PreflightDialog) and app.screen.is_over)
        failed = [check for check in app.screen.checks if not check.ok]
        assert [check.name for check in failed] == [f"server unix://{tmp_path}/nobody"]
        assert "playmill serve --model" in failed[0].remedy
        await until(pilot, lambda: "it can't start like this" in screen_text(app))
        await pilot.press("enter")
        await pilot.pause(0.3)
        assert isinstance(app.screen, PreflightDialog)
        await pilot.press("escape")
    assert not folder.manifest.exists()


@driven
async def test_a_run_that_is_done_is_given_more_iterations_only_if_they_are_more(runs):
    async with opened(runs, LARGE) as (app, pilot):
        await until(pilot, lambda: lists(app, 1))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.view is not None)
        await pilot.press("x")
        await until(pilot, lambda: "is not at work" in told(app))
        await pilot.press("s")
        await until(pilot, lambda: app.has_dialog)
        app.screen.query_one(Input).value = "2"
        await pilot.press("enter")
        await until(pilot, lambda: "at least 3" in shown(app.screen.query_one(".problem", Static)))
        started = []
        app.screen_stack[-2].launch = lambda *words: started.append(words)
        app.screen.query_one(Input).value = "3"
        await pilot.press("enter")
        await until(pilot, lambda: started)
        assert started[0][1] == ["--set", "iterations=3"]


def test_nobody_at_work_can_be_stopped(runs):
    with pytest.raises(Exception, match="nobody is at work"):
        stop_run(RunFolder(runs / "smoke"))


def test_a_shelf_reads_again_only_what_changed(runs, monkeypatch):
    shelf, looks = Shelf(runs), []
    monkeypatch.setattr("playmill.runs.shelf.RunView", lambda root: looks.append(root) or RunView(root))
    shelf.look()
    shelf.look()
    assert len(looks) == 1
    status = RunFolder(runs / "smoke").status
    status.write_text(json.dumps({**json.loads(status.read_text()), "text": "changed"}))
    assert shelf.look()[0].text == "done"
    assert len(looks) == 2
