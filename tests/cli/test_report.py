"""The report is one well-formed page that needs nothing else, for any run at any moment."""

import hashlib
import json
import shutil
from html.parser import HTMLParser

import pytest
import yaml

from cli.invoking import assert_refused, invoke
from playmill.cli.report_chart import Point, Sheet, gate_chart, line_chart, nice_ticks, short_number
from playmill.cli.report_page import table
from playmill.cli.run_comparison import compare_runs
from playmill.cli.run_report import make_report
from playmill.core.errors import PlaymillError, UsageError
from playmill.runs.consistency import COUNTERS
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.marks import Mark

VOID = {"meta", "circle", "line", "polyline", "polygon"}

pytestmark = pytest.mark.jit


class Checker(HTMLParser):
    """Counts tags, and fails at one that is closed by another's end."""

    def __init__(self, page):
        super().__init__()
        self.open, self.seen, self.attributes = [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in VOID or (tag == "circle" and self.get_starttag_text()[-2:] != "/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture
def run_copy(smoke_run, tmp_path):
    return shutil.copytree(smoke_run, tmp_path / "run", ignore=shutil.ignore_patterns("replay", "models"))


def change(run, edit):
    """Edit what the manifest says, with counters and a checksum that fit."""
    folder = RunFolder(run)
    content = json.loads(folder.manifest.read_text())
    del content["checksum"]
    edit(content)
    for counter, (phase, counted) in COUNTERS.items():
        content[counter] = sum(entry[phase][counted] for entry in content["iterations"][: content["iterations_done"]])
    Manifest.model_validate(content).save(folder)


@pytest.fixture
def two_runs(run_copy, tmp_path):
    """A run and one that differs in a setting and its name, both with measurements."""
    other = shutil.copytree(run_copy, tmp_path / "other")
    config = other / "config.yaml"
    config.write_text(config.read_text().replace("hidden: 64", "hidden: 96"))
    change(other, lambda content: content["files"].update({"config.yaml": dict(Mark.of(config))}))
    return run_copy, other


def test_a_comparison_has_every_run_in_every_chart_and_what_sets_them_apart(two_runs):
    page = compare_runs(two_runs)
    seen = Checker(page)
    assert "script" not in seen.seen
    for title in ("Strength over iterations", "Strength over time", "Strength against compute", "Total loss", "Rates"):
        assert title in page
    assert page.count('<g class="line-0">') == page.count('<g class="line-1">') > 5
    assert page.count('class="band"') >= 6  # the intervals of both runs
    table = page[page.index("Settings that differ") :]
    assert ["net.hidden" in table, ">64<" in table, ">96<" in table, "train.lr" in table] == [True, True, True, False]


def test_defaults_that_one_run_spells_out_set_nothing_apart(two_runs):
    """As the screen's drafts do: they have every key."""
    config = two_runs[1] / "config.yaml"
    content = yaml.safe_load(config.read_text())
    content["search"]["one_ply"] = {"temperature": 0.1}
    config.write_text(yaml.safe_dump(content))
    change(two_runs[1], lambda content: content["files"].update({"config.yaml": dict(Mark.of(config))}))
    page = compare_runs(two_runs)
    table = page[page.index("Settings that differ") :]
    assert "net.hidden" in table
    assert "one_ply" not in table


def test_a_run_alone_has_its_strength_against_compute_too(run_copy):
    page = make_report(run_copy)
    for title in ("Strength over time", "Strength over iterations", "Strength against compute"):
        assert page.count(f">{title}<") == 1


def test_labels_of_large_numbers_fit_beside_their_axis():
    assert [short_number(value) for value in (0.5, 950, 100_000, 2.5e6)] == ["0.5", "950", "100k", "2.5M"]


def test_runs_of_different_games_are_not_compared(two_runs):
    change(two_runs[1], lambda content: content.update(game="tictactoe"))
    with pytest.raises(UsageError, match="runs of one game, got tictactoe, yatzy"):
        compare_runs(two_runs)


def test_the_command_compares_several_and_draws_a_picture(two_runs, tmp_path, monkeypatch):
    words = ["report", *two_runs, "--json", *(["--png", "c.png"] if shutil.which("chromium") else [])]
    ended = invoke(words, tmp_path)
    assert ended.code == 0, ended
    assert json.loads(ended.out)["path"] == "comparison.html"
    if shutil.which("chromium"):
        assert (tmp_path / "c.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert_refused(invoke(words, tmp_path), (2,))  # it is there
    assert_refused(invoke(["report", two_runs[0], two_runs[0]], tmp_path), (2,))
    monkeypatch.setenv("PATH", "")
    ended = invoke(["report", two_runs[0], "--png", "d.png"], tmp_path)
    assert_refused(ended, (2,))
    assert "chromium" in ended.err


def test_a_yatzy_run_has_every_chart_and_needs_no_other_file(smoke_run):
    page = make_report(smoke_run)
    checker = Checker(page)
    for words in (
        "Strength over time",
        "Strength over iterations",
        "best play, 248.44",
        "Gates",
        "Losses",
        "Regret by kind of decision",
        "policy entropy, nats",
        "finished",
    ):
        assert words in page
    assert "script" not in checker.seen
    assert not {"src", "href"} & {name for name, _ in checker.attributes}
    assert "http" not in page


def test_a_game_without_an_oracle_has_no_strength(run_copy):
    def edit(manifest):
        for iteration in manifest["iterations"]:
            iteration["measure"] = None

    change(run_copy, edit)
    page = make_report(run_copy)
    Checker(page)
    assert "Strength" not in page
    assert "Gates" in page


def test_two_players_have_curves_of_how_they_fared(run_copy):
    fared = {"games": 10, "wins": 6, "losses": 3, "draws": 1, "mean_plies": 42.5}
    other = {**fared, "wins": 3, "losses": 6}

    def edit(manifest):
        for iteration in manifest["iterations"]:
            iteration["selfplay"]["results"] = {"best": fared, "opponent": other}

    alone = make_report(run_copy)
    change(run_copy, edit)
    page = make_report(run_copy)
    Checker(page)
    for words in ("won by the best", "won by the opponent", "drawn", "plies a game", "60/30/10 %", "iteration 1: 0.6"):
        assert words in page
        assert words not in alone


def test_a_teacher_and_its_student_are_called_so(run_copy):
    fared = {"games": 10, "wins": 6, "losses": 3, "draws": 1, "mean_plies": 42.5}
    opponent = "selfplay: {opponent: {share: 1, search: {kind: one_ply}}}\n"

    def edit(manifest):
        for iteration in manifest["iterations"]:
            iteration["selfplay"]["results"] = {"best": fared, "opponent": {**fared, "wins": 3, "losses": 6}}
        data = (run_copy / "config.yaml").read_bytes()
        manifest["files"]["config.yaml"].update(sha256=hashlib.sha256(data).hexdigest(), size=len(data))

    (run_copy / "config.yaml").write_text(f"game: yatzy\n{opponent}")
    change(run_copy, edit)
    page = make_report(run_copy)
    Checker(page)
    for words in ("won by the teacher (puct)", "won by the student (one_ply)", "teacher w/l/d"):
        assert words in page
    assert page.index("won by the teacher") < page.index("Losses")


def test_a_bootstrap_does_not_hide_how_the_policy_loss_falls(run_copy):
    def edit(manifest):
        first = manifest["iterations"][0]
        first["selfplay"]["bot"] = "random"
        first["train"]["losses"].update(policy=0.0, total=0.1234)

    assert "iteration 1: 0.1234" not in make_report(run_copy)
    change(run_copy, edit)
    page = make_report(run_copy)
    charts = page[page.index("<h2>Losses") :].partition("</section>")[0]
    assert "iteration 1: 0.1234" not in charts
    assert "<title>iteration 1: 0</title>" not in charts
    assert "<h3>policy</h3>" in charts


def test_a_table_has_words_to_the_left_and_numbers_to_the_right():
    page = table(["who", "won", "met"], [["teacher", "+3.5", "yes"], ["student", "2 %", "no"]])
    assert '<th class="words">who</th><th>won</th><th class="words">met</th>' in page
    assert '<td class="words">teacher</td><td>+3.5</td><td class="words yes">yes</td>' in page


def test_a_run_can_be_looked_at_in_any_phase(run_copy):
    whole = json.loads((run_copy / "run.json").read_text())
    phases = ("selfplay", "train", "gate", "measure", "pruned")
    for done in range(len(phases)):
        iteration = dict.fromkeys(phases[done:])
        last = {**whole["iterations"][1], **iteration}
        now = {"phase": "train", "iterations_done": 1, "iterations": [whole["iterations"][0], last]}
        change(run_copy, lambda manifest, now=now: manifest.update(now))
        Checker(make_report(run_copy))
    change(run_copy, lambda manifest: manifest.update(iterations=[], iterations_done=0, phase="new"))
    assert "unfinished: new" in make_report(run_copy)


def test_a_name_is_text_not_markup(run_copy):
    change(run_copy, lambda manifest: manifest.update(run_id="<b>&"))
    assert "<h1>&lt;b&gt;&amp;</h1>" in make_report(run_copy)


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(PlaymillError, match=r"expected a run's folder, but there is no run\.json"):
        make_report(tmp_path)


@pytest.mark.parametrize("y", [0.0, 1e-9, 3.0, 1e7])
def test_a_single_point_can_be_drawn(y):
    for draw in (line_chart, gate_chart):
        assert "nan" not in draw([Point(1, y)], Sheet("iteration", "{:g}".format))


def test_ticks_are_round():
    assert nice_ticks(0.0, 1.0) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert nice_ticks(187.0, 252.0) == [200, 220, 240]
