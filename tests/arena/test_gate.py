"""The gate: its report, its verdict, its seeds."""

import json

import numpy as np
import pytest
from pydantic import ValidationError

from arena.players import FirstLegal, NoisyOracle, SoftOracle, UniformEvaluator
from playmill.arena.gate import GateSettings, gate_seeds, plies_for, run_gate
from playmill.arena.gate_report import write_report
from playmill.arena.seeds import SeedSet, derive_seeds, save_seeds
from playmill.arena.statistics import wilson
from playmill.arena.verdict import judge
from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.games.yatzy.rules import YATZY
from playmill.packs.yatzy.appraiser import OracleAppraiser
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.play.bots import RandomBot, SearchBot
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings

TICTACTOE = get_game("tictactoe")


def searching(game, budget=32):
    return lambda lanes: SearchBot(PuctSearch(game, PuctSettings(budget=budget), UniformEvaluator(), lanes))


def drawing(game):
    return lambda _lanes: RandomBot(game)


def gate(game, candidate, best, seed=0, workers=1, oracle=None, **fields):
    settings = GateSettings(**fields)
    appraiser = OracleAppraiser(oracle) if oracle else None
    return run_gate(game, candidate, best, settings, gate_seeds(settings, seed), workers, appraiser)


# ------------------------------------------------------------------ the report


def test_the_file_is_the_same_for_any_number_of_threads(tmp_path):
    for workers in (1, 2):
        report = gate(TICTACTOE, searching(TICTACTOE), drawing(TICTACTOE), workers=workers, games=96, keep_seeds=True)
        write_report(tmp_path / f"{workers}.json", report)
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()


def test_a_yatzy_report_is_the_same_for_any_number_of_threads(oracle):
    texts = [
        gate(
            YATZY, lambda _s: SoftOracle(oracle, 0.5), lambda _s: NoisyOracle(oracle, 0.1), workers=w, oracle=oracle,
            games=200, sequential=True, luck_reduced=True, guardrail_points=1.0,
        ).json()
        for w in (1, 2)
    ]  # fmt: skip
    assert texts[0] == texts[1]


def test_the_numbers_of_a_report_fit_each_other():
    report = gate(TICTACTOE, searching(TICTACTOE), drawing(TICTACTOE), games=60, keep_seeds=True)
    facts = json.loads(report.json())
    for outcome in ("wins", "losses", "draws"):
        assert facts["total"][outcome] == facts["as_first"][outcome] + facts["as_second"][outcome]
    assert facts["win_rate"] == pytest.approx((facts["total"]["wins"] + facts["total"]["draws"] / 2) / 60)
    assert facts["paired"]["mean"] == pytest.approx(facts["win_rate"])
    assert np.array(facts["pair_counts"]) @ [0, 0.25, 0.5, 0.75, 1] == pytest.approx(30 * facts["win_rate"])
    assert facts["wilson"][0] < facts["win_rate"] < facts["wilson"][1]
    assert [row[0] for row in facts["seeds"]] == list(derive_seeds(30).seeds)
    assert np.mean([row[1:] for row in facts["seeds"]]) == pytest.approx(facts["win_rate"])
    assert facts["seeds_hash"] == derive_seeds(30).seeds_hash
    assert (facts["points"], facts["oracle"], facts["sequential"]) == (None, None, None)


def test_an_unpaired_gate_plays_each_seed_once_and_each_seat_as_often(tmp_path):
    bots = searching(TICTACTOE), drawing(TICTACTOE)
    reports = [gate(TICTACTOE, *bots, games=60, paired=False, keep_seeds=True, workers=w) for w in (1, 2)]
    assert reports[0].json() == reports[1].json()
    facts = json.loads(reports[0].json())
    assert facts["seeds_hash"] == derive_seeds(60).seeds_hash
    assert [row[0] for row in facts["seeds"]] == list(derive_seeds(60).seeds)
    assert [row[1] is None for row in facts["seeds"]] == [False, True] * 30
    assert [row[2] is None for row in facts["seeds"]] == [True, False] * 30
    assert sum(facts["as_first"].values()) == sum(facts["as_second"].values()) == 30
    score = facts["total"]["wins"] + facts["total"]["draws"] / 2
    assert facts["wilson"] == list(wilson(score, 60))


