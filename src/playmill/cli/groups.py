"""What every group of commands is made with: plain help that fits the terminal, however narrow it is.

Typer's own help, in boxes, cuts the names of options short on a narrow terminal, and takes a `[default: ...]` for markup.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from playmill.core.errors import UsageError

WIDEST = 100
SUMMARY = 500  # characters of a command's first sentence: as many as it has

# Older Typer uses Click's classes, newer Typer its own copies of them.
_Context: Any = TyperCommand.context_class


class HelpPage(_Context.formatter_class):  # type: ignore[misc]
    """Help as wide as the terminal; names take a third of it at most, longer ones have a line of their own."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__(width=min(shutil.get_terminal_size().columns, WIDEST) - 2)

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl(rows, max(12, min(col_max, self.width // 3)), col_spacing)


class _HelpContext(_Context):  # type: ignore[misc]
    formatter_class = HelpPage


class _Command(TyperCommand):
    context_class = _HelpContext


class _Group(TyperGroup):
    context_class = _HelpContext

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without words, help; Typer would raise it as an error."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            ctx.exit(UsageError.exit_code)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands, each with its whole first sentence."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(SUMMARY)) for name, command in self.commands.items()])


class App(typer.Typer):
    """A group of commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=_Group, rich_markup_mode=None, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """A decorator that makes a command of a function."""
        return super().command(name, cls=_Command, **settings)
