"""What C code writes to stderr while a run works is kept, whatever becomes of the process; Python's own lines are not in it."""

import subprocess
import sys
import textwrap

import pytest

WORK = """
import os, sys
from pathlib import Path
from playmill.core.native_output import native_output_in

path = Path(sys.argv[1])
with native_output_in(path):
    print("a line of Python", file=sys.stderr)
    os.write(2, b"a line of C\\n")
    os.system("echo a line of a child >&2")
    {end}
print("the end", file=sys.stderr)
"""
NATIVE = "a line of C\na line of a child\n"


def run(path, end="pass"):
    code = textwrap.dedent(WORK).format(end=end)
    return subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)


def test_it_is_in_the_file_and_shown_afterwards(tmp_path):
    path = tmp_path / "logs" / "native.log"
    done = run(path)
    assert (done.returncode, done.stderr) == (0, f"a line of Python\n{NATIVE}the end\n")
    assert path.read_text() == NATIVE
    assert run(path).stderr == done.stderr  # only what is new is shown
    assert path.read_text() == 2 * NATIVE


@pytest.mark.parametrize(("end", "code"), [("os.abort()", -6), ("os._exit(3)", 3)])
def test_it_is_there_after_a_crash(tmp_path, end, code):
    path = tmp_path / "native.log"
    done = run(path, end)
    assert (done.returncode, done.stderr) == (code, "a line of Python\n")
    assert path.read_text() == NATIVE


def test_an_error_of_python_ends_it_and_is_told_as_ever(tmp_path):
    done = run(tmp_path / "native.log", "raise ValueError('no')")
    assert done.stderr.startswith(f"a line of Python\n{NATIVE}Traceback")
    assert "ValueError: no" in done.stderr


def test_ctrl_c_is_told_to_the_user_not_to_the_file(tmp_path):
    path = tmp_path / "native.log"
    done = run(path, "from playmill.core import leaving; leaving.leave(130)")
    assert (done.returncode, done.stderr) == (130, "a line of Python\nplaymill: interrupted\n")
    assert path.read_text() == NATIVE


def test_a_file_that_stays_empty_goes_and_a_disk_that_refuses_is_no_matter(tmp_path):
    from playmill.core.native_output import native_output_in

    with native_output_in(tmp_path / "native.log"):
        assert (tmp_path / "native.log").exists()
    assert not (tmp_path / "native.log").exists()
    (tmp_path / "file").touch()
    with native_output_in(tmp_path / "file" / "native.log"):
        pass
