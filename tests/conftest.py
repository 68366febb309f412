"""What holds for all tests."""

import pytest


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    """Whoever starts the tests may tell of a terminal's width (`make` and pytest-xdist do); no test stands in front of one."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("LINES", raising=False)
