"""A cluster's workers write what threads write, byte for byte, also where one, or a whole node, is killed in mid-run."""

import json
from functools import partial

import pytest

from cli.invoking import invoke
from diplomacy_neural.playing import new_evaluator
from playmill.core.cluster.connection import connected
from playmill.core.executor import HERE, using
from playmill.packs.diplomacy.neural.guidance import GuidanceSettings
from playmill.packs.diplomacy.neural.players import make_guided_team
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.packs.diplomacy.selfplay.generate import DiplomacySelfPlay
from playmill.packs.diplomacy.selfplay.output import Output
from playmill.packs.diplomacy.selfplay.settings import make_settings
from playmill.packs.registry import enter_packs, find_game
from playmill.pipeline.seating import seat_players
from playmill.pipeline.selfplay_phase import first_network, make_origin
from playmill.pipeline.settings import load_settings
from playmill.puzzles.mining.conveyor import mine_folder
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.solver.classics import CLASSICS
from playmill.runs.folder import RunFolder
from playmill.runs.settings_file import SettingsText
from playmill.selfplay.generate import SelfPlay
from playmill.selfplay.plan import plan_iteration
from puzzles.mining.drawn_records import contents, write_records
from ray_cluster import STORE_BYTES, muster, nodes_on_this_machine, strike_node, strike_worker

pytestmark = pytest.mark.jit
YATZY = """
game: yatzy
net: {hidden: 64, blocks: 1, togo: true}
search: {kind: exact_turn}
selfplay: {games: 48, shard_games: 8, lanes: 8, temperature: {kind: constant, start: 0.3}}
"""
EXCHANGE = """
game: exchange
net: {kind: conv, channels: 8, blocks: 1, hidden: 16, policy: planes, value: shaped}
search: {kind: puct, puct: {budget: 4}}
selfplay: {games: 6, shard_games: 1, lanes: 2, opponent: {share: 1, search: {kind: one_ply}, temperature: 0}}
"""


@pytest.fixture(scope="module")
def cluster():
    with nodes_on_this_machine(1) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def workforce(cluster):
    with connected(prepare=enter_packs) as workforce:
        yield workforce


@pytest.fixture(params=[strike_worker, strike_node])
def struck(request, cluster, workforce):
    """Two nodes with a worker each, and a `progress` that strikes when it is first called."""
    have_two_nodes(cluster)
    muster(workforce)
    strikes = []

    def progress(*_, **__):
        if not strikes:
            strikes.append(True)
            request.param(workforce, cluster)

    with using(workforce):
        yield progress
    workforce.crew.dismiss()  # others want its CPUs
    assert strikes


def have_two_nodes(cluster):
    if not cluster.worker_nodes:
        cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES)


def write_shards(text, folder, progress=None):
    """One iteration's shards with the network that a run begins with."""
    settings, _ = load_settings(SettingsText("test", text))
    game, folder = find_game(settings.game), RunFolder(folder)
    folder.replay.mkdir(parents=True)
    seated = seat_players(folder, game, settings, first_network(game, settings), None, 0)
    origin = make_origin(game, settings, seated, 0)
    makers = [one.maker(game, settings.selfplay) for one in seated]
    player = SelfPlay(game, settings.selfplay, makers, folder.replay, origin.seed, origin, folder.root_parts)
    report = player.run(plan_iteration(settings.selfplay, 0), 2, progress)
    files = [*folder.replay.iterdir(), *folder.root_parts.glob("*")]
    return {path.name: path.read_bytes() for path in files}, report


@pytest.mark.parametrize("text", [YATZY, EXCHANGE], ids=["yatzy", "exchange"])
def test_shards(text, struck, tmp_path):
    heard = []

    def progress(done, **_):
        heard.append(done)
        struck(done)

    there, report = write_shards(text, tmp_path / "there", progress)
    with using(HERE):
        here, wanted = write_shards(text, tmp_path / "here")
    assert there == here
    assert (report.games, report.samples, report.stats) == (wanted.games, wanted.samples, wanted.stats)
    assert heard == sorted(set(heard))  # no game is counted twice
    assert heard[-1] == wanted.games