def test_pairing_takes_luck_away(oracle):
    """Regular gates are the PRD's fast ones with a higher variance; pairs of the same bots know more after as many games."""
    bots = [lambda _s: SoftOracle(oracle, 0.5), lambda _s: SoftOracle(oracle, 0.6)]
    paired, unpaired = (gate(YATZY, *bots, oracle=oracle, games=400, paired=p) for p in (True, False))
    assert paired.points.se < 0.8 * unpaired.points.se
    assert paired.points.trials == unpaired.points.trials == 200


def test_an_unpaired_gate_can_be_sequential():
    bots = searching(TICTACTOE), drawing(TICTACTOE)
    report = gate(TICTACTOE, *bots, games=400, sequential=True, look_pairs=8, paired=False)
    assert report.promote
    assert report.games < 200
    assert report.games == 16 * len(report.sequential.looks)


def test_progress_says_how_a_gate_stands():
    settings, heard = GateSettings(games=64, sequential=True, look_pairs=8, score1=0.501), []
    bots = drawing(TICTACTOE), drawing(TICTACTOE)
    report = run_gate(TICTACTOE, *bots, settings, gate_seeds(settings, 0), 2, progress=heard.append)
    assert [standing.games for standing in heard] == sorted(standing.games for standing in heard)
    assert (heard[-1].games, heard[-1].win_rate) == (report.games, report.win_rate)
    assert heard[-1].ratio == report.sequential.looks[-1].ratio


def test_the_oracle_against_itself_is_one_half(oracle):
    report = gate(YATZY, *[lambda _s: OracleBot(oracle)] * 2, games=100, oracle=oracle)
    assert report.win_rate == report.paired.mean == report.oracle.wins.fair.mean == 0.5
    assert report.points.mean == 0.0
    assert not report.promote


def test_without_chance_pairs_open_at_random_and_equal_games_are_told():
    fixed = [lambda _s: FirstLegal(TICTACTOE)] * 2
    same = gate(TICTACTOE, *fixed, games=40, opening_plies=0)
    assert (same.games, same.distinct_games, same.pairs, same.repeated_pairs) == (40, 2, 1, 19)
    opened = gate(TICTACTOE, *fixed, games=40)
    assert opened.opening_plies == 2
    assert opened.distinct_games > 20
    assert gate(YATZY, drawing(YATZY), drawing(YATZY), games=8).opening_plies == 0


def test_a_pair_that_bots_without_draws_repeat_counts_once():
    bots = searching(TICTACTOE), lambda _s: FirstLegal(TICTACTOE)
    once, often = (gate(TICTACTOE, *bots, games=games, opening_plies=0) for games in (4, 400))
    assert (once.pairs, often.pairs, often.repeated_pairs) == (1, 1, 199)
    for name in ("total", "win_rate", "wilson", "pair_counts", "paired"):
        assert getattr(once, name) == getattr(often, name)
    assert (often.paired.trials, often.paired.low, often.paired.high) == (1, None, None)


def test_results_are_those_of_the_pairs_that_count():
    bots = searching(TICTACTOE), lambda _s: FirstLegal(TICTACTOE)
    report = gate(TICTACTOE, *bots, games=400, opening_plies=1, keep_seeds=True)
    assert (report.pairs, report.repeated_pairs) == (9, 191)  # nine first moves
    assert report.paired.trials == len(report.seeds) == sum(report.pair_counts) == 9
    assert report.total.wins + report.total.losses + report.total.draws == 18
    assert report.wilson == wilson(18 * report.win_rate, 18)
    assert report.games == 400


def test_openings_that_lead_to_one_position_are_one_opening():
    """Of three plies, the first and the third may be exchanged: 9 * 8 * 7 / 2 positions."""
    report = gate(TICTACTOE, *[lambda _s: FirstLegal(TICTACTOE)] * 2, games=8000, opening_plies=3)
    assert report.pairs == 252


