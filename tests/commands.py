"""Commands called in this process: quick, and what they raise can be looked at."""

import re

import typer
from typer.testing import CliRunner


def runner(room):
    """A function that runs the commands of a `playmill.cli` module: what is printed comes back, what is raised is raised."""
    app = typer.Typer()
    room.register(app)

    def run(*words):
        result = CliRunner().invoke(app, [str(word) for word in words])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


def complaints(stderr):
    """What stands on stderr, but for words about a first compilation: a cold cache is nothing to complain about."""
    return re.sub(r"(?m)^playmill: compiling .*\n", "", stderr)
