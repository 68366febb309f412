"""`playmill diplomacy` as a user types it."""

import json
import subprocess
import sys

import pytest

from commands import complaints
from playmill.games.diplomacy.board import Board

START = Board.start().dfen


def playmill(*words, stdin=""):
    command = [sys.executable, "-m", "playmill.cli.main", "diplomacy", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, input=stdin)


def answers(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_adjudicate_answers_each_line():
    requests = [
        {"dfen": START, "orders": {"F": "A par - bur ; A mar S A par - bur", "germany": "A mun - bur"}},
        {"dfen": START, "orders": "A vie - gal"},
        {"dfen": START},
    ]
    done = playmill("adjudicate", stdin="\n".join(map(json.dumps, requests)) + "\n")
    assert (done.returncode, complaints(done.stderr)) == (0, "")
    first, second, third = answers(done)
    assert first["results"]["A mun - bur"] == ["bounced with A par"]
    assert first["results"]["A bud H"] == ["succeeded"]
    assert "Fabur" in first["dfen"]
    assert "Aagal" in second["dfen"]
    assert third["dfen"] == START.replace("1901sm", "1901fm")


def test_an_unreadable_order_rejects_neither_its_line_nor_the_other_orders():
    request = {"dfen": "start", "orders": {"F": "A par flies ; A Marseilles-Spain ;"}}
    done = playmill("adjudicate", stdin=json.dumps(request) + "\n")
    assert (done.returncode, complaints(done.stderr)) == (0, "")
    (found,) = answers(done)
    assert found["results"]["A par flies"][0].startswith("illegal: it can't be read, word 3: expected")
    assert found["results"]["A mar - spa"] == ["succeeded"]


def test_start_is_a_position_in_json_lines_too():
    (found,) = answers(playmill("orders", stdin='{"dfen": "start", "power": "italy"}\n'))
    assert found["dfen"] == START
    assert list(found["orders"]) == ["F nap", "A rom", "A ven"]


def test_a_bad_line_is_answered_by_its_number_and_the_others_go_on():
    lines = [
        "{",
        "",
        "[1]",
        json.dumps({"dfen": START, "orders": {"spain": "A par H"}}),
        json.dumps({"dfen": START, "orders": ["A par H"]}),
        json.dumps({"orders": {}}),
        json.dumps({"dfen": START}),
    ]
    done = playmill("adjudicate", stdin="\n".join(lines))
    assert done.returncode == 1
    assert complaints(done.stderr) == ""
    found = answers(done)
    assert [answer.get("line") for answer in found] == [1, 3, 4, 5, 6, None]
    assert "power: expected one of austria" in found[2]["error"]
    assert "orders: expected a text for each power" in found[3]["error"]
    assert "dfen: expected a text, got null" in found[4]["error"]


def test_orders_lists_what_is_legal():
    done = playmill("orders", stdin=json.dumps({"dfen": START, "power": "T"}) + "\n")
    (found,) = answers(done)
    assert list(found["orders"]) == ["F ank", "A con", "A smy"]
    assert "F ank - bla" in found["orders"]["F ank"]


def test_explain_tells_why():
    done = playmill("explain", "start", "A par - bur ; A mun - bur")
    assert done.returncode == 0
    assert "A mun - bur  bounced with A par (1 against 1)" in done.stdout


def test_datc_prints_the_table_and_the_count():
    done = playmill("datc")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].split()[:2] == ["6.A.1", "ok"]
    assert done.stdout.splitlines()[-2:] == ["2.x: 164 of 164 cases pass", "3.x: 164 of 164 cases pass"]
    summary = json.loads(playmill("datc", "--rules", "3.x", "--json").stdout)
    assert (summary["checks"], summary["failed"]) == (165, 0)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["explain", "1901sm"], "DFEN: expected 4 or 5 fields"),
        (["explain", "start", "--rules", "9"], "rules: expected one of 2.x, 3.x, got '9'"),
        (["datc", "--rules", "9"], "--rules: expected one of 2.x, 3.x, got '9'"),
        (["nonsense"], "No such command 'nonsense'"),
    ],
)
def test_bad_words_are_one_line_and_exit_code_2(words, line):
    done = playmill(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert line in done.stderr
