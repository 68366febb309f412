"""The solved solitaire game against plain Python, against the two-player rules, and against its own file."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from typer.testing import CliRunner

from playmill.cli.oracle import app
from playmill.core import files
from playmill.core.errors import UsageError
from playmill.core.jit import IS_COMPILED
from playmill.core.seeds import mix
from playmill.games.yatzy import oracle as oracle_module
from playmill.games.yatzy import turn
from playmill.games.yatzy.hands import CATEGORIES, HANDS, SCORES
from playmill.games.yatzy.oracle import FILE_NAME, HEADER, Oracle, SolveTask, canonical_mask, solve_piece
from playmill.games.yatzy.rules import ACTIONS, ALL_OPEN, FIRST_MARK, YATZY

LOWER = {"pair": 2, "three_kind": 3, "four_kind": 4}


@pytest.fixture(scope="session")
def solved() -> Oracle:
    if not IS_COMPILED:
        pytest.skip("solving every board takes hours without compiled kernels")
    return Oracle.solve(workers=2)


# ------------------------------------------------------------------ a plain twin


def plain_score(dice, category):
    """What dice score, written once more and differently."""
    name, counts, pips = CATEGORIES[category], Counter(dice), sum(dice)
    if category < 6:
        return pips - sum(die for die in dice if die != category + 1)
    if name in LOWER:
        return max([LOWER[name] * die for die in dice if counts[die] >= LOWER[name]], default=0)
    if name == "two_pairs":
        return max([2 * (a + b) for a, b in combinations(counts, 2) if min(counts[a], counts[b]) >= 2], default=0)
    if name == "house":
        return pips if set(counts.values()) == {2, 3} else 0
    if name.endswith("straight"):
        low, points = (1, 15) if name == "small_straight" else (2, 20)
        return points if set(dice) == set(range(low, low + 5)) else 0
    return pips if name == "chance" else 50 * (len(counts) == 1)


@cache
def outcomes(count):
    """Every sorted outcome of some dice with its chance, by rolling all of them."""
    rolls = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=count))
    return [(roll, ways / 6**count) for roll, ways in rolls.items()]


class PlainTurn:
    """A turn by plain recursion; `later(avail, upper)` values the boards after it."""

    def __init__(self, avail, upper, later):
        self.avail, self.upper, self.later = avail, upper, later
        self.best = cache(self.best)
        self.keep = cache(self.keep)

    def mark(self, dice, category):
        points = plain_score(dice, category)
        upper = min(63, self.upper + points) if category < 6 else self.upper
        bonus = 50 if self.upper < 63 and upper == 63 else 0
        return points + bonus + self.later(self.avail - (1 << 14 - category), upper)

    def keep(self, kept, rerolls):
        return sum(chance * self.best(tuple(sorted(kept + roll)), rerolls - 1) for roll, chance in outcomes(5 - len(kept)))

    def best(self, dice, rerolls):
        return max(value for value in self.actions(dice, rerolls) if value is not None)

    def actions(self, dice, rerolls):
        keeps = [self.keep(kept_by(dice, mask), rerolls) if rerolls else None for mask in range(31)]
        marks = [self.mark(dice, c) if self.avail >> (14 - c) & 1 else None for c in range(15)]
        return [*keeps, None, *marks]


def kept_by(dice, mask):
    return tuple(die for i, die in enumerate(dice) if f"{mask:05b}"[i] == "1")


@cache
def plain_value(avail, upper):
    """A board's value with no table at all."""
    return PlainTurn(avail, upper, plain_value).keep((), 3) if avail else 0.0


def mask_of(*names):
    return sum(1 << 14 - CATEGORIES.index(name) for name in names)