def test_repeated_pairs_do_not_move_a_sequential_test():
    bots = searching(TICTACTOE), lambda _s: FirstLegal(TICTACTOE)
    report = gate(TICTACTOE, *bots, games=160, opening_plies=1, sequential=True, look_pairs=8, score1=0.9999, score0=0.9998)
    pairs = [look.pairs for look in report.sequential.looks]
    assert len(pairs) == 10
    assert pairs == sorted(pairs)
    assert pairs[-1] == report.pairs <= 9
    assert len({look.ratio for look in report.sequential.looks if look.pairs == pairs[-1]}) == 1


def test_equal_games_of_a_bot_that_draws_are_luck_and_count():
    report = gate(TICTACTOE, drawing(TICTACTOE), searching(TICTACTOE), games=400)
    assert report.distinct_games < 400
    assert (report.pairs, report.repeated_pairs) == (200, 0)


def test_a_seed_that_is_listed_twice_counts_once():
    settings, seeds = GateSettings(games=40), derive_seeds(10)
    doubled = SeedSet("doubled", seeds.seeds + seeds.seeds)
    report = run_gate(TICTACTOE, drawing(TICTACTOE), drawing(TICTACTOE), settings, doubled)
    assert (report.pairs, report.repeated_pairs) == (10, 10)


def test_a_game_that_is_played_twice_unpaired_counts_once():
    bots = searching(TICTACTOE), lambda _s: FirstLegal(TICTACTOE)
    report = gate(TICTACTOE, *bots, games=400, paired=False, opening_plies=1)
    assert report.distinct_games == 18
    assert 2 * report.pairs <= 18


def test_a_repeated_yatzy_episode_is_left_out_of_the_oracles_view(oracle):
    settings, seeds = GateSettings(games=40, sequential=True, look_pairs=8, score1=0.501), derive_seeds(8)
    bots = [lambda _s: OracleBot(oracle), lambda _s: SoftOracle(oracle, 0.5)]
    report = run_gate(YATZY, *bots, settings, SeedSet("again", (seeds.seeds * 3)[:20]), appraiser=OracleAppraiser(oracle))
    assert (report.pairs, report.oracle.candidate.games, report.points.trials) == (8, 16, 8)


@pytest.mark.parametrize(
    ("seeds", "moves", "plies"), [(20, 9, 2), (200, 9, 4), (200, 7, 4), (12, 7, 2), (200, 361, 2), (5, 1, 4)]
)
def test_more_games_open_with_more_random_plies(seeds, moves, plies):
    assert plies_for(seeds, moves) == plies


def test_a_gate_of_usual_length_has_mostly_pairs_of_its_own():
    report = gate(get_game("connect_four"), *[lambda _s: FirstLegal(get_game("connect_four"))] * 2)
    assert report.opening_plies == 4
    assert report.pairs > 0.8 * 200


# ------------------------------------------------------------------ the verdict


def test_a_better_candidate_is_promoted_and_a_worse_one_is_not():
    better = gate(TICTACTOE, searching(TICTACTOE), drawing(TICTACTOE), games=60)
    worse = gate(TICTACTOE, drawing(TICTACTOE), searching(TICTACTOE), games=60)
    assert (better.promote, worse.promote) == (True, False)
    assert better.reason.startswith("win rate 0.")
    assert better.reason.endswith("is at least 0.55")
    assert worse.reason.endswith("is below 0.55")


def test_the_threshold_decides():
    report = gate(TICTACTOE, searching(TICTACTOE), drawing(TICTACTOE), games=60, threshold=0.999)
    assert not report.promote
    assert report.reason == f"win rate {report.win_rate:.4f} is below 0.999"


def test_a_win_rate_at_the_threshold_passes_unless_it_is_strict():
    said = {strict: judge(GateSettings(strict=strict), 0.55, None, None) for strict in (False, True)}
    assert said == {
        False: (True, "win rate 0.5500 is at least 0.55"),
        True: (False, "win rate 0.5500 is not above 0.55"),
    }
    assert judge(GateSettings(strict=True), 0.56, None, None) == (True, "win rate 0.5600 is above 0.55")


