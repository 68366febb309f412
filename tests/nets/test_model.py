"""The networks themselves: shapes, ranges, repeatable beginnings."""

import pytest
import torch

from nets.making import SHAPES, lively_net, positions
from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.games.heads import column_count
from playmill.games.registry import get_game
from playmill.games.tictactoe import STATE
from playmill.nets.model import BoardNet, ResidualBlock, ResidualMLP, build_net
from playmill.nets.spec import NetSpec, heads
from toy_games import DUEL, MARCH


@pytest.mark.parametrize("shape", SHAPES)
def test_a_net_answers_logits_and_values_for_flat_features(shape):
    name, spec = SHAPES[shape]
    game = get_game(name)
    logits, values = build_net(game, spec)(torch.from_numpy(positions(name, 5)))
    assert logits.shape == (5, game.logits)
    assert values.shape == (5, column_count(heads(spec), game.players))
    assert logits.dtype == values.dtype == torch.float32


@pytest.mark.parametrize("shape", SHAPES)
def test_values_alone_are_the_same_values(shape):
    name, spec = SHAPES[shape]
    net, features = lively_net(get_game(name), spec), torch.from_numpy(positions(name, 5))
    assert torch.equal(net(features)[1], net.answer_values(features))


def test_win_and_margin_are_squashed_and_togo_is_not():
    net = lively_net(get_game("yatzy"), NetSpec(hidden=16, margin=True, togo=True))
    net.raw_values.bias.data.fill_(5)
    values = net(torch.from_numpy(positions("yatzy", 50)))[1]
    assert values[:, :2].abs().max() <= 1
    assert values[:, 2:].abs().max() > 1


def test_win_draw_and_loss_are_shares():
    net = lively_net(get_game("tictactoe"), NetSpec(hidden=16, value="wdl", margin=True))
    values = net(torch.from_numpy(positions("tictactoe", 50)))[1]
    assert values[:, :3].min() > 0
    assert torch.allclose(values[:, :3].sum(dim=1), torch.ones(50))


@pytest.mark.parametrize(
    ("game", "spec", "line"),
    [
        (MARCH, NetSpec(), "the head 'win' (the mover's utility) expects two players whose utilities add up to zero;"
         " use value: utilities; march has 3 players"),
        (MARCH, NetSpec(value="wdl"), "the head 'wdl' (how likely the mover's win, a draw, its loss) expects two players;"
         " march has 3 players"),
        (DUEL, NetSpec(), "the head 'win' (the mover's utility) expects two players whose utilities add up to zero;"
         " use value: utilities; duel has 2 players and utilities of any sum"),
        (get_game("tictactoe"), NetSpec(value="utilities"), "the head 'utilities' (each player's utility) expects more to tell"
         " than the mover's utility; use value: win or wdl; tictactoe has 2 players"),
    ],
)  # fmt: skip
def test_a_head_that_can_not_serve_the_game_is_refused_in_one_line(game, spec, line):
    with pytest.raises(UsageError) as caught:
        build_net(game, spec)
    assert str(caught.value) == f"net: {line}"


def test_the_kind_chooses_the_net():
    game = get_game("tictactoe")
    assert isinstance(build_net(game, NetSpec(kind="conv")), BoardNet)
    assert isinstance(build_net(game, NetSpec(kind="mlp")), ResidualMLP)


def test_a_board_net_for_flat_features_is_refused():
    with pytest.raises(UsageError, match=r"net.kind: conv expects .* got the shape \[45\]; use mlp"):
        build_net(get_game("yatzy"), NetSpec(kind="conv"))


def test_a_game_without_an_encoding_is_refused():
    blind = Game("blind", state=STATE, players=2, logits=9)
    with pytest.raises(UsageError, match="blind: a network needs features"):
        build_net(blind, NetSpec())


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_seed_gives_the_same_weights_and_leaves_the_global_generator_alone(shape):
    name, spec = SHAPES[shape]
    before = torch.random.get_rng_state()
    first, again, other = (build_net(get_game(name), spec, seed).state_dict() for seed in (3, 3, 4))
    assert torch.equal(before, torch.random.get_rng_state())
    assert all(torch.equal(first[key], again[key]) for key in first)
    assert any(not torch.equal(first[key], other[key]) for key in first)


