"""The kit notices: for every promise a game that breaks it, and the kit names that promise in one line."""

from __future__ import annotations

from unittest import SkipTest

import pytest

import broken_games as broken
from playmill.core.errors import ContractError, UnknownName, UsageError
from playmill.core.jit import IS_COMPILED
from playmill.games.conformance import GameConformance, check_game
from playmill.games.game import OPTIONAL, REQUIRED, Game
from playmill.games.golden import replay_golden, write_golden
from playmill.games.kit.promise import GOLDEN
from playmill.games.kit.promises import PROMISES
from playmill.games.kit.signatures import ARGUMENTS
from playmill.games.state import State

compiled_only = pytest.mark.jit

BREACHES = [
    ("kernels compile", broken.NO_PLAY, "no 'play' kernel; define it with @GAME.kernel in broken_games"),
    ("kernels compile", broken.NO_ENCODE, "'encode' kernel belong together"),
    ("kernels compile", broken.NO_MOVER, "no field 'mover', so the game must define a 'to_move' kernel"),
    pytest.param("kernels compile", broken.MISSPELT, "kernel 'legal' does not compile: .*'pilez'", marks=compiled_only),
    pytest.param("kernels compile", broken.CONFUSED, r"'play' does not compile: .* \(.*broken_games", marks=compiled_only),
    pytest.param("kernels compile", broken.SILENT, "kernel 'legal' must return how many", marks=compiled_only),
    ("games end", broken.ENDLESS, "no end after 10000 actions"),
    ("legal actions in order", broken.DESCENDING, r"ascending order, got \[5, 4, 3, 2, 1, 0\] in 'piles 3 3, player 0"),
    ("legal actions in order", broken.TOO_MANY, "more than max_legal = 2 actions in 'piles 3 3"),
    ("legal actions in order", broken.LOFTY, r"must list actions of 0..5, got \[99\]"),
    ("legal actions in order", broken.STUCK, "'legal' returned 0, but an unfinished state"),
    ("same seed, same bytes", broken.MOODY_START, "ply 0 of seed .* is 'piles 3 3, .* mood .*' when replayed"),
    ("one key per record", broken.COARSE, "key . of 'piles .*' is met again in 'piles"),
    ("one key per record", broken.MOODY_KEY, "the same record has the keys"),
    pytest.param(
        "plain Python agrees", broken.NARROW, "key of seed .* compiled 321, as plain Python 65, in", marks=compiled_only
    ),
    pytest.param("play stays in its record", broken.SPILLING_PLAY, "playing 0 wrote outside", marks=compiled_only),
    ("questions change nothing", broken.WRITING_KEY, "kernel 'key' changed the state in 'piles 3 3"),
    ("questions change nothing", broken.WRITING_LOGIT_IDS, "kernel 'logit_ids' changed the state"),
    ("outcome fills the scores", broken.HALF, r"'outcome' must give 2 finite numbers, got \["),
    ("outcome fills the scores", broken.SPILLING_OUTCOME, "wrote more than 2 numbers"),
    ("utilities are as declared", broken.GENEROUS, r"must lie between -1 and 1, got \[2\.0, -2\.0\] in 'piles 0 0"),
    ("utilities are as declared", broken.GLAD, r"must add up to zero, got \[.*\]; or declare the game with zero_sum=False"),
    ("utilities are as declared", broken.EVEN, r"a draw must be worth 0 to each, got \[-0\.5, -0\.5\]; or declare"),
    ("points are filled", broken.HALF_POINTS, r"'points' must give 2 finite numbers, got \[3\.0, nan\]"),
    ("states survive storage", broken.make("local"), "must be a global of its module 'broken_games'"),
    ("chance is an argument", broken.MOODY, "twice with one chance word gave two results"),
    ("chance is an argument", broken.UNDECLARED, "so the game needs a 'chance_key' kernel"),
    ("encode fills its row", broken.INFINITE, "feature 0 is not finite"),
    pytest.param("encode fills its row", broken.SPILLING_ENCODE, "outside its 2 features", marks=compiled_only),
    ("encode doesn't see the seats", broken.SEATED, "encode tells the state from the one with swapped seats"),
    ("encode doesn't see the seats", broken.ONE_WAY, "swapping the seats twice"),
    ("encode doesn't see the seats", broken.LAZY, "swap must exchange the mover too"),
    ("distinct actions stand for all", broken.FIRST_ONLY, r"action 1 must do the same as exactly one of .* \[0\]"),
    ("distinct actions stand for all", broken.ILLEGAL_DISTINCT, "must be legal, that is, among"),
    ("afterstates come before chance", broken.STAYING, r"afterstate of action 0: mover 0, after its chance 1 in 'piles 3 3"),
    ("kernels compile", broken.SECRETIVE, "max_outcomes=6 and an 'outcomes' kernel belong together"),
    ("quiet actions meet no chance", broken.QUIET, "'meets_chance' says no of action 0, but its chance word matters"),
    ("outcomes are what chance does", broken.CRAMPED, "outcomes of action 0: 6 listed, but max_outcomes is 2"),
    ("outcomes are what chance does", broken.LEAKING, "must be above 0 and add up to 1, got 0.9"),
    ("outcomes are what chance does", broken.DOUBLE, "outcomes of action 0: 1 are listed twice"),
    ("outcomes are what chance does", broken.LUCKY, "play gave .* which is not among them"),
    ("outcomes are what chance does", broken.LOADED, "3000 draws are .* sigmas from the probabilities"),
    ("questions change nothing", broken.WRITING_OUTCOMES, "kernel 'outcomes' changed the state"),
    ("states of one eval_key look alike", broken.BLIND, "eval_key 0 is that of 'piles .*', but a network can tell"),
    ("symmetries keep the rules", broken.MISNAMED, "action 0 and then symmetry 1 is not .* in 'piles 3 3, player 0 to move"),
    (
        "symmetries keep the rules",
        broken.UNTOLD,
        r"calls the legal actions \[.*\] \[0, .*\], but \[.*\] are legal in 'piles 3 3",
    ),
    ("symmetries keep the rules", broken.TURNED, "symmetry 1: mover 1, without it 0 in 'piles 3 3, player 0"),
    ("symmetries keep the rules", broken.VAIN, "no symmetry leads back from symmetry 1, which makes 'piles 3 3, .* mood 1'"),
    ("kernels compile", broken.UNCOUNTED, "symmetries=1 and a 'symmetry' kernel belong together, one of them is missing"),
    ("decisions are 0 or 1", broken.LOFTY_DECISION, "kernel 'decision' must return 0 or 1, got 2"),
    ("pictures are SVG", broken.UNCLOSED, "the picture is no XML: .* in 'piles 3 3, player 0 to move"),
    ("pictures are SVG", broken.HEADLESS, "the picture begins with <p>, not with <svg xmlns=...>"),
    ("logit ids in range", broken.LOFTY_LOGIT_IDS, r"logit ids of action 0 are \(0, 99\), but logits are 0..5"),
    (GOLDEN, broken.SOUND_GAME, "no golden playthrough at .* playmill check-game broken_games:SOUND_GAME --write-golden"),
]


