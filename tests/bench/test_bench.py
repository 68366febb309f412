"""`playmill bench`: what it prints and compares, and how it deals with peers. Nothing here depends on how fast anything is."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from playmill.bench import (
    baselines,
    diplomacy_neural,
    executor,
    memory,
    oracle,
    search,
    selfplay,
    selfplay_reuse,
    shipped,
    startup,
)
from playmill.bench.compare import Change
from playmill.bench.peers import children
from playmill.bench.registry import all_benchmarks
from playmill.cli.bench import register
from playmill.cli.bench_text import thread_advice
from playmill.core.errors import UnknownName, UsageError
from playmill.core.jit import IS_COMPILED

SHORT = ("--seconds", "0.05")
NAMES = [
    "sim.tictactoe", "sim.connect_four", "sim.yatzy", "sim.exchange", "sim.go9", "sim.connect_four.threads",
    "sim.yatzy.threads", "sim.python_face", "rules.exchange.encode", "rules.tictactoe.legal",
    "rules.connect_four.legal", "rules.yatzy.legal", "rules.exchange.legal", "rules.go9.legal", "rules.yatzy.scores",
    "baselines.exchange.greedy.plies", "baselines.exchange.greedy.draws", "baselines.exchange.random.draws",
    "baselines.exchange.random.unlimited",
    "sim.memory", "oracle.solve", "oracle.load", "oracle.sim", "solver", "solver.rooms", "diplomacy.adjudicate",
    "diplomacy.orders", "diplomacy.games", "diplomacy.rm_plus", "diplomacy.evaluation", "diplomacy.search.rm_plus",
    "diplomacy.search.cartesian",
    "diplomacy.neural.selfplay", "diplomacy.neural.selfplay.cuda", "diplomacy.neural.gate", "diplomacy.neural.gate.cuda",
    "search.connect_four", "search.yatzy", "search.exact_turn",
    "nets.rates", "nets.rates.exchange", "selfplay.efficiency.fp32", "selfplay.efficiency.int8", "selfplay.efficiency.exchange",
    "selfplay.logging",
    "selfplay.cuda.256x12", "selfplay.cuda.64x4", "selfplay.cuda.exchange.256x12", "selfplay.reuse",
    "protocol.encode", "protocol.decode", "serve.end_to_end", "serve.end_to_end.large", "serve.end_to_end.exchange",
    "serve.clients", "serve.clients.small", "serve.clients.exchange", "executor.ray",
    "replay.read.yatzy_demo", "replay.read.yatzy_puct", "replay.read.connect_four", "train.step.yatzy_demo",
    "train.step.yatzy_cpu", "train.step.yatzy_puct", "train.step.connect_four", "replay.read.exchange",
    "replay.read.cuda.exchange", "train.step.exchange", "train.step.cuda.exchange",
    "start.import", "start.help", "start.simulate",
]  # fmt: skip
NEEDS_KERNELS = (
    "sim.memory", "baselines.", "serve.", "executor.", "oracle.", "solver", "diplomacy.", "search.", "selfplay.", "replay.",
    "train.",
)  # fmt: skip
NEEDS_ONNX = ("nets.", "serve.", "executor.", "selfplay.", "replay.", "train.")

FAKE_PEER = f"""#!{sys.executable}
import json, sys
assert sys.argv[1].endswith(("_playouts.py", "_search.py", "_package.py"))
for request in sys.stdin:
    assert request.startswith("run ") and float(request[4:]) >= 0
    print(json.dumps({{"count": 1000, "seconds": 0.5, "game": "connect_four", "version": "fake"}}), flush=True)