def test_a_new_net_has_hardly_an_opinion():
    logits, values = build_net(get_game("yatzy"), NetSpec(margin=True))(torch.from_numpy(positions("yatzy", 200)))
    assert torch.softmax(logits, 1).max() < 0.1
    assert values.abs().max() < 0.5


def test_logits_as_planes_stand_plane_after_plane():
    game = get_game("tictactoe")
    net = lively_net(game, NetSpec(kind="conv", channels=24, blocks=1, hidden=16, policy="planes"))
    features = torch.from_numpy(positions("tictactoe", 5))
    planes = net.policy_planes(torch.relu(net.stream(features)))
    assert planes.shape == (5, 1, 3, 3)
    assert torch.equal(net(features)[0], planes.reshape(5, 9))


def test_a_plane_of_exchange_is_a_square_that_is_gone_to():
    game = get_game("exchange")
    net = lively_net(game, SHAPES["exchange-planes"][1])
    features = torch.from_numpy(positions("exchange", 5))
    planes = net.policy_planes(torch.relu(net.stream(features)))
    logits = net(features)[0]
    assert planes.shape == (5, 72, 8, 8)
    for to, rank, file in ((0, 0, 0), (28, 1, 4), (63, 6, 7), (71, 7, 2)):
        assert torch.equal(logits[:, 64 * to + 8 * rank + file], planes[:, to, rank, file])


def test_planes_that_the_logits_do_not_fill_are_refused_in_one_line():
    with pytest.raises(UsageError) as caught:
        build_net(get_game("connect_four"), NetSpec(kind="conv", policy="planes"))
    assert str(caught.value) == (
        "net.policy: planes expects a whole number of logits a square, got 7 logits for 42 squares; use dense"
    )


@pytest.mark.parametrize(("policy", "most"), [("planes", 60_000), ("dense", 2_500_000)])
def test_planes_need_few_weights_where_a_dense_policy_has_millions(policy, most):
    net = build_net(get_game("exchange"), NetSpec(kind="conv", channels=32, hidden=64, value="utilities", policy=policy))
    assert most / 2 < sum(tensor.numel() for tensor in net.parameters()) < 2 * most


def test_new_planes_have_hardly_an_opinion():
    net = build_net(get_game("exchange"), SHAPES["exchange-planes"][1])
    assert net(torch.from_numpy(positions("exchange", 20)))[0].abs().max() < 1


def test_the_first_layer_and_the_values_are_never_narrow():
    for kind in ("mlp", "conv"):
        narrow = build_net(get_game("connect_four"), NetSpec(kind=kind, blocks=1)).narrow_layers()
        assert {"blocks.0.first", "blocks.0.second", "logits"} <= set(narrow)
        assert not {"stem", "raw_values", "value_planes", "value_hidden"} & set(narrow)


@pytest.mark.parametrize("inner", [torch.float32, torch.bfloat16])
def test_a_block_overwrites_nothing_that_others_see_and_gives_the_same_bits(inner):
    torch.manual_seed(0)
    layers = [torch.nn.Linear(8, 8).to(inner) for _ in range(2)]
    block, x = ResidualBlock(*layers), torch.randn(5, 8)
    seen, plain = (x.clone().requires_grad_() for _ in range(2))
    found = block(seen)
    expected = plain + layers[1](torch.relu(layers[0](torch.relu(plain).to(inner))))
    parameters = list(block.parameters())
    gradients, others = (torch.autograd.grad(y.square().sum(), [z, *parameters]) for y, z in ((found, seen), (expected, plain)))
    assert torch.equal(seen, x)
    assert torch.equal(found, expected)
    assert found.dtype == torch.float32
    assert all(map(torch.equal, gradients, others))
