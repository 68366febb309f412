"""Files are whole or not there, also when the writer is killed; the cache folder is always usable."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from playmill.core.disk import DiskError
from playmill.core.errors import UsageError
from playmill.core.files import atomic_write, atomic_writer, claim_output
from waiting import wait_for

# Rewrites one file with a megabyte of 'a' or of 'b', as fast as it can.
REWRITE_FOREVER = """
import sys
from pathlib import Path
from playmill.core.files import atomic_write
for letter in "ab" * 1_000_000:
    atomic_write(Path(sys.argv[1]), letter * (1 << 20))
"""


def test_a_file_is_replaced_by_text_or_bytes(tmp_path):
    path = tmp_path / "made" / "on" / "the" / "way.txt"
    atomic_write(path, "größer")
    assert path.read_text("utf-8") == "größer"
    atomic_write(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert os.listdir(path.parent) == ["way.txt"]


def test_a_writer_that_fails_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "kept.txt"
    atomic_write(path, "old")
    with pytest.raises(TypeError), atomic_writer(path) as file:
        file.writelines([b"half of the new", None])
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["kept.txt"]


def test_a_file_may_be_read_by_whoever_may_read_files_here(tmp_path):
    (tmp_path / "plain").write_text("as usual")
    atomic_write(tmp_path / "atomic", "as usual")
    assert (tmp_path / "atomic").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("delay_s", [0.0, 0.02, 0.05])
def test_a_killed_writer_leaves_a_whole_file(tmp_path, delay_s):
    path = tmp_path / "whole.txt"
    writer = subprocess.Popen([sys.executable, "-c", REWRITE_FOREVER, str(path)])
    wait_for(path.exists)
    time.sleep(delay_s)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert path.read_bytes() in (b"a" * (1 << 20), b"b" * (1 << 20))


# ------------------------------------------------------------------ the cache folder


def cache_folder_in(cache_dir, **environment):
    """Ask a fresh process for a cache folder; return (folder, what it said on stderr)."""
    code = "from playmill.core.files import cache_folder; print(cache_folder('things')); print(cache_folder('things'))"
    variables = {**os.environ, "PLAYMILL_CACHE_DIR": str(cache_dir), **environment}
    ended = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    first, second = ended.stdout.split()
    assert first == second
    return first, ended.stderr


def test_the_cache_folder_is_where_the_variable_says(tmp_path):
    folder, said = cache_folder_in(tmp_path / "new" / "cache")
    assert folder == str(tmp_path / "new" / "cache" / "things")
    assert os.path.isdir(folder)
    assert said == ""


def test_without_the_variable_it_is_the_users_own(tmp_path):
    folder, said = cache_folder_in("", XDG_CACHE_HOME=str(tmp_path), HOME=str(tmp_path), LOCALAPPDATA=str(tmp_path))
    assert folder.startswith(str(tmp_path))
    assert said == ""


def test_a_cache_folder_that_can_not_be_used_is_replaced_with_a_warning(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    folder, said = cache_folder_in(blocked / "cache", TMPDIR=str(tmp_path))
    assert os.path.basename(os.path.dirname(folder)).startswith("playmill-cache-")
    assert said.count("\n") == 1
    assert f"warning: cache folder {blocked / 'cache'} can't be used (Not a directory)" in said
    assert "Set PLAYMILL_CACHE_DIR to a folder you can write." in said


def test_a_cache_folder_for_want_of_a_better_one_is_removed_at_the_end(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    folder, _ = cache_folder_in(tmp_path / "file" / "cache", TMPDIR=str(tmp_path))
    assert not os.path.exists(os.path.dirname(folder))
    assert os.listdir(tmp_path) == ["file"]


# ------------------------------------------------------------------ a user's file


@pytest.mark.parametrize("force", [False, True])
def test_an_input_is_never_an_output(tmp_path, force):
    source = tmp_path / "games.jsonl"
    source.write_text("precious")
    (tmp_path / "link").symlink_to(source)
    os.link(source, tmp_path / "other_name")
    for name in ("games.jsonl", "link", "other_name"):
        with pytest.raises(UsageError, match="reads this file"):
            claim_output(tmp_path / name, force, [source])


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path):
    path = tmp_path / "trained.pt"
    path.write_text("precious")
    with pytest.raises(UsageError, match=r"there is a file already; .* --force"):
        claim_output(path)
    assert claim_output(path, force=True) == path
    assert path.read_text() == "precious"


def test_a_place_that_can_not_be_written_is_refused_before_the_work(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DiskError, match="can't be written"):
        claim_output(tmp_path / "file" / "result.json")
    with pytest.raises(DiskError, match="can't be written"):
        claim_output(Path("/proc/nothing/result.json"))
    with pytest.raises(UsageError, match="got a folder"):
        claim_output(tmp_path)


def test_asking_for_a_place_leaves_nothing_there(tmp_path):
    assert claim_output(tmp_path / "new" / "folder" / "result.json").parent.parent.parent == tmp_path
    assert os.listdir(tmp_path) == []
