"""Folders of runs to look at."""

import shutil

import pytest


@pytest.fixture
def runs(tmp_path, smoke_run):
    """A folder with one finished run, which may be changed."""
    root = tmp_path / "runs"
    shutil.copytree(smoke_run, root / "smoke")
    return root
