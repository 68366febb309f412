"""What the tests of Yatzy's pack share."""

from arena.conftest import oracle as oracle
