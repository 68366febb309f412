"""`play`: a person is a player like the others, and may leave at any time."""

import pytest
import typer
from typer.testing import CliRunner

from playmill.cli import play
from playmill.core.errors import UsageError


def at_the_table(lines, *words):
    app = typer.Typer()
    play.register(app)
    result = CliRunner().invoke(app, [*words], input="".join(f"{line}\n" for line in lines))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_whole_game_by_numbers_and_names():
    words = ["tictactoe", "--seed", "3"]
    # Whoever tries every square in turn finds a legal one.
    squares = [row * 3 + column for row in range(3) for column in range(3)]
    said = at_the_table(["B2", *squares * 5], *words)
    assert said.exit_code == 0
    assert "you have seat 0 against random" in said.output
    assert "the game is over, " in said.output
    assert said.output == at_the_table(["4", *squares * 5], *words).output


def test_what_is_no_action_is_asked_again_and_the_end_of_input_leaves():
    said = at_the_table(["pass"], "connect_four", "--seat", "1", "--seed", "1")
    assert said.exit_code == 0
    assert "random: column" in said.output
    assert "expected one of the actions above, by number or name, or q to leave; got 'pass'" in said.output
    assert said.output.endswith("left after 1 moves; --seed 1 gives the same game\n")


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="--seat: tictactoe has seats 0 to 1, got 2"):
        at_the_table([], "tictactoe", "--seat", "2")
