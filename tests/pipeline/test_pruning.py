"""A run keeps the newest shards that its capacity allows, and can still be verified and carried on."""

import pytest

from commands import runner
from playmill.cli import run
from playmill.core.events import read_events
from playmill.pipeline.verify import verify_run
from playmill.replay import list_shards
from playmill.replay.meta import read_meta
from playmill.runs.folder import RunFolder, find_run

CONFIG = """
game: tictactoe
workers: 1
net: {{kind: mlp, hidden: 16, blocks: 0}}
search: {{puct: {{budget: 4}}}}
selfplay: {{games: 30, shard_games: 10, lanes: 10}}
train: {{batch_size: 32, steps_per_iteration: 2, warmup: 0}}
gate: {{games: 4}}
replay: {replay}
"""


def run_with(folder, replay, iterations=3):
    (folder / "config.yaml").write_text(CONFIG.format(replay=replay))
    runner(run)(folder / "config.yaml", "--out", folder / "run", "--set", f"iterations={iterations}")
    return RunFolder(folder / "run")


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    """The samples of all nine shards, by their names, of the run that keeps them."""
    folder = run_with(tmp_path_factory.mktemp("whole"), "{}")
    found = {path.name: read_meta(path).samples for path in list_shards(folder.replay)}
    assert len(found) == 9
    return found


def newest_names(sizes, most, iterations=3):
    """Plainly: the last shards of so many iterations whose samples together are at most `most`, but one at least."""
    names, total = [], 0
    for name in sorted(sizes)[: 3 * iterations][::-1]:
        total += sizes[name]
        if names and total > most:
            break
        names.insert(0, name)
    return names


@pytest.mark.parametrize("most", [1, 150])
def test_shards_beyond_the_samples_are_pruned(tmp_path, sizes, most):
    folder = run_with(tmp_path, f"{{capacity_samples: {most}}}")
    kept = newest_names(sizes, most)
    assert 0 < len(kept) < 9
    assert [path.name for path in list_shards(folder.replay)] == kept
    listed = {name for name in find_run(folder.root)[1].files if name.startswith("replay/")}
    assert listed == {folder.name_of(path) for path in folder.replay.iterdir()}
    told = [event for event in read_events(folder.metrics) if event["event"] == "replay_prune"]
    assert [event["after"] for event in told] == [len(newest_names(sizes, most, done)) for done in (1, 2, 3)]
    assert verify_run(folder.root, games=2).problems == []


def test_the_smaller_of_two_capacities_counts_and_a_pruned_run_goes_on(tmp_path, sizes):
    folder = run_with(tmp_path, "{capacity_samples: 400, capacity_shards: 2}", iterations=1)
    assert len(list_shards(folder.replay)) == 2
    assert [path.name for path in list_shards(run_with(tmp_path, "{capacity_samples: 400, capacity_shards: 2}").replay)] == (
        sorted(sizes)[-2:]
    )
