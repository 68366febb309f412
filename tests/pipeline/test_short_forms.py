"""Options of `playmill run` are short for settings, and refuse what contradicts them."""

import pytest

from playmill.core.errors import UsageError
from playmill.packs.pack import Pack, RunOption
from playmill.packs.registry import find_pack
from playmill.pipeline.short_forms import overrides_of

PLAIN = Pack(("nim",))
OWN = Pack(("nim",), options={"quiet": RunOption(sets={"measure.games": 0}, bars=("games",))})


def test_options_come_to_settings_in_order_and_set_comes_last():
    given = {"iterations": 3, "games": 20, "asymmetric": True, "asymmetric-sims": 8}
    assert overrides_of(PLAIN, "nim", given, ["train.lr=0.1"]) == [
        "selfplay.opponent.share=1",
        "selfplay.opponent.search.kind=one_ply",
        "iterations=3",
        "selfplay.games=20",
        "search.puct.budget=8",
        "train.lr=0.1",
    ]


def test_a_pack_has_options_of_its_own_and_may_say_what_a_common_one_means():
    assert overrides_of(OWN, "nim", {"quiet": True}) == ["measure.games=0"]
    common = Pack(("nim",), options={"games": RunOption(key="gate.games")})
    assert overrides_of(common, "nim", {"games": 8}) == ["gate.games=8"]


def test_set_may_change_what_a_flag_stands_for():
    words = overrides_of(PLAIN, "nim", {"asymmetric": True}, ["selfplay.opponent.share=0.5"])
    assert words.index("selfplay.opponent.share=1") < words.index("selfplay.opponent.share=0.5")


@pytest.mark.parametrize(
    ("pack", "given", "words", "line"),
    [
        (PLAIN, {"asymmetric-sims": 8}, [], "--asymmetric-sims: says something only beside --asymmetric; add it"),
        (PLAIN, {"quiet": True}, [], "--quiet: nim has no such option; `--set KEY=VALUE`"),
        (PLAIN, {"combo-bonus-max": 1.0}, [], "--combo-bonus-max: nim has no such option, it is for exchange"),
        (OWN, {"quiet": True, "games": 3}, [], "--quiet and --games contradict each other"),
        (OWN, {"quiet": True}, ["measure.games=9"], "--quiet and --set measure.games both say measure.games; leave one out"),
        (
            PLAIN,
            {"asymmetric": True},
            ["selfplay.opponent.share=0.0"],
            "--asymmetric and --set selfplay.opponent.share=0.0 contradict each other; leave one out",
        ),
        (PLAIN, {"games": 3}, ["selfplay.games=4"], "--games and --set selfplay.games both say selfplay.games"),
        (find_pack("diplomacy"), {"asymmetric": True}, [], "--asymmetric: nim has no such option"),
    ],
)
def test_contradictions_and_unknown_options_are_refused(pack, given, words, line):
    with pytest.raises(UsageError) as error:
        overrides_of(pack, "nim", given, words)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)
