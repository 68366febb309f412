"""A sweep of bad invocations: one line, exit code 1 or 2, no traceback, and nothing is written."""

from __future__ import annotations

import pytest

from cli.bad_invocations import bad_folder, every_invocation
from cli.invoking import assert_refused, contents, invoke
from playmill.games.registry import get_game
from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec

INVOCATIONS = every_invocation()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("bad")
    bad_folder(made)
    game, spec = get_game("tictactoe"), NetSpec(kind="mlp", hidden=16, blocks=0)
    save_checkpoint(made / "net.pt", make_checkpoint(game, spec, build_net(game, spec)))
    return made


@pytest.fixture(scope="module")
def before(folder):
    return contents(folder)


def test_there_are_five_hundred_of_them_about_every_command():
    assert len(INVOCATIONS) >= 500
    assert len({tuple(words[:2]) if words[:1] == ["diplomacy"] else words[0] for words in INVOCATIONS if words}) > 25


@pytest.mark.parametrize("words", INVOCATIONS, ids=lambda words: " ".join(words)[:90] or "nothing")
def test_a_bad_invocation_is_one_line_and_leaves_nothing(words, folder, before):
    assert_refused(invoke(words, folder))
    assert contents(folder) == before


NOT_THERE = [words for words in INVOCATIONS if any(word.startswith("missing") for word in words)]


@pytest.mark.parametrize("words", NOT_THERE, ids=" ".join)
def test_a_missing_file_has_one_exit_code(words, folder):
    ended = invoke(words, folder)
    assert ended.code == 2
    assert "missing" in ended.err