"""


def bench(*args):
    """Run the command; an error that it raises is raised here."""
    app = typer.Typer()
    app.callback()(lambda: None)  # with a single command, Typer would leave out the command's name
    register(app)
    result = CliRunner().invoke(app, ["bench", *map(str, args)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def lines_of(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def result_line(name="sim.tictactoe", rate=1000.0, unit="games/s"):
    return json.dumps({"name": name, "rate": rate, "unit": unit})


def make_small(monkeypatch):
    """Searches of a few games, so that a test of them is short."""
    for module in (search, selfplay):
        monkeypatch.setattr(module, "SIMULATIONS", 10)
    monkeypatch.setattr(search, "GAMES", 8)
    monkeypatch.setattr(selfplay, "LANES", 8)


@pytest.fixture
def script(tmp_path):
    """A function that makes an executable out of its text and returns the path."""

    def make(text):
        path = tmp_path / "python"
        path.write_text(text)
        path.chmod(0o755)
        return path

    return make


# ------------------------------------------------------------------ names


def test_list_names_every_benchmark_with_its_unit():
    rows = [line.split() for line in bench("--list").stdout.splitlines()]
    assert [row[0] for row in rows] == NAMES
    assert [row[1] for row in rows] == [benchmark.unit for benchmark in all_benchmarks().values()]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["sim.yatzy"], ["sim.yatzy"]),
        (["sim.yatzy*"], ["sim.yatzy", "sim.yatzy.threads"]),
        (["*.threads"], ["sim.connect_four.threads", "sim.yatzy.threads"]),
        (["start", "oracle.l", "oracle.load"], ["oracle.load", "start.import", "start.help", "start.simulate"]),
    ],
)
def test_names_may_be_whole_or_globs_or_beginnings(patterns, expected):
    assert [line.split()[0] for line in bench("--list", *patterns).stdout.splitlines()] == expected


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match=r"unknown benchmark 'sim\.yatsy'; did you mean 'sim\.yatzy'\?"):
        bench("sim.yatsy")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_seconds_must_be_above_zero(seconds):
    with pytest.raises(UsageError, match="--seconds: expected a number above 0"):
        bench("sim.tictactoe", "--seconds", seconds)


def test_a_benchmark_that_lacks_its_gpu_says_so():
    if pytest.importorskip("torch").cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(UsageError, match=r"selfplay.cuda.64x4: left out: it needs a GPU that torch can use"):
        bench("selfplay.cuda.64x4", *SHORT)


# ------------------------------------------------------------------ results


@pytest.mark.parametrize("name", NAMES)
def test_each_benchmark_prints_one_line_with_the_promised_fields(name, monkeypatch):
    if name.startswith(NEEDS_KERNELS) and not IS_COMPILED:
        pytest.skip("too much work for interpreted kernels")
    if name.startswith(NEEDS_ONNX):
        pytest.importorskip("onnxruntime")
    if ".cuda" in name and not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("needs a GPU")
    make_small(monkeypatch)
    monkeypatch.setattr(selfplay_reuse, "GAMES", 2)
    monkeypatch.setattr(diplomacy_neural, "LANES", 2)
    monkeypatch.setattr(shipped, "GAMES", 8)
    monkeypatch.setattr(shipped, "SIMULATIONS", 2)
    monkeypatch.setattr(memory, "PLAYOUTS", 1000)
    monkeypatch.setattr(oracle, "GAMES", 1000)
    monkeypatch.setattr(baselines, "GAMES", 100)
    monkeypatch.setattr(startup, "RUNS", 1)
    monkeypatch.setattr(executor, "GAMES", 2)
    monkeypatch.setattr(executor, "LANES", 2)
    (line,) = lines_of(bench(name, *SHORT, "--no-peers"))
    beside = ["against"] if name.startswith("baselines.") else []  # what is known is no peer
    assert list(line) == ["name", "rate", "unit", "facts", *beside, "machine", "commit"]
    assert (line["name"], line["unit"]) == (name, all_benchmarks()[name].unit)
    assert isinstance(line["rate"], float)
    assert set(line["machine"]) == {"cpu", "cores", "system", "python", "numpy", "numba"}
    assert line["commit"]


def test_games_also_give_steps():
    (line,) = lines_of(bench("sim.tictactoe", *SHORT))
    assert 5 <= line["facts"]["mean_steps"] <= 9
    assert line["facts"]["steps_per_s"] == pytest.approx(line["rate"] * line["facts"]["mean_steps"], rel=1e-3)


@pytest.mark.skipif(not IS_COMPILED, reason="too much work for interpreted kernels")
def test_baselines_stand_beside_the_known_ones_with_the_reasons_of_draws(monkeypatch):
    monkeypatch.setattr(baselines, "GAMES", 400)
    plies, draws, by_chance, unlimited = lines_of(bench("baselines.*", *SHORT))
    assert plies["against"]["known"] == {"rate": 53.0, "ratio": pytest.approx(plies["rate"] / 53, rel=1e-3)}
    assert 0.85 < plies["against"]["known"]["ratio"] < 1.15
    assert draws["rate"] < 0.05
    facts = by_chance["facts"]
    assert by_chance["rate"] == facts["draws"] == pytest.approx(facts["only_kings"] + facts["repeated"] + facts["at_limit"])
    assert facts["at_limit"] > 0.4
    facts = unlimited["facts"]
    assert unlimited["rate"] == facts["draws"] == pytest.approx(facts["only_kings"] + facts["repeated"])
    assert 0.07 < unlimited["rate"] < 0.10  # of 4,000 games; 8.4 % of 20,000
    assert 320 < facts["plies"] < 350


@pytest.mark.skipif(not IS_COMPILED, reason="too much work for interpreted kernels")
def test_self_play_is_measured_against_its_network_on_one_thread_and_on_two(monkeypatch):
    pytest.importorskip("onnxruntime")
    make_small(monkeypatch)
    (line,) = lines_of(bench("selfplay.efficiency.int8", *SHORT))
    assert line["facts"]["batch"] == 8 * 4  # lanes times leaves in flight
    assert line["rate"] == line["facts"]["threads_1"]["efficiency"]
    for threads in (1, 2):
        found = line["facts"][f"threads_{threads}"]
        assert found["efficiency"] == pytest.approx(found["evals_per_s"] / found["raw_evals_per_s"], rel=1e-3)
        assert found["over_fp32"] == pytest.approx(found["evals_per_s"] / found["fp32_evals_per_s"], rel=1e-3)


@pytest.mark.parametrize("name", shipped.SHIPPED)
def test_trainings_are_measured_by_what_the_shipped_files_say(name):
    pytest.importorskip("torch")
    from playmill.pipeline.settings import load_settings

    said = load_settings(Path(__file__).parents[2] / "configs" / f"{name}.yaml")[0].model_dump()
    for room, fields in shipped.SHIPPED[name].items():
        for key, value in fields.items() if isinstance(fields, dict) else ():
            assert_within(value, said[room][key])
    assert shipped.shipped_settings(name).net.model_dump() == said["net"]
    assert shipped.shipped_settings(name).game == said["game"]


def assert_within(fields, said):
    """Everything in `fields` is said."""
    if not isinstance(fields, dict):
        assert said == fields
        return
    for key, value in fields.items():
        assert_within(value, said[key])


def test_out_writes_what_was_printed(tmp_path):
    path = tmp_path / "new" / "results.json"
    result = bench("sim.tictactoe", "sim.python_face", *SHORT, "--out", path)
    assert path.read_text() == result.stdout
    assert len(lines_of(result)) == 2


def test_a_benchmark_that_fails_is_told_and_the_others_go_on(monkeypatch):
    monkeypatch.setattr(memory, "PLAYOUTS", "many")
    result = bench("sim.memory", "sim.tictactoe", *SHORT)
    assert result.exit_code == 1
    assert [line["name"] for line in lines_of(result)] == ["sim.tictactoe"]
    assert "sim.memory: the measuring process failed: ValueError" in result.stderr


# ------------------------------------------------------------------ two runs


@pytest.mark.parametrize(
    ("unit", "old", "new", "verdict"),
    [
        ("games/s", 100, 120, "better"),
        ("games/s", 100, 80, "worse"),
        ("games/s", 100, 105, ""),
        ("games/s", 100, 95, ""),
        ("x", 1.0, 1.9, "better"),
        ("s", 1.0, 2.0, "worse"),
        ("MB", 60, 30, "better"),
        ("s", None, 2.0, ""),
    ],
)
def test_only_changes_beyond_noise_get_a_verdict(unit, old, new, verdict):
    assert Change("some.name", unit, old, new).verdict == verdict


def test_compare_shows_old_and_new_and_stdout_stays_json(tmp_path):
    old = tmp_path / "old.json"
    old.write_text(result_line(rate=0.001) + "\n")
    result = bench("sim.tictactoe", "sim.python_face", *SHORT, "--compare", old)
    assert len(lines_of(result)) == 2
    shown = {row.split()[0]: row.split() for row in result.stderr.splitlines() if row.startswith((" sim.", "sim."))}
    assert shown["sim.tictactoe"][2] == "0.001"
    assert shown["sim.tictactoe"][-1] == "better"
    assert shown["sim.python_face"][2] == "-"
    assert "different machines" in result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (result_line() + "\nnonsense\n", r"old\.json: line 2: expected one JSON object, but Expecting value"),
        ('{"name": "sim.yatzy", "rate": "fast", "unit": "s"}\n', r"line 1: expected .* rate \(a number\)"),
        ("[1, 2]\n", r"line 1: expected one JSON object, got \[1, 2\]"),
        ("\n", "expected at least one line"),
        (None, r"can't be read \(No such file"),
    ],
)
def test_compare_says_what_is_wrong_with_a_file_before_measuring(tmp_path, text, message):
    old = tmp_path / "old.json"
    if text is not None:
        old.write_text(text)
    with pytest.raises(UsageError, match=message):
        bench("sim.tictactoe", "--compare", old)


# ------------------------------------------------------------------ peers


@pytest.mark.skipif(os.name == "nt", reason="the fake interpreter is a script with a shebang")
def test_a_peer_is_measured_beside_ours(monkeypatch, script):
    monkeypatch.setenv(children.VARIABLE, str(script(FAKE_PEER)))
    result = bench("sim.connect_four", "sim.yatzy", *SHORT)
    four, yatzy = lines_of(result)
    assert set(four["against"]) == {"open_spiel", "pgx", "pgx_auto_reset"}
    assert set(yatzy["against"]) == {"open_spiel"}
    for line in (four, yatzy):
        peer = line["against"]["open_spiel"]
        assert (peer["rate"], peer["game"], peer["version"]) == (2000, "connect_four", "fake")
        assert peer["ratio"] == pytest.approx(line["rate"] / 2000, rel=1e-3)
    assert "peers" not in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="the fake interpreter is a script with a shebang")
@pytest.mark.skipif(not IS_COMPILED, reason="too much work for interpreted kernels")
def test_a_search_is_compared_core_for_core(monkeypatch, script):
    monkeypatch.setenv(children.VARIABLE, str(script(FAKE_PEER)))
    make_small(monkeypatch)
    four, yatzy = lines_of(bench("search.connect_four", "search.yatzy", *SHORT))
    assert set(yatzy["against"]) == {"mctx_backgammon"}
    ours = {"one": four["rate"], "all": four["facts"]["all_cores_sims_per_s"]}
    sides = {peer: found["our_cores"] for peer, found in four["against"].items()}
    assert sides == {"open_spiel_mcts": "one", "mctx": "one", "mctx_all_cores": "all"}
    for found in four["against"].values():
        assert found["ratio"] == pytest.approx(ours[found["our_cores"]] / 2000, rel=1e-3)


@pytest.mark.skipif(os.name == "nt", reason="the fake interpreter is a script with a shebang")
@pytest.mark.parametrize(
    "text", ["#!/bin/sh\necho no such module >&2; exit 1\n", "#!/bin/sh\nread x; echo no such module >&2\n"]
)
def test_a_peer_that_fails_is_explained_in_one_line(monkeypatch, script, text):
    monkeypatch.setenv(children.VARIABLE, str(script(text)))
    expect_only_ours(bench("sim.yatzy", "sim.yatzy", *SHORT), "open_spiel: no such module")


def test_missing_peers_give_our_number_and_one_line(monkeypatch, tmp_path):
    monkeypatch.delenv(children.VARIABLE, raising=False)
    monkeypatch.setattr(children, "find_spec", lambda _: None)
    monkeypatch.chdir(tmp_path)
    expect_only_ours(bench("sim.connect_four", "sim.yatzy", *SHORT), "open_spiel: not installed; pgx: not installed")


def test_a_python_that_is_not_there_is_explained(monkeypatch, tmp_path):
    monkeypatch.setenv(children.VARIABLE, str(tmp_path / "nowhere"))
    expect_only_ours(bench("sim.yatzy", *SHORT), "nowhere can't be run: No such file")


def expect_only_ours(result, reason):
    assert result.exit_code == 0
    assert all("against" not in line for line in lines_of(result))
    (told,) = [line for line in result.stderr.splitlines() if "peers" in line]
    assert reason in told
    assert "make bench-peers" in told
    assert children.VARIABLE in told


def test_peers_come_from_the_environment_in_the_current_folder(monkeypatch, tmp_path):
    monkeypatch.delenv(children.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    own = children.ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    own.parent.mkdir(parents=True)
    own.touch()
    assert children._command("pgx")[0] == str(own)


# ------------------------------------------------------------------ for people


def test_a_terminal_gets_a_table_unless_json_is_asked_for(monkeypatch):
    monkeypatch.setattr("playmill.cli.bench.is_for_people", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    result = bench("sim.tictactoe", "--no-peers", *SHORT)
    (row,) = result.stdout.splitlines()
    assert row.split()[0::2] == ["sim.tictactoe", "games/s"]
    assert float(row.split()[1].replace(",", "")) > 0
    assert lines_of(bench("sim.tictactoe", "--no-peers", "--json", *SHORT))[0]["unit"] == "games/s"


def test_a_narrow_terminal_gets_the_figures_on_a_line_of_their_own(monkeypatch):
    monkeypatch.setattr("playmill.cli.bench.is_for_people", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    name, figures = bench("sim.tictactoe", "--no-peers", *SHORT).stdout.splitlines()
    assert name == "sim.tictactoe"
    assert figures.endswith("games/s")


def test_the_list_as_json():
    assert {"name": "start.help", "unit": "s"}.items() <= json.loads(bench("start.help", "--list", "--json").stdout)[0].items()


@pytest.mark.parametrize(
    ("cores", "ratio", "advice"),
    [
        (2, 1.93, "two do 1.93 times the work of one; leave --workers alone"),
        (2, 1.02, "two do only 1.02 times the work of one"),
        (8, None, "commands use all 8 cores; `playmill bench sim.connect_four.threads` measures"),
        (1, None, "this machine has one core"),
    ],
)
def test_there_is_advice_on_threads(monkeypatch, cores, ratio, advice):
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    lines = [] if ratio is None else [{"name": "sim.connect_four.threads", "rate": ratio}]
    assert advice in thread_advice(lines)