@pytest.mark.parametrize(("promise", "game", "message"), BREACHES)
def test_a_broken_promise_is_named(promise, game, message):
    with pytest.raises(ContractError, match=message) as caught:
        check_game(game, promises=[promise])
    line = str(caught.value)
    assert line.startswith(f"{game.name}: ")
    assert promise == GOLDEN or f"broken promise '{promise}'" in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("game", "message"),
    [(broken.SPILLING_OUTCOME, "wrote more than 2 numbers"), (broken.SPILLING_ENCODE, "outside its 2 feat")],
)
@compiled_only
def test_what_writes_past_an_end_is_named_before_it_does_any_harm(game, message):
    heard = []
    with pytest.raises(ContractError, match=message):
        check_game(game, games=3, on_checked=lambda name, nothing: heard.append(name))
    assert not {"State agrees", "games end", "legal actions in order"} & set(heard)  # they hand over arrays without room


def test_every_kernel_of_the_contract_has_a_signature():
    assert set(ARGUMENTS) == {*REQUIRED, *OPTIONAL}


def test_every_promise_has_a_game_that_breaks_it():
    covered = {getattr(case, "values", case)[0] for case in BREACHES} | {"State agrees", "the twin agrees"}
    assert covered == set(PROMISES)


def test_a_sound_game_keeps_every_promise(golden_at):
    write_golden(broken.SOUND_GAME)
    heard = []
    report = check_game(broken.SOUND_GAME, twin=Twin, games=10, on_checked=lambda name, nothing: heard.append((name, nothing)))
    assert [name for name, _ in heard] == list(PROMISES)
    assert {name: nothing for name, nothing in heard if nothing} == report.unchecked
    assert sorted([*report.promises, *report.unchecked]) == sorted(PROMISES)
    kept = len(report.promises)
    empty = len(report.unchecked)
    assert f"sound keeps {kept} promises in 10 random games ({report.states} states); {empty} had nothing" in str(report)


