"""Policies: what they offer, and that their randomness is the state's."""

from collections import Counter

import pytest

from playmill.core.errors import UnknownName, UsageError
from playmill.games.registry import get_game
from playmill.sim import Simulator, all_legal, composite, first_legal, get_policy, policy_names, randomized, uniform_random
from playmill.sim.playout import PolicyError

START = get_game("tictactoe").new(11)


def test_legal_policies_offer_what_they_say():
    assert list(first_legal(START)) == [0]
    assert list(all_legal(START)) == list(range(9))
    assert sorted(uniform_random(START)) == list(range(9))


def test_composite_takes_the_first_policy_that_offers_anything():
    silent, tactical = (lambda state: []), (lambda state: [4])
    assert list(composite(silent, tactical, all_legal)(START)) == [4]
    assert list(composite(silent, silent)(START)) == []
    with pytest.raises(UsageError, match="at least one policy"):
        composite()


def test_randomized_keeps_the_candidates_and_depends_only_on_the_state():
    policy = randomized(lambda state: [8, 1, 5])
    assert sorted(policy(START)) == [1, 5, 8]
    assert policy(START) == policy(START.reseeded(11))
    orders = {tuple(policy(START.reseeded(seed))) for seed in range(200)}
    assert len(orders) == 6


def test_another_ply_is_another_shuffle():
    policy = randomized(lambda state: range(8))
    assert policy(START) != policy(START.apply(8))


def test_every_action_comes_first_equally_often():
    counts = Counter(uniform_random(START.reseeded(seed))[0] for seed in range(9000))
    chi_square = sum((counts[action] - 1000) ** 2 / 1000 for action in range(9))
    assert chi_square < 26.1  # 99.9 % point for 8 degrees of freedom; the seeds are fixed


def test_none_or_one_candidate_stays_as_it_is():
    assert randomized(lambda state: [])(START) == []
    assert randomized(lambda state: [3])(START) == [3]


def test_policies_are_found_by_name_or_import():
    assert [get_policy(name).name for name in policy_names()] == list(policy_names())
    assert get_policy("playmill.sim.policies:first_legal") is first_legal


def test_an_unknown_policy_lists_the_known_and_suggests_the_nearest():
    with pytest.raises(UnknownName, match=r"unknown policy 'uniform'; did you mean 'uniform_random'\? \(known: all_legal, f"):
        get_policy("uniform")


@pytest.mark.parametrize("name", ["no.such.module:policy", "playmill.sim.policies:nothing", "playmill:__version__", ":"])
def test_a_policy_that_cannot_be_imported_is_one_line(name):
    with pytest.raises(UsageError, match=f"policy '{name}'(: expected| can't be loaded)"):
        get_policy(name)


def broken(state):
    return [1 // state.ply]


def half_broken(state):
    yield state.legal_actions[0]
    raise SystemExit("enough")


@pytest.mark.parametrize(("policy", "what"), [(broken, "ZeroDivisionError: .* zero"), (half_broken, "SystemExit: enough")])
def test_an_error_inside_a_policy_is_one_line_with_its_place(policy, what):
    with pytest.raises(PolicyError, match=rf"policy: {what} \(.*test_policies.py, line \d+\), in '") as caught:
        Simulator(policy).playout_many(get_game("tictactoe"), 1)
    assert caught.value.exit_code == 1
    assert caught.value.__cause__ is not None