def random_positions(count, seed=0):
    """Boards of every size, dice in any order, rerolls in turn."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        is_open = rng.permutation(15) < rng.integers(1, 16)
        avail = int(is_open @ (1 << np.arange(15)))
        yield avail, int(rng.integers(0, 64)), rng.integers(1, 7, 5).tolist(), i % 3


# ------------------------------------------------------------------ values


@pytest.mark.parametrize("category", range(15), ids=CATEGORIES)
def test_every_hand_scores_as_the_rules_say(category):
    assert [plain_score(hand, category) for hand in HANDS] == SCORES[:, category].tolist()


def test_best_play_scores_248_point_44(solved):
    assert solved.expected_score() == pytest.approx(248.4400, abs=0.0005)


@pytest.mark.parametrize(
    ("names", "upper"),
    [
        (["yatzy"], 63),
        (["fours"], 51),
        (["ones", "sixes"], 36),
        (["house", "twos"], 60),
        (["large_straight", "pair"], 0),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else str(value),
)
def test_small_boards_are_worth_what_plain_recursion_says(names, upper):
    table = np.zeros((turn.BOARDS, turn.UPPERS))
    singles = np.array([mask_of(name) for name in names])
    for masks in [singles, np.array([mask_of(*names)])]:
        table[masks] = solve_piece(SolveTask(table, masks))
    assert table[mask_of(*names), upper] == pytest.approx(plain_value(mask_of(*names), upper), abs=1e-9)


@pytest.mark.parametrize("position", [*random_positions(12), (mask_of("chance"), 0, [6, 6, 6, 6, 1], 2)], ids=str)
def test_action_values_agree_with_enumerating_every_roll(solved, position):
    avail, upper, dice, rerolls = position
    plain = PlainTurn(avail, upper, lambda *board: solved.table[board]).actions(tuple(sorted(dice)), rerolls)
    values = [np.nan if value is None else value for value in plain]
    np.testing.assert_allclose(solved.action_values(*position), values, rtol=0, atol=1e-9)


def test_exactly_the_legal_actions_have_values(solved):
    for avail, upper, dice, rerolls in random_positions(60):
        values = solved.action_values(avail, upper, dice, rerolls)
        marks = [FIRST_MARK + c for c in range(15) if avail >> (14 - c) & 1]
        assert np.flatnonzero(~np.isnan(values)).tolist() == [*range(31 if rerolls else 0), *marks]


def test_many_positions_at_once_have_the_bytes_of_each_alone(solved):
    positions = list(random_positions(150))
    avail, upper, dice, rerolls = (np.array(column) for column in zip(*positions, strict=True))
    hands = np.array([HANDS.index(tuple(row)) for row in np.sort(dice, axis=1).tolist()])
    out = np.empty((len(positions), ACTIONS))
    turn.turn_values(solved.table, avail, upper, hands, rerolls, out)
    assert out.tobytes() == np.array([solved.action_values(*position) for position in positions]).tobytes()


def test_a_board_is_worth_the_best_action_of_each_first_roll(solved):
    avail, upper = 0b110010010100101, 17
    mean = sum(chance * np.nanmax(solved.action_values(avail, upper, roll, 2)) for roll, chance in outcomes(5))
    assert solved.value(avail, upper) == pytest.approx(mean, abs=1e-9)


def test_a_full_board_has_nothing_to_come(solved):
    assert {solved.value(0, upper) for upper in range(64)} == {0.0}


# ------------------------------------------------------------------ actions


def test_masks_that_keep_the_same_faces_are_worth_the_same(solved):
    for avail, upper, dice, _ in random_positions(40):
        values = solved.action_values(avail, upper, dice, 2)
        assert all(values[mask] == values[canonical_mask(dice, mask)] for mask in range(31))


def test_the_canonical_mask_is_the_lowest_that_keeps_the_same_faces():
    for dice in HANDS:
        for mask in range(32):
            same = [other for other in range(32) if kept_by(dice, other) == kept_by(dice, mask)]
            assert canonical_mask(dice, mask) == same[0]


def test_the_best_action_is_canonical_and_regrets_nothing(solved):
    for position in random_positions(60):
        best, ranked = solved.best_action(*position), solved.ranked(*position)
        assert (ranked[0].action, ranked[0].regret) == (best, 0.0)
        assert best >= FIRST_MARK or canonical_mask(position[2], best) == best


def test_a_tie_goes_to_the_lowest_action(solved):
    values = solved.action_values(ALL_OPEN, 0, [1, 2, 6, 6, 6], 2)
    keep_1666, keep_2666 = 0b10111, 0b01111
    assert values[keep_1666] == values[keep_2666]
    order = [ranked.action for ranked in solved.ranked(ALL_OPEN, 0, [1, 2, 6, 6, 6], 2)]
    assert order.index(keep_2666) < order.index(keep_1666)


def test_ranked_lists_each_class_of_actions_once_best_first(solved):
    ranked = solved.ranked(ALL_OPEN, 0, [6, 2, 6, 6, 2], 1)
    values = solved.action_values(ALL_OPEN, 0, [6, 2, 6, 6, 2], 1)
    assert len({action.text for action in ranked}) == len(ranked) == 3 * 4 - 1 + 15
    assert [action.value for action in ranked] == sorted((values[a.action] for a in ranked), reverse=True)
    assert all(action.regret == np.nanmax(values) - action.value for action in ranked)


def test_dice_may_come_in_any_order(solved):
    sorted_dice, mixed = [1, 2, 2, 5, 6], (5, 2, 6, 1, 2)
    expected = solved.action_values(ALL_OPEN, 0, sorted_dice, 2)
    assert solved.action_values(ALL_OPEN, 0, mixed, 2).tobytes() == expected.tobytes()
    assert [a.text for a in solved.ranked(ALL_OPEN, 0, mixed, 2)] == [
        a.text for a in solved.ranked(ALL_OPEN, 0, sorted_dice, 2)
    ]


def test_numbers_from_a_state_are_as_good_as_plain_ones(solved):
    state = YATZY.new(3).record
    best = solved.best_action(state.avail[0], state.upper[0], state.dice, state.rerolls)
    assert best == solved.best_action(ALL_OPEN, 0, state.dice.tolist(), 2)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ((-1, 0, [1] * 5, 2), r"avail: expected .* 1 to 32767 .*, got -1"),
        ((32768, 0, [1] * 5, 2), r"avail: .* got 32768"),
        ((0, 0, [1] * 5, 2), r"avail: .* at least one category open, got 0"),
        ((1.5, 0, [1] * 5, 2), r"avail: .* got 1.5"),
        ((1, 64, [1] * 5, 2), r"upper: expected a whole number from 0 to 63, got 64"),
        ((1, -1, [1] * 5, 2), r"upper: .* got -1"),
        ((1, 0, [1] * 4, 2), r"dice: expected five whole numbers from 1 to 6, got \[1, 1, 1, 1\]"),
        ((1, 0, [0, 1, 1, 1, 1], 2), r"dice: .* got \[0, 1, 1, 1, 1\]"),
        ((1, 0, [1, 1, 1, 1, 7], 2), r"dice: .* got \[1, 1, 1, 1, 7\]"),
        ((1, 0, "abcde", 2), r"dice: .* got 'abcde'"),
        ((1, 0, 5, 2), r"dice: .* got 5"),
        ((1, 0, [1] * 5, 3), r"rerolls: expected a whole number from 0 to 2, got 3"),
        ((1, 0, [1] * 5, True), r"rerolls: .* got True"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_one_line(position, message):
    oracle = Oracle(np.zeros((turn.BOARDS, turn.UPPERS)))
    for ask in (oracle.action_values, oracle.best_action, oracle.ranked):
        with pytest.raises(UsageError, match=rf"\A{message}\Z"):
            ask(*position)


def test_other_bad_requests_are_refused_in_one_line():
    oracle = Oracle(np.zeros((turn.BOARDS, turn.UPPERS)))
    for ask, message in [
        (lambda: oracle.value(1 << 15, 0), "avail: .* got 32768"),
        (lambda: oracle.value(1, 64), "upper: .* got 64"),
        (lambda: canonical_mask([1] * 5, 32), "mask: .* got 32"),
        (lambda: oracle.simulate(0), "games: .* got 0"),
        (lambda: oracle.simulate(1, seed=-1), "seed: .* got -1"),
        (lambda: oracle.simulate(1, workers=0), "workers: .* got 0"),
        (lambda: Oracle.solve(workers=0), "workers: .* got 0"),
        (lambda: Oracle.load(workers=0), "workers: .* got 0"),
    ]:
        with pytest.raises(UsageError, match=message):
            ask()


# ------------------------------------------------------------------ threads and games


def test_solving_gives_the_same_bytes_with_one_thread_and_two(solved):
    heard = []
    alone = Oracle.solve(workers=1, progress=heard.append)
    assert alone.table.tobytes() == solved.table.tobytes()
    assert heard == sorted(heard)
    assert heard[-1] == ALL_OPEN


def test_simulated_games_do_not_depend_on_the_threads(solved, monkeypatch):
    alone = solved.simulate(2_000, seed=5, workers=1)
    monkeypatch.setattr(oracle_module, "GAMES_PER_PIECE", 37)
    heard = []
    shared = solved.simulate(2_000, seed=5, workers=2, progress=heard.append)
    assert alone.scores.tobytes() == shared.scores.tobytes()
    assert alone.bonus_rate == shared.bonus_rate
    assert heard[-1] == 15 * 2_000


def test_simulated_games_score_what_the_table_promises(solved):
    report = solved.simulate(20_000, seed=1)
    assert abs(report.mean - solved.expected_score()) < 4 * report.sd / 20_000**0.5
    assert report.bonus_rate == pytest.approx(0.897, abs=0.01)
    assert (report.games, sum(report.histogram.values())) == (20_000, 20_000)
    assert list(report.histogram) == sorted(set(report.scores.tolist()))
    assert (report.min, report.max) == (min(report.histogram), max(report.histogram))
    assert (report.mean, report.sd) == (np.mean(report.scores), np.std(report.scores))
    assert report.median == np.median(report.scores)


def replay(oracle, seed, other):
    """Player 0's (dice, rerolls) at each decision, and its record after each turn, with best play; `other` plays player 1."""
    state, rolls, marks = YATZY.new(seed), [], []
    while not state.is_over:
        record = state.record
        if state.to_move == 1:
            state = state.apply(other(state))
            continue
        rolls.append((record.dice.tolist(), int(record.rerolls)))
        action = oracle.best_action(record.avail[0], record.upper[0], record.dice, record.rerolls)
        state = state.apply(action)
        if action >= FIRST_MARK:
            after = state.record
            marks.append((record.dice.tolist(), int(after.avail[0]), int(after.upper[0]), int(after.total[0])))
    return rolls, marks