def play_diplomacy(path, progress=None):
    search, guidance = OrderSearchSettings(candidates=3, levels=2).with_polish(50), GuidanceSettings(noise=0.25)
    settings = make_settings(max_year=1902, temperature=0.2, seed=5, budget={"kind": "iterations", "amount": 3})
    with Output(path, settings) as output:
        players = partial(make_guided_team, new_evaluator(), search, guidance, 2)
        report = DiplomacySelfPlay(settings, output, players, lanes=2).run(8, 2, progress)
    assert report.games == 8
    return path.read_bytes()


def test_games_of_diplomacy(struck, tmp_path):
    there = play_diplomacy(tmp_path / "there.jsonl", struck)
    with using(HERE):
        assert there == play_diplomacy(tmp_path / "here.jsonl")


def test_mined_puzzles(struck, tmp_path):
    drawings = {one.name.replace(",", ""): one.drawing for one in list(CLASSICS)[:8]}
    folder, settings = write_records(tmp_path / "games", drawings), MiningSettings(nodes=20_000)
    mine_folder(folder, tmp_path / "there" / "puzzles.jsonl", settings, workers=2, progress=struck)
    with using(HERE):
        mine_folder(folder, tmp_path / "here" / "puzzles.jsonl", settings, workers=2)
    assert contents(tmp_path / "there" / "puzzles.jsonl") == contents(tmp_path / "here" / "puzzles.jsonl")


RUN = """
game: yatzy
iterations: 1
workers: 2
net: {hidden: 32, blocks: 1, togo: true}
search: {kind: exact_turn}
selfplay: {games: 8, shard_games: 4, lanes: 4}
train: {batch_size: 64, steps_per_iteration: 5, warmup: 1}
gate: {games: 8}
measure: {games: 4}
"""


def test_a_whole_run_and_a_gate_and_an_oracle_of_its_networks(cluster, tmp_path):
    config = tmp_path / "run.yaml"
    config.write_text(RUN)
    for name, words in (("here", []), ("there", ["--executor", "ray"])):
        ended = invoke(["run", config, "--out", name, *words], tmp_path)
        assert ended.code == 0, ended.err
    here, there = (RunFolder(tmp_path / name) for name in ("here", "there"))
    for path in [*here.replay.iterdir(), here.candidate, here.best, here.gate_of(0)]:
        assert (there.root / path.relative_to(here.root)).read_bytes() == path.read_bytes(), path.name
    measured = [json.loads(folder.manifest.read_text())["iterations"][0]["measure"]["results"] for folder in (here, there)]
    assert measured[0] == measured[1]
    gate = ["gate", "yatzy", "--candidate", here.candidate, "--best", "random", "--games", 8]
    oracle = ["oracle-eval", "--model", here.best, "--games", 4]
    for words in (gate, oracle):
        words = [*words, "--workers", 2, "--json"]
        here, there = invoke(words, tmp_path), invoke([*words, "--executor", "ray"], tmp_path)
        assert (here.code, there.code) == (0, 0), there.err
        assert here.out == there.out


def test_networks_may_answer_at_an_endpoint_of_the_cluster(cluster, tmp_path):
    have_two_nodes(cluster)  # an endpoint on one, a worker on the other
    config = tmp_path / "run.yaml"
    config.write_text(RUN)
    for name, words in (("here", []), ("there", ["--executor", "ray", "--infer", "managed"])):
        ended = invoke(["selfplay", config, "--out", name, *words], tmp_path)
        assert ended.code == 0, ended.err
    here, there = (
        {path.name: path.read_bytes() for path in RunFolder(tmp_path / name).replay.iterdir()} for name in ("here", "there")
    )
    assert there == here
