"""What a network's settings accept, and what its answers are called."""

import pytest
from pydantic import ValidationError

from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.nets.spec import NetSpec, heads, make_spec, usual_kind
from playmill.packs.registry import find_pack

find_pack("yatzy")


@pytest.mark.parametrize(
    ("margin", "togo", "names"),
    [
        (False, False, ("win",)),
        (True, False, ("win", "margin")),
        (False, True, ("win", "togo_own", "togo_opp")),
        (True, True, ("win", "margin", "togo_own", "togo_opp")),
    ],
)
def test_win_is_the_first_head_and_the_others_follow_in_a_fixed_order(margin, togo, names):
    assert heads(NetSpec(margin=margin, togo=togo)) == names


def test_further_heads_are_asked_for_by_name():
    assert heads(NetSpec(togo=True, more_heads="margin")) == ("win", "margin", "togo_own", "togo_opp")
    assert heads(NetSpec(more_heads=" togo_opp, margin ")) == ("win", "togo_opp", "margin")


def test_every_field_has_a_sentence():
    assert all(field.description and field.description.endswith(".") for field in NetSpec.model_fields.values())


def test_a_spec_can_not_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        NetSpec().hidden = 3


def test_the_section_of_the_kind_in_use_is_always_there():
    assert NetSpec(kind="seats", togo=True).model_dump()["seats"] == {"tower": 128, "tower_blocks": 2, "hand": False}
    assert "seats" not in NetSpec().model_dump()
    spec = make_spec({"kind": "seats", "seats": {"hand": True}})
    assert make_spec(spec.model_dump(mode="json")) == spec != make_spec({"kind": "seats"})


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"hiden": 3}, r"net.hiden: unknown key; did you mean 'hidden'?"),
        ({"hidden": 0}, r"net.hidden: expected at least 16, got 0"),
        ({"hidden": 40}, r"net.hidden: expected a multiple of 16, got 40"),
        ({"tower": 64}, r"net.tower: unknown key; did you mean 'seats.tower'\? \(known: blocks, "),
        ({"kind": "seats", "seats": {"tower": 40}}, r"net.seats.tower: expected a multiple of 16, got 40"),
        ({"kind": "seats", "seats": {"towr": 64}}, r"net.seats.towr: unknown key; did you mean 'tower'\?"),
        ({"kind": "seats", "seats": {"tower": 8192, "tower_blocks": 256}}, r"weights would take"),
        ({"more_heads": "magrin"}, r"net: more_heads: unknown head 'magrin'; did you mean 'margin'\?"),
        ({"more_heads": "margin", "margin": True}, r"net: more_heads: 'margin' is asked for twice"),
        ({"more_heads": "wdl"}, r"net: more_heads: 'wdl' tells the outcome, of which there is one; use value: wdl"),
        ({"kind": "cnov"}, r"net.kind: unknown network kind 'cnov'; did you mean 'conv'\? \(known: conv, mlp"),
    ],
)
def test_a_wrong_field_is_named_in_one_line(fields, line):
    with pytest.raises(UsageError, match=line):
        make_spec(fields)


def test_boards_get_a_board_net():
    assert usual_kind(get_game("connect_four")) == "conv"
    assert usual_kind(get_game("yatzy")) == "mlp"