@pytest.mark.parametrize("game", range(4))
def test_a_simulated_game_is_player_0_of_the_two_player_game_whatever_player_1_does(solved, game):
    episode = mix(11, game)
    rolls, marks = replay(solved, episode, lambda state: state.legal_actions[-1])
    assert replay(solved, episode, lambda state: state.legal_actions[0]) == (rolls, marks)

    records, simulated = YATZY.records(1), []
    records["avail"] = ALL_OPEN
    for number in range(15):
        turn.play_round(solved.table, records, number, np.uint64(11), np.array([game]))
        record = records[0]
        simulated.append((record.dice.tolist(), int(record.avail[0]), int(record.upper[0]), int(record.total[0])))
    assert simulated == marks
    assert solved.simulate(game + 1, seed=11).scores[game] == marks[-1][-1]


# ------------------------------------------------------------------ the file


class Solver:
    """Stands in for solving: hands out the solved table and counts how often it is asked."""

    def __init__(self, table):
        self.table, self.calls = table, 0

    def __call__(self, workers=None, progress=None):
        self.calls += 1
        return Oracle(self.table.copy())


@pytest.fixture
def solver(solved, tmp_path, monkeypatch):
    solver = Solver(solved.table)
    monkeypatch.setattr(Oracle, "solve", solver)
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path))
    files._cache_root.cache_clear()
    yield solver
    files._cache_root.cache_clear()