@pytest.mark.parametrize("is_better", [True, False])
def test_a_sequential_gate_stops_when_it_knows(is_better):
    bots = [searching(TICTACTOE), drawing(TICTACTOE)]
    report = gate(TICTACTOE, *(bots if is_better else bots[::-1]), games=400, sequential=True, look_pairs=8)
    assert report.promote is is_better
    assert report.games < 200
    looks = report.sequential.looks
    assert [look.pairs for look in looks] == [8 * (i + 1) for i in range(len(looks))]
    assert [look.decision for look in looks[:-1]] == ["continue"] * (len(looks) - 1)
    assert f"after {report.pairs} pairs" in report.reason
    assert report.seeds_hash == derive_seeds(200).seeds_hash


def test_a_sequential_gate_that_stays_undecided_does_not_promote(oracle):
    report = gate(
        YATZY, lambda _s: SoftOracle(oracle, 0.5), lambda _s: SoftOracle(oracle, 0.6), oracle=oracle,
        games=48, sequential=True, score1=0.501, look_pairs=8,
    )  # fmt: skip
    assert report.sequential.decision == "continue"
    assert not report.promote
    assert "undecided" in report.reason


def test_the_guardrail_stops_a_candidate_whose_boards_got_worse(oracle):
    bots = [lambda _s: SoftOracle(oracle, 1.0), lambda _s: SoftOracle(oracle, 0.5)]
    reports = [gate(YATZY, *bots, oracle=oracle, games=60, threshold=0.01, guardrail_points=p) for p in (50.0, 5.0)]
    assert [report.promote for report in reports] == [True, False]
    assert -25 < reports[0].oracle.wins.fair_points.mean < -15
    assert "changed by -" in reports[1].reason


def test_a_gate_can_be_judged_without_luck(oracle):
    bots = [lambda _s: SoftOracle(oracle, 0.3), lambda _s: SoftOracle(oracle, 1.0)]
    report = gate(YATZY, *bots, oracle=oracle, games=100, luck_reduced=True, threshold=0.6)
    assert report.promote
    assert report.reason.startswith(f"luck-reduced win rate {report.oracle.wins.fair.mean:.4f} is at least")
    sequential = gate(YATZY, *bots, oracle=oracle, games=400, luck_reduced=True, sequential=True)
    assert sequential.promote
    assert sequential.pairs == 32


def test_what_needs_the_oracle_says_so():
    with pytest.raises(UsageError, match="tictactoe: guardrail_points and luck_reduced need a pack that knows luck"):
        gate(TICTACTOE, drawing(TICTACTOE), drawing(TICTACTOE), guardrail_points=1.0)


# ------------------------------------------------------------------ settings and seeds


@pytest.mark.parametrize(
    "fields", [{"game": 3}, {"games": 7}, {"games": 2}, {"score0": 0.6}, {"alpha": 0.5}, {"threshold": 1.0}]
)
def test_settings_refuse_what_makes_no_sense(fields):
    with pytest.raises(ValidationError):
        GateSettings(**fields)


def test_every_setting_has_a_sentence():
    assert all(field.description.endswith(".") for field in GateSettings.model_fields.values())


def test_a_gate_can_be_played_on_a_kept_seed_set(tmp_path):
    save_seeds(tmp_path / "dev.json", derive_seeds(50, seed=3, name="dev"))
    bots = drawing(TICTACTOE), searching(TICTACTOE)
    kept = gate(TICTACTOE, *bots, games=20, seed_set=str(tmp_path / "dev.json"))
    derived = gate(TICTACTOE, *bots, seed=3, games=20)
    assert kept.seed_set == "dev"
    assert kept.seeds_hash == derived.seeds_hash
    assert kept.total == derived.total
    with pytest.raises(UsageError, match="seeds are needed"):
        gate(TICTACTOE, *bots, games=102, seed_set=str(tmp_path / "dev.json"))
