"""The ability report: what counts as use, and its way from an iteration's shards into manifest, events, report and screen."""

import json

import numpy as np
import pytest

from commands import runner
from packs.exchange.games_at_hand import GAME, play_games
from playmill.cli import report, run, selfplay, selfplay_report, status
from playmill.core.errors import UsageError
from playmill.core.events import read_events
from playmill.games.exchange.counters import COUNTERS
from playmill.packs.exchange.ability_report import ABILITIES, ABILITY_REPORT, summarise_abilities
from playmill.packs.exchange.rewards import TERMS
from playmill.pipeline.selfplay_phase import summarise
from playmill.replay import list_shards
from playmill.replay.shard import read_games, remove_shard
from playmill.runs.folder import find_run
from playmill.selfplay.settings import SelfPlaySettings

pytestmark = pytest.mark.jit

SETTINGS = """
game: exchange
iterations: 2
workers: 2
net: {kind: conv, value: shaped, channels: 8, blocks: 1, hidden: 16}
search: {puct: {budget: 2}}
selfplay: {games: 6, shard_games: 2, lanes: 2, rewards: {skirmish: 0.1}}
train: {batch_size: 32, steps_per_iteration: 2, warmup: 1, log_steps: 1, bootstrap: 0.25}
gate: {games: 4}
measure: {games: 0}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("exchange")
    (made / "x.yaml").write_text(SETTINGS)
    runner(run)(made / "x.yaml", "--out", made / "run")
    return made


def sides(**columns):
    counts = np.zeros(4, np.dtype((np.record, COUNTERS)))
    for name, values in columns.items():
        counts[name] = values
    return counts


@pytest.mark.parametrize(
    ("ability", "columns", "use"),
    [
        ("Royal Decree", {"rd_activations": [1, 2, 0, 0], "rd_combo_attacks": [2, 1, 0, 0]}, 0.5),  # 3 of 6 actions
        ("Royal Decree", {}, 0.0),
        ("Interpose", {"interpose_triggers": [3, 0, 0, 1]}, 0.5),
        ("Consecration", {"consecration_uses": [0, 0, 0, 2]}, 0.25),
        ("Skirmish", {"skirmish_uses": [1, 1, 5, 0]}, 0.75),
        ("Overextend", {"overextend_uses": [1, 1, 1, 1]}, 1.0),
        ("Pawn advance", {"actions": [10, 10, 20, 20], "pawn_advances": [3, 0, 3, 0]}, 0.1),
        ("Promotion", {"pawn_promotions": [0, 2, 0, 0]}, 0.25),
    ],
)
def test_use_by_hand(ability, columns, use):
    assert {one.name: one for one in ABILITIES}[ability].use(sides(**columns)) == use


def test_shares_of_the_terms_add_up_to_one_and_are_those_of_the_settings():
    games = play_games(4).games
    found = summarise_abilities(GAME, [games], SelfPlaySettings())
    assert sum(one["share"] for one in found["terms"].values()) == pytest.approx(1)
    assert list(found["terms"]) == [term.name for term in TERMS]
    assert found["plies"] == games.game_plies.mean()
    without = SelfPlaySettings.model_validate({"rewards": {"overextend_net_damage": 0}})
    assert summarise_abilities(GAME, [games], without)["terms"]["overextend"] == {"mean": 0, "effect": 0, "share": 0}
    half = summarise_abilities(GAME, [games], SelfPlaySettings.model_validate({"rewards": {"scale": 0.5}}))
    assert half["terms"]["skirmish"]["mean"] == pytest.approx(found["terms"]["skirmish"]["mean"] / 2)
    none = summarise_abilities(GAME, [games], SelfPlaySettings.model_validate({"rewards": {"scale": 0}}))
    assert none["shaping"] == 0
    assert {one["share"] for one in none["terms"].values()} == {0}


def test_it_stands_in_the_manifest_and_in_the_events_as_counted_from_the_shards(folder):
    root, manifest = find_run(folder / "run")
    rules = SelfPlaySettings.model_validate({"rewards": {"skirmish": 0.1}})
    shards = list_shards(root.replay)
    for entry in manifest.iterations:
        own = shards[3 * entry.number : 3 * entry.number + 3]
        assert entry.selfplay.details == summarise(GAME, own, rules) == json.loads(json.dumps(entry.selfplay.details))
        assert entry.selfplay.details["abilities"]["games"] == 6
    told = [event["details"] for event in read_events(root.metrics) if event["event"] == "selfplay_done"]
    assert told == [entry.selfplay.details for entry in manifest.iterations]


def test_games_that_were_there_before_are_counted_with_the_others(folder, tmp_path):
    words = (folder / "x.yaml", "--out", tmp_path / "games", "--json")
    whole = json.loads(runner(selfplay)(*words))
    remove_shard(list_shards(tmp_path / "games" / "replay")[1])
    again = json.loads(runner(selfplay)(*words))
    assert (whole["played"], again["played"]) == (6, 2)
    assert again["details"] == whole["details"]


def test_the_order_of_threads_changes_nothing(folder, tmp_path):
    files = []
    for workers in (1, 3):
        out = tmp_path / str(workers)
        runner(selfplay)(folder / "x.yaml", "--out", out, "--set", f"workers={workers}", "--set", f"selfplay.lanes={workers}")
        files.append([path.read_bytes() for path in list_shards(out / "replay")])
    assert files[0] == files[1]


def test_report_and_screen_show_it(folder, monkeypatch):
    runner(report)(folder / "run")
    page = (folder / "run" / "report.html").read_text()
    for words in ("Abilities in self-play", "Reward terms", "<th>RD combos</th>", "share of overextend", "above 60%"):
        assert words in page
    for ability in ABILITIES:
        assert f"<h3>{ability.name}</h3>" in page
    for width, column in ((80, "promoted"), (140, "RD combos")):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = runner(status)(folder / "run")
        assert column in shown
        words = " ".join(shown.replace("│", " ").split())
        assert "abilities at their target: Royal Decree" in words
        for part in ("(>50%), Interpose", "(>15%); reward terms: ", " damage dealt ", ", others "):
            assert part in words


def test_the_command_prints_the_tables_of_an_iteration(folder):
    shown = runner(selfplay_report)(folder / "run", "--iteration", 0)
    fields = find_run(folder / "run")[1].iterations[0].selfplay.details["abilities"]
    assert "iteration 0 (from 0), exchange" in shown
    assert f"{fields['use']['Skirmish']:.1%}" in shown
    assert f"{fields['terms']['overextend']['share']:.1%}" in shown
    told = json.loads(runner(selfplay_report)(folder / "run", "--json"))
    assert (told["iteration"], told["details"]["abilities"]["games"]) == (1, 6)
    with pytest.raises(UsageError, match="--iteration: expected 0 to 1, which have played their games, got 2"):
        runner(selfplay_report)(folder / "run", "--iteration", 2)


def test_its_fields_are_plain_and_its_words_a_line(folder):
    games = [read_games(path) for path in list_shards(folder / "run" / "replay")[:2]]
    fields = summarise_abilities(GAME, games, SelfPlaySettings())
    assert json.loads(json.dumps(fields)) == fields
    assert "\n" not in ABILITY_REPORT.words(fields)