def test_the_table_is_solved_once_and_then_read(solver, solved, tmp_path, capsys):
    first, second = Oracle.load(), Oracle.load()
    assert solver.calls == 1
    assert first.table.tobytes() == second.table.tobytes() == solved.table.tobytes()
    assert [path.name for path in (tmp_path / "oracle").iterdir()] == [FILE_NAME]
    assert capsys.readouterr().err == ""


def flip_a_bit(data):
    return data[:5_000_000] + bytes([data[5_000_000] ^ 4]) + data[5_000_001:]


def change_header(**fields):
    def change(data):
        line, _, payload = data.partition(b"\n")
        return json.dumps({**json.loads(line), **fields}).encode() + b"\n" + payload

    return change


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-1], id="last byte missing"),
        pytest.param(lambda data: data[: len(data) // 2], id="half of it"),
        pytest.param(lambda data: data + b"\0", id="a byte too many"),
        pytest.param(flip_a_bit, id="flipped bit"),
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: bytes(20_000), id="zeros"),
        pytest.param(lambda data: b"[1, 2]\n" + data, id="another JSON line"),
        pytest.param(lambda data: data.partition(b"\n")[2], id="no header"),
        pytest.param(change_header(ruleset="yahtzee"), id="other rules"),
        pytest.param(change_header(version=HEADER["version"] + 1), id="other version"),
        pytest.param(change_header(shape=[64, 32768]), id="other shape"),
        pytest.param(change_header(dtype=">f8"), id="other bytes"),
        pytest.param(change_header(sha256="0" * 64), id="other checksum"),
    ],
)
def test_a_damaged_file_is_noticed_and_made_again(solver, solved, tmp_path, capsys, damage):
    Oracle.load()
    path = tmp_path / "oracle" / FILE_NAME
    good = path.read_bytes()
    path.write_bytes(damage(good))

    assert Oracle.load().table.tobytes() == solved.table.tobytes()
    warning = capsys.readouterr().err
    assert warning.startswith(f"playmill: warning: the solved table {path} can't be used (")
    assert warning.count("\n") == 1
    assert (solver.calls, path.read_bytes()) == (2, good)

    Oracle.load()
    assert (solver.calls, capsys.readouterr().err) == (2, "")


