"""`playmill export` of a finished run: in one go or in many, after kills, and what it refuses."""

import json

import pytest

from cli.invoking import assert_refused, invoke
from exports.readers import read_tensorboard, read_wandb
from playmill.core.events import read_events
from playmill.exports.cursor import FILE
from playmill.exports.scalars import scalars_of
from runs.toy_run import open_toy


@pytest.fixture
def run(tmp_path):
    """A finished run of three iterations without games or networks."""
    open_toy(tmp_path / "run", iterations=3).run()
    return tmp_path / "run"


def export(run, *words):
    ended = invoke(["export", run, *words], run)
    assert ended.code == 0, ended
    return ended.out


def cut(run, lines):
    """Take all but the first lines of the log away; return how to put it back."""
    log = run / "logs" / "metrics.ndjson"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:lines]))
    return lambda: log.write_bytes(whole)


def test_numbers_are_named_by_the_path_that_leads_to_them():
    event = {"event": "gate_done", "ts_ms": 1, "step": 0, "iteration": 0, "promote": True, "interval": [0.4, 0.9], "seed": 5,
             "reason": "words", "details": {"oracle": {"rate": 0.5, "none": None}}}  # fmt: skip
    assert scalars_of(event) == {
        "gate/promote": 1, "gate/interval/low": 0.4, "gate/interval/high": 0.9, "gate/details/oracle/rate": 0.5,
    }  # fmt: skip
    assert scalars_of({"event": "train_plan", "ts_ms": 1, "samples": 3}) == {}


def test_tensorboard_in_many_goes_is_the_same_file_as_in_one(run, tmp_path):
    export(run, "--tensorboard", "--out", tmp_path / "one")
    for lines in (0, 1, 5, 5, 9):
        restore = cut(run, lines)
        export(run, "--tensorboard", "--out", tmp_path / "many")
        restore()
    assert "0 events told now" not in export(run, "--tensorboard", "--out", tmp_path / "many")
    assert "0 events told now" in export(run, "--tensorboard", "--out", tmp_path / "many")
    files = [next((tmp_path / name).glob("events*")).read_bytes() for name in ("one", "many")]
    assert files[0] == files[1]


def test_what_a_kill_left_behind_the_cursor_is_not_told_twice(run, tmp_path):
    out = tmp_path / "tb"
    restore = cut(run, 6)
    export(run, "--tensorboard", "--out", out)
    cursor = (out / FILE).read_bytes()
    restore()
    export(run, "--tensorboard", "--out", out)
    whole = read_tensorboard(out)
    (out / FILE).write_bytes(cursor)  # the kill came before the cursor was written
    export(run, "--tensorboard", "--out", out)
    assert read_tensorboard(out) == whole


def test_wandb_goes_on_with_the_steps_that_are_missing(run, tmp_path):
    out, events = tmp_path / "wb", sum(bool(scalars_of(event)) for event in read_events(run / "logs" / "metrics.ndjson"))
    restore = cut(run, 6)
    export(run, "--wandb", "--offline", "--out", out)
    restore()
    export(run, "--wandb", "--offline", "--out", out)
    assert [step for step, _ in read_wandb(out)] == list(range(events))


def test_rows_begin_behind_the_iteration_that_is_named(run):
    rows = [json.loads(line) for line in export(run, "--json", "--after", "0").splitlines()]
    assert [row["iteration"] for row in rows] == [1, 2]
    assert export(run, "--csv").splitlines()[0].startswith("iteration,selfplay/")


def test_an_export_of_another_run_is_refused(run, tmp_path):
    export(run, "--tensorboard", "--out", tmp_path / "tb")
    open_toy(tmp_path / "other", iterations=1).run()
    ended = invoke(["export", tmp_path / "other", "--tensorboard", "--out", tmp_path / "tb"], tmp_path)
    assert_refused(ended)
    assert "of the run run" in ended.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "expected one of --wandb, --tensorboard, --json, --csv, got 0"),
        (["--json", "--csv"], "got 2"),
        (["--csv", "--out", "x"], "goes to stdout"),
        (["--json", "--offline"], "belong to --wandb"),
        (["--tensorboard", "--after", "1"], "keeps its own place"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, words, told):
    ended = invoke(["export", run, *words], run)
    assert_refused(ended, (2,))
    assert told in ended.err


def test_a_damaged_cursor_is_named(run, tmp_path):
    export(run, "--tensorboard", "--out", tmp_path / "tb")
    (tmp_path / "tb" / FILE).write_text("{")
    ended = invoke(["export", run, "--tensorboard", "--out", tmp_path / "tb"], tmp_path)
    assert_refused(ended, (1,))
    assert f"{FILE}: damaged" in ended.err
