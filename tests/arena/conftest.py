"""What the arena's tests share."""

import pytest

from playmill.core.jit import IS_COMPILED
from playmill.games.yatzy.oracle import Oracle
from playmill.packs.registry import find_pack

find_pack("yatzy")  # brings its search


@pytest.fixture(scope="session")
def oracle():
    if not IS_COMPILED:
        pytest.skip("solving every board takes hours without compiled kernels")
    return Oracle.load(2)