def test_a_symmetry_of_the_rules_is_one():
    check_game(broken.SYMMETRIC, games=10, promises=["symmetries keep the rules", "plain Python agrees"])


def test_a_state_that_tells_something_else_than_the_kernels_is_noticed(monkeypatch):
    monkeypatch.setattr(State, "to_move", property(lambda state: 1))
    with pytest.raises(
        ContractError, match=r"sound: broken promise 'State agrees': to_move of seed .* State says 1, the kernels 0"
    ):
        check_game(broken.SOUND_GAME, promises=["State agrees"])


@pytest.mark.parametrize(
    ("promise", "reason"),
    [
        ("the twin agrees", "no twin was given"),
        ("encode doesn't see the seats", "the game has no 'swap' kernel"),
        ("distinct actions stand for all", "the game has no 'distinct' kernel"),
        ("afterstates come before chance", "the game has no 'afterstate' kernel"),
        ("symmetries keep the rules", "the game has no 'symmetry' kernel"),
        ("points are filled", "the game has no 'points' kernel"),
        ("quiet actions meet no chance", "the game has no 'meets_chance' kernel"),
        ("outcomes are what chance does", "the game has no 'outcomes' kernel"),
        ("states of one eval_key look alike", "the game has no 'eval_key' kernel"),
        ("decisions are 0 or 1", "the game has no 'decision' kernel"),
        ("encode fills its row", "the game has no features"),
        ("pictures are SVG", "the game has no picture"),
    ],
)
def test_a_promise_with_nothing_to_check_is_not_kept_but_unchecked(promise, reason):
    report = check_game(broken.BARE, games=2, promises=[promise])
    assert report.promises == ()
    assert report.unchecked == {promise: reason}
    assert str(report).endswith("; 1 had nothing to check")


def test_pytest_skips_what_there_is_nothing_to_check_on():
    class Bare(GameConformance):
        game, games = broken.BARE, 2

    Bare().test_promise("games end")
    with pytest.raises(SkipTest, match="no twin was given"):
        Bare().test_promise("the twin agrees")


@pytest.mark.skipif(IS_COMPILED, reason="compiled, Numba notices first")
def test_a_kernel_that_fails_as_plain_python_is_one_line():
    with pytest.raises(ContractError, match=r"misspelt: broken promise .* AttributeError: .*pilez"):
        check_game(broken.MISSPELT)


# ------------------------------------------------------------------ twins


