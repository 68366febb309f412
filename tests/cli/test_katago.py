"""`playmill katago` with a fake engine: what is printed, and one line for each thing that can be wrong."""

import json

import pytest
from typer.testing import CliRunner

from playmill.cli import katago
from playmill.core import files
from playmill.core.errors import PlaymillError, UsageError
from playmill.puzzles.katago import install, parcels
from playmill.puzzles.katago.place import home
from puzzles.katago.engines import Fake


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path / "cache"))
    files._cache_root.cache_clear()
    yield
    files._cache_root.cache_clear()


def run(*words):
    result = CliRunner().invoke(katago.app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def own(fake):
    return [word for part, path in fake.paths.items() for word in (f"--{part}", path)]


def test_without_an_engine_the_way_to_one_is_told():
    with pytest.raises(UsageError, match="`playmill katago install` gets one, and `--engine solver` needs none"):
        run("check")


def test_an_engine_of_ones_own_is_remembered(tmp_path):
    fake = Fake(tmp_path)
    assert json.loads(run("install", *own(fake), "--json")) == {**fake.paths, "tuner": None}
    assert json.loads((home() / "installed.json").read_text()) == {**fake.paths, "tuner": None}
    report = json.loads(run("bench", "--json", "--queries", 3, "--visits", 5))
    assert (report["version"], report["queries"], report["visits"]) == ("1.2.3", 3, 15)
    assert report["visits_per_second"] == pytest.approx(15 / report["seconds"])


def test_a_named_file_that_is_missing_is_told_before_anything_is_fetched(tmp_path, monkeypatch):
    monkeypatch.setattr(parcels, "fetch", lambda *_: pytest.fail("it was fetched"))
    with pytest.raises(UsageError, match=r"network: expected a file, but there is no .*nosuch"):
        run("install", "--network", tmp_path / "nosuch")


def test_an_engine_that_gives_a_wrong_answer_fails_the_check(tmp_path):
    with pytest.raises(PlaymillError, match="wants C3 where E9 kills; is it the right network"):
        run("check", *own(Fake(tmp_path)))


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("refuses", r"did not start: what\(\): Could not find key 'numAnalysisThreads' in config file; see .*katago.log"),
        ("hangs", r"no answer in 1.5 s for query 1 \(three points in a row\); see"),
        ("mute", r"did not answer within 1 s of its start"),
        ("crashes", r"crashed \(Error: out of luck\) at query 1 \(three points in a row\)"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path, monkeypatch, mode, line):
    from playmill.puzzles.katago import trial

    monkeypatch.setattr(trial, "CHECK_VISITS", 1)
    fake = Fake(tmp_path, mode)
    with pytest.raises(PlaymillError, match=line) as raised:
        run("check", *own(fake), "--timeout", 0.5, "--startup", 1 if mode == "mute" else 60)
    assert "\n" not in str(raised.value)
    assert fake.has_left()


def test_a_program_that_is_no_engine_is_told(tmp_path):
    fake = Fake(tmp_path)
    with pytest.raises(PlaymillError, match="/bin/false could not say its version"):
        run("check", *own(fake), "--engine", "/bin/false")
    (tmp_path / "katago").chmod(0o644)
    with pytest.raises(UsageError, match="can't be run; make it executable"):
        run("check", *own(fake))


def test_what_is_fetched_must_be_what_was_meant(tmp_path, monkeypatch):
    def bring_another(parcel, folder):
        (folder / "other.whl").write_bytes(b"something else")
        return folder / "other.whl"

    monkeypatch.setattr(parcels, "_download", bring_another)
    with pytest.raises(PlaymillError, match=r"other.whl: expected SHA-256 40bd18051fc79fa1..., got"):
        parcels.fetch(parcels.NETWORK, tmp_path / "network")
    assert not (tmp_path / "network").exists()


def test_missing_opencl_is_told_with_the_command(monkeypatch):
    said = []
    monkeypatch.setattr(install, "has_opencl", lambda: False)
    monkeypatch.setattr(install.os, "geteuid", lambda: 1000)
    install._provide_opencl(said.append)
    assert "sudo apt-get install -y --no-install-recommends ocl-icd-libopencl1 pocl-opencl-icd" in said[0]
