"""A disk that refuses becomes one line; what stood there before stands there still."""

import errno
import os
import resource
import signal
import subprocess
import sys

import pytest
import torch

from full_disk import PAGE, small_disk
from playmill.core.disk import DiskError, refusal_line, writing
from playmill.core.events import EventLog, read_events
from playmill.core.files import atomic_write, atomic_writer


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk", "1m") as disk:
        yield disk


def test_a_file_on_a_full_disk_keeps_its_old_content(disk):
    path = disk.path / "kept.txt"
    atomic_write(path, "old")
    disk.fill(spare=2 * PAGE)
    with pytest.raises(DiskError) as caught:
        atomic_write(path, b"x" * 10 * PAGE)
    line = str(caught.value)
    assert line.startswith(f"{path}: can't be written (No space left on device, ")
    assert line.endswith(" KiB free there); free some space and run the same command again")
    assert path.read_text() == "old"
    assert not list(disk.path.glob(".*"))


@pytest.mark.parametrize("pages", range(0, 60, 7))
def test_torchs_own_error_for_a_full_disk_is_seen_through(disk, pages):
    disk.fill(spare=pages * PAGE)
    with pytest.raises(DiskError, match="No space left on device"), atomic_writer(disk.path / "net.pt") as file:
        torch.save({str(i): torch.zeros(9000) for i in range(8)}, file)
    assert os.listdir(disk.path) == ["ballast"]


def test_an_event_that_does_not_fit_leaves_no_half_line(disk):
    path = disk.path / "log"
    with EventLog(path) as log:
        log.write("first")
        disk.fill()
        with pytest.raises(DiskError, match="log: can't be written"):
            log.write("second", text="x" * 3 * PAGE)
        disk.free()
        log.write("third")
    assert [event["event"] for event in read_events(path)] == ["first", "third"]


def test_a_limit_on_file_sizes_is_named(tmp_path):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (PAGE, PAGE))

    code = "import sys, pathlib, playmill.core.files as f; f.atomic_write(pathlib.Path(sys.argv[1]), bytes(99999))"
    command = [sys.executable, "-c", code, str(tmp_path / "x")]
    ended = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True)
    assert "DiskError" in ended.stderr
    assert "(File too large, " in ended.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "way_out"), [(errno.EDQUOT, "raise the quota"), (errno.EROFS, "make the disk writable"), (errno.EIO, "sound")]
)
def test_each_refusal_has_its_way_out(tmp_path, number, way_out):
    line = refusal_line(OSError(number, "whatever"), tmp_path / "not" / "made" / "yet")
    assert os.strerror(number) in line
    assert way_out in line


def test_other_errors_pass(tmp_path):
    with pytest.raises(FileNotFoundError), writing(tmp_path):
        (tmp_path / "missing").read_text()


@pytest.mark.jit
def test_compiled_code_that_can_not_be_kept_costs_a_warning(disk, tmp_path):
    (tmp_path / "full.py").write_text("from playmill.core.jit import kernel\n@kernel\ndef double(n):\n    return 2 * n\n")
    disk.fill(spare=PAGE)
    code = "import full; print(full.double(21))"
    variables = {
        **os.environ,
        "PLAYMILL_CACHE_DIR": str(disk.path),
        "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{tmp_path}",
    }
    ended = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    assert ended.stdout == "42\n"
    assert ended.stderr.count("\n") == 1
    assert "warning: compiled code can't be kept (No space left on device in " in ended.stderr
