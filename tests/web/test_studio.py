"""`playmill studio` as a process: what it refuses, and in which words."""

import socket
import urllib.error
import urllib.request

import pytest

from cli.invoking import assert_refused, invoke
from web.serving import serving
from web.studio_folder import make_models

pytestmark = pytest.mark.jit


def test_it_works_in_an_empty_folder_and_a_stale_token_is_one_line(tmp_path):
    with serving("studio", cwd=tmp_path) as (address, _):
        asking = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert b"<div id=" in asking.open(address).read()
        assert b'"runs":[]' in asking.open(address.split("?")[0] + "api/runs").read()
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(address.split("token=")[0] + "token=of-yesterday")
        told = refused.value.read().decode()
        assert told == "playmill: no token, or an old one; open the address that playmill printed when it began\n"
    assert list(tmp_path.iterdir()) == []


def test_a_port_in_use_is_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = invoke(["studio", "--port", port, "--no-open"], tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"playmill: port {port} of 127.0.0.1 is in use; choose another with --port\n"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["missing"], "missing: expected a folder of runs, got nothing"),
        (["file.txt"], "file.txt: expected a folder of runs, got a file"),
        (["."], "nothing in it has a run.json"),
        (["--model", "best.pt"], "expected NAME=PATH"),
        (["--model", "mine=missing.pt"], "missing.pt"),
        (["--model", "mine=file.txt"], "file.txt"),
        (["--puzzles", "missing.jsonl"], "missing.jsonl"),
        (["--kept", "file.txt"], "expected a folder, got the file file.txt"),
    ],
)
def test_what_can_not_be_shown_is_refused_in_a_line(tmp_path, words, part):
    (tmp_path / "file.txt").write_text("something else")
    ended = invoke(["studio", *words, "--no-open"], tmp_path)
    assert_refused(ended)
    assert part in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


def test_one_name_stands_for_one_model(tmp_path):
    paths = make_models(tmp_path)
    words = ["--model", f"a={paths['tiny-four']}", "--model", f"a={paths['tiny-yatzy']}"]
    ended = invoke(["studio", *words, "--no-open"], tmp_path)
    assert_refused(ended)
    assert "expected each name once, got 'a' again" in ended.err
