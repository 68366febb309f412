"""docs/formats.md against the files of a real run, field by field: what it promises is there, and nothing else."""

import json
import re
from pathlib import Path

import pytest

from playmill.core.events import read_events
from playmill.runs.folder import RunFolder

PAGE = (Path(__file__).parents[1] / "docs" / "formats.md").read_text()
NAME = re.compile(r"`([a-z][a-z0-9_]*)`")

pytestmark = pytest.mark.jit


def part(begin, end):
    """The page from one piece of text up to another."""
    start = PAGE.index(begin)
    return PAGE[start : PAGE.index(end, start + len(begin))]


def names(text):
    """Names in a text; what stands in brackets is about other things."""
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    return set(NAME.findall(text))


def first_cells(text):
    """The names in the first column of a table."""
    return {name for line in text.splitlines() if line.startswith("| `") for name in names(line.split("|")[1])}


def row(text, name):
    """The names in the row that begins with `name`."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    line = next(line for line in rows if f"`{name}`" in line.split("|")[1])
    return names(line.split("|", 2)[2])


@pytest.fixture(scope="module")
def folder(smoke_run):
    return RunFolder(smoke_run)


@pytest.fixture(scope="module")
def manifest(folder):
    return json.loads(folder.manifest.read_text())


RUN = part("`run.json`:\n", "`files` has a line")
ENTRIES = part("| entry | fields |", "`details` has what")
EVENTS = part("## Events", "The `entropy` of")


def test_the_manifest_has_the_fields_of_its_table(manifest):
    assert set(manifest) == first_cells(RUN)
    iteration = row(RUN, "iterations")
    assert all(set(entry) == iteration for entry in manifest["iterations"])
    assert all(set(mark) == {"size", "sha256"} for mark in manifest["files"].values())


@pytest.mark.parametrize("phase", ["selfplay", "train", "gate", "measure"])
def test_an_entry_has_the_fields_of_its_row(manifest, phase):
    promised = {"seconds", *row(ENTRIES, phase)} - ({"oracle"} if phase == "measure" else set())
    found = [entry[phase] for entry in manifest["iterations"] if entry[phase]]
    assert found
    assert all(set(entry) == promised for entry in found)


def test_the_status_has_the_fields_of_its_table(folder):
    table = part("`status.json` is replaced", "A status that says")
    assert set(json.loads(folder.status.read_text())) == first_cells(table)


def test_sidecars_have_the_fields_that_the_page_promises(folder):
    promised = names(part("`NAME.meta.json` repeats the meta:", "`NAME.int8.onnx`").split(":", 1)[1])
    sidecars = [*folder.models.glob("*.meta.json"), *folder.history.glob("*.meta.json")]
    assert len(sidecars) >= 3
    assert all(set(json.loads(path.read_text())) == promised for path in sidecars)


def test_shards_metas_have_the_fields_that_the_page_promises(folder):
    promised = names(part("Meta: `format`", "What a network sees"))
    metas = [json.loads(path.read_text()) for path in folder.replay.glob("*.meta.json")]
    assert metas
    assert all(set(meta) == promised for meta in metas)


def test_the_gates_report_has_no_field_that_the_page_does_not_name(folder):
    told = set(NAME.findall(part("## `gate_report.json`", "A seed set")))
    assert set(json.loads(folder.gate_report.read_text())) <= told


HEAD = {"event", "ts_ms", "run_id", "v", "config_hash", "commit", "step"}


def test_every_event_says_whose_it_is(folder, manifest):
    for log in (folder.metrics, folder.iteration_stats, folder.roots):
        for event in read_events(log):
            head = HEAD - ({"ts_ms"} if log == folder.roots else set())
            assert head <= set(event)
            assert (event["run_id"], event["config_hash"]) == (manifest["run_id"], manifest["settings_hash"])
            assert set(event["v"]) == {"protocol_version", "feature_schema", "action_space", "ruleset"}


def test_every_event_has_the_fields_of_its_row(folder):
    seen = set()
    for log in (folder.metrics, folder.iteration_stats, folder.roots):
        for event in read_events(log):
            kind, phase = event["event"], event["event"].removesuffix("_done")
            seen.add(kind)
            promised = {"seconds", *row(ENTRIES, phase)} - {"oracle"} if kind.endswith("_done") else row(EVENTS, kind)
            found = {name for name in event if not name.startswith("loss_")} - HEAD - {"iteration"}
            assert found == promised, kind
    assert seen >= {
        "selfplay_done",
        "train_done",
        "gate_done",
        "measure_done",
        "train_plan",
        "train_step",
        "replay_prune",
        "iteration",
    }