def test_a_table_that_cannot_be_kept_is_used_all_the_same(solver, monkeypatch, capsys):
    def no_room(path):
        raise OSError("no space left")

    monkeypatch.setattr(oracle_module, "atomic_writer", no_room)
    assert Oracle.load().expected_score() > 248
    assert "can't be kept" in capsys.readouterr().err


# ------------------------------------------------------------------ the commands


@pytest.fixture
def ask(solved, monkeypatch):
    monkeypatch.setattr(Oracle, "load", lambda *_: solved)

    def run(*words):
        result = CliRunner().invoke(app, words)
        if result.exception is not None:
            raise result.exception
        return result.stdout

    return run


def test_expected_prints_six_decimals(ask):
    assert ask("expected").startswith("248.439989 points: ")


@pytest.mark.parametrize("mask", ["32767", "0x7fff", "0b111111111111111", "111111111111111"])
def test_advise_reads_a_mask_in_every_notation(ask, solved, mask):
    answer = json.loads(ask("advise", "--avail", mask, "--upper", "0", "--dice", "6,3,3,5,1", "--rerolls", "1", "--json"))
    ranked = solved.ranked(ALL_OPEN, 0, [1, 3, 3, 5, 6], 1)
    assert (answer["avail"], answer["dice"]) == (ALL_OPEN, [1, 3, 3, 5, 6])
    assert answer["actions"] == [vars(action) for action in ranked]


def test_advise_shows_the_best_few_as_a_table(ask):
    lines = ask("advise", "--avail", "32767", "--dice", "1,2,6,6,6", "--top", "3").splitlines()
    assert len(lines) == 4
    assert lines[1].split() == ["7", "keep", "666", "256.2758", "0.0000"]


def test_sim_describes_the_same_games_as_text_and_as_json(ask, solved):
    report = solved.simulate(500, seed=2)
    facts = json.loads(ask("sim", "--games", "500", "--seed", "2", "--json"))
    assert (facts["mean"], facts["sd"], facts["bonus_rate"]) == (report.mean, report.sd, report.bonus_rate)
    assert facts["histogram"] == {str(score): count for score, count in report.histogram.items()}
    text = ask("sim", "--games", "500", "--seed", "2", "--workers", "1")
    assert f"mean {report.mean:.3f}" in text
    assert f"▲ mean {report.mean:.1f}" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["advise", "--avail", "0xzz", "--dice", "1,1,1,1,1"], "--avail: expected .* got '0xzz'"),
        (["advise", "--avail", "1", "--dice", "1,1,x,1,1"], "--dice: expected .* got '1,1,x,1,1'"),
        (["advise", "--avail", "1", "--dice", "1,1"], r"dice: expected .* got \[1, 1\]"),
        (["sim", "--games", "0"], "games: expected .* got 0"),
    ],
)
def test_a_bad_word_on_the_command_line_is_refused(ask, words, message):
    with pytest.raises(UsageError, match=message):
        ask(*words)