class Twin:
    """Nim as lists of stones."""

    def start(self, chance):
        self.piles, self.turn = [["o"] * 3, ["o"] * 3], 0

    def legal(self):
        return [3 * i + taken for i, pile in enumerate(self.piles) for taken in range(len(pile))]

    def play(self, action, chance):
        del self.piles[action // 3][-(action % 3 + 1) :]
        self.turn += 1

    def outcome(self):
        return None if any(self.piles) else [1.0, -1.0] if self.turn % 2 else [-1.0, 1.0]

    def to_move(self):
        return self.turn % 2


class TakesTwoAtMost(Twin):
    def legal(self):
        return [action for action in super().legal() if action % 3 < 2]


class LastStoneLoses(Twin):
    def outcome(self):
        scores = super().outcome()
        return scores and scores[::-1]


class StopsEarly(Twin):
    def outcome(self):
        return [0.0, 0.0] if self.turn == 2 else super().outcome()


class AlwaysFirst(Twin):
    def to_move(self):
        return 0


class Stumbles(Twin):
    def play(self, action, chance):
        raise ValueError("no idea\nat all")


@pytest.mark.parametrize(
    ("twin", "message"),
    [
        (
            TakesTwoAtMost,
            r"legal of seed \d+, ply 0: the twin says \[0, 1, 3, 4\], the kernels \[0, 1, 2, 3, 4, 5\] in 'piles 3 3",
        ),
        (LastStoneLoses, "outcome of seed"),
        (StopsEarly, r"outcome of seed \d+, ply 2: the twin says \[0.0, 0.0\], the kernels None"),
        (AlwaysFirst, "to_move of seed .*, ply 1: the twin says 0, the kernels 1"),
        (Stumbles, "ValueError: no idea / at all"),
    ],
)
def test_a_twin_that_disagrees_breaks_its_promise(twin, message):
    with pytest.raises(ContractError, match=f"sound: broken promise 'the twin agrees': {message}"):
        check_game(broken.SOUND_GAME, twin, promises=["the twin agrees"])


def test_a_twin_may_be_an_object_and_needs_all_methods():
    check_game(broken.SOUND_GAME, Twin(), promises=["the twin agrees"])
    with pytest.raises(UsageError, match="sound: the twin has no method start, legal, play, outcome, to_move"):
        check_game(broken.SOUND_GAME, object(), promises=["the twin agrees"])


# ------------------------------------------------------------------ the golden playthrough


@pytest.fixture
def golden_at(monkeypatch, tmp_path):
    """Golden playthroughs lie in a folder of the test's own."""
    monkeypatch.setattr(Game, "golden_path", property(lambda game: tmp_path / f"{game.name}.json"))
    return tmp_path


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"record": "0303', '"record": "0203', "at the start: state was 'piles 2 3, .*' and is now 'piles 3 3"),
        ('"key": "', '"key": "f', "at the start: key was"),
        ('"text": "', '"text": "?', r"at step 1 \(\?.*\): action text was"),
        ('"action": ', '"action": 8', r"at step 1 \(.*\): action 8\d is stored, but the legal ones are \[0, 1, 2, 3, 4, 5\]"),
        ('"returns": [', '"returns": [5, ', "at the end: returns was"),
        ('"game": "sound"', '"game": "other"', "at the header: game was 'other' and is now 'sound'"),
        ('"format": 1', '"format": 9', "is not of format 1"),
        ("{", "", "can't be read"),
    ],
)
def test_a_playthrough_that_differs_shows_both_sides(golden_at, before, after, message):
    path = write_golden(broken.SOUND_GAME)
    replay_golden(broken.SOUND_GAME)
    path.write_text(path.read_text().replace(before, after, 1))
    with pytest.raises(ContractError, match=message) as caught:
        replay_golden(broken.SOUND_GAME)
    assert "playmill check-game broken_games:SOUND_GAME --write-golden" in str(caught.value)


def test_the_same_seed_stores_the_same_playthrough(golden_at):
    first = write_golden(broken.SOUND_GAME, seed=3).read_bytes()
    assert write_golden(broken.SOUND_GAME, seed=3).read_bytes() == first
    assert write_golden(broken.SOUND_GAME, seed=4).read_bytes() != first


def test_a_playthrough_without_end_is_refused(golden_at):
    with pytest.raises(ContractError, match="endless: a random game of seed 0 has no end after 10000 actions"):
        write_golden(broken.ENDLESS)


# ------------------------------------------------------------------ the faces


class TestAsAPytestClass(GameConformance):
    game = "tictactoe"
    games = 3


def test_bad_requests_are_one_line():
    with pytest.raises(UnknownName, match="unknown promise 'games ends'; did you mean 'games end'"):
        check_game("tictactoe", promises=["games ends"])
    with pytest.raises(UsageError, match="games: expected a whole number above 0, got 0"):
        check_game("tictactoe", games=0)
    with pytest.raises(UsageError, match="seed: expected"):
        check_game("tictactoe", seed=-1)
