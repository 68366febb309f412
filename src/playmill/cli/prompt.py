"""A line from whoever is at the terminal."""

from __future__ import annotations

import sys

import typer


def read_line(prompt: str) -> str:
    """A line with its end, "" at the end of input. What is typed into a terminal can be edited."""
    if not sys.stdin.isatty():
        typer.echo(prompt)
        return sys.stdin.readline()
    try:
        return input(prompt) + "\n"
    except EOFError:
        typer.echo()
        return ""
