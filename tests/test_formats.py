"""docs/formats.md against the files of a real run, field by field: what it promises is there, and nothing else."""

import json

import pytest

from formats_page import HEAD, NAME, RUN, SIDECAR, fields_of_entry, fields_of_event, first_cells, names, own_fields, part, row
from playmill.core.events import read_events
from playmill.runs.folder import RunFolder

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def folder(smoke_run):
    return RunFolder(smoke_run)


@pytest.fixture(scope="module")
def manifest(folder):
    return json.loads(folder.manifest.read_text())


def test_the_manifest_has_the_fields_of_its_table(manifest):
    assert set(manifest) == first_cells(RUN)
    iteration = row(RUN, "iterations")
    assert all(set(entry) == iteration for entry in manifest["iterations"])
    assert all(set(mark) == {"size", "sha256"} for mark in manifest["files"].values())


@pytest.mark.parametrize("phase", ["selfplay", "train", "gate", "measure"])
def test_an_entry_has_the_fields_of_its_row(manifest, phase):
    found = [entry[phase] for entry in manifest["iterations"] if entry[phase]]
    assert found
    assert all(set(entry) == fields_of_entry(phase) for entry in found)


def test_the_status_has_the_fields_of_its_table(folder):
    table = part("`status.json` is replaced", "A status that says")
    assert set(json.loads(folder.status.read_text())) == first_cells(table)


def test_sidecars_have_the_fields_that_the_page_promises(folder):
    sidecars = [*folder.models.glob("*.meta.json"), *folder.history.glob("*.meta.json")]
    assert len(sidecars) >= 3
    assert all(set(json.loads(path.read_text())) == SIDECAR for path in sidecars)


def test_shards_metas_have_the_fields_that_the_page_promises(folder):
    promised = names(part("Meta: `format`", "What a network sees"))
    metas = [json.loads(path.read_text()) for path in folder.replay.glob("*.meta.json")]
    assert metas
    assert all(set(meta) == promised for meta in metas)


def test_the_gates_report_has_no_field_that_the_page_does_not_name(folder):
    told = set(NAME.findall(part("## `gate_report.json`", "A seed set")))
    assert set(json.loads(folder.gate_report.read_text())) <= told


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
            seen.add(event["event"])
            assert own_fields(event) == fields_of_event(event["event"]), event["event"]
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
