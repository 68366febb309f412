"""Tables: as wide as the terminal, and lists of their cells where it is too narrow for them."""

from rich.table import Table

from playmill.cli.output import print_table


def table():
    made = Table("game", "players", "title", box=None, pad_edge=False)
    made.add_row("connect_four", "2", "four in a row on 7x6; solved, the first player wins")
    made.add_row("go", "2", "")
    return made


def shown(monkeypatch, capsys, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    print_table(table())
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_a_table_that_fits_is_a_table(monkeypatch, capsys):
    assert shown(monkeypatch, capsys, 90)[1].split()[:3] == ["connect_four", "2", "four"]


def test_the_last_column_wraps_first(monkeypatch, capsys):
    lines = shown(monkeypatch, capsys, 50)
    assert lines[0].split() == ["game", "players", "title"]
    assert max(map(len, lines)) <= 50


def test_a_table_that_does_not_fit_is_a_list(monkeypatch, capsys):
    lines = shown(monkeypatch, capsys, 30)
    assert lines[:2] == ["connect_four", "  players  2"]
    assert lines[2] == "  title    four in a row on"
    assert lines[-2:] == ["go", "  players  2"]
    assert max(map(len, lines)) <= 30


def test_a_pipe_gets_a_row_a_line(monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    print_table(table())
    assert "solved, the first player wins" in capsys.readouterr().out.splitlines()[1]
