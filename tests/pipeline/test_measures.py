"""A measurement has best, candidate and the measure's own bot on the same seeds, and plays nobody's games twice."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from playmill.core.errors import UsageError
from playmill.core.events import read_events
from playmill.packs.pack import Pack
from playmill.packs.yatzy.measure import ORACLE
from playmill.pipeline import phases
from playmill.pipeline.measures import chosen_measures
from playmill.pipeline.run import open_run
from playmill.pipeline.settings import MeasureSettings
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.watcher import Nobody

CONFIG = Path(__file__).parent / "chaos.yaml"

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run that is measured after each iteration, and how many bots each measurement played with."""
    folder, played = RunFolder(tmp_path_factory.mktemp("runs") / "run"), []

    def count(game, bots, *rest):
        played.append(len(bots))
        return ORACLE.run(game, bots, *rest)

    with pytest.MonkeyPatch.context() as patch, folder.locked():
        patch.setattr(phases, "chosen_measures", lambda pack, settings: (replace(ORACLE, run=count),))
        open_run(CONFIG, folder.root, Nobody(), ["measure.every=1"]).run()
    return folder, read_manifest(folder), played


def test_all_bots_are_measured_on_the_same_seeds(run):
    _, manifest, _ = run
    for entry in manifest.iterations:
        found = entry.measure.results["oracle"]
        assert list(found) == ["best", "candidate", "oracle"]
        assert len({fields["seeds_hash"] for fields in found.values()}) == 1
        assert found["oracle"]["choices"]["all"]["match_rate"] == 1.0
        assert entry.measure.models["candidate"] == entry.train.weights_sha256
        if entry.gate.promote:
            assert found["best"] == found["candidate"]
    assert {entry.gate.promote for entry in manifest.iterations} == {True, False}


def test_what_is_known_of_a_bot_is_not_played_again(run):
    _, manifest, played = run
    known = set()
    for entry, bots in zip(manifest.iterations, played, strict=True):
        wanted = {"oracle", *entry.measure.models.values()}
        assert bots == len(wanted - known)
        known |= wanted
    assert played[0] >= 2
    assert played[-1] == 1


def test_the_gates_event_has_wins_losses_draws_and_the_oracles_match_rate(run):
    folder, manifest, _ = run
    events = [event for event in read_events(folder.metrics) if event["event"] == "gate_done"]
    for event, entry in zip(events, manifest.iterations, strict=True):
        assert event["wins"] + event["losses"] + event["draws"] == event["games"] == 8
        rates = event["details"]["oracle_match_rate"]
        assert set(rates) == {"candidate", "best"}
        assert all(0 < rates[bot]["all"] < 1 for bot in rates)
        assert event["details"] == json.loads(json.dumps(entry.gate.details))


def test_a_measure_that_names_an_unknown_bot_is_refused():
    pack = Pack(("nim",), measures=(replace(ORACLE, baseline="orakel"),), bots={"oracle": None})
    with pytest.raises(UsageError, match="unknown bot of the measure oracle 'orakel'; did you mean 'oracle'"):
        chosen_measures(pack, MeasureSettings())
