"""Fetching ahead changes nothing."""

import numpy as np
import pytest

from playmill.core.jit import kernel
from playmill.search.memory import prefetch
from playmill.search.trees import EDGE


@kernel
def fetch(array, count):
    prefetch(array, count)


@pytest.mark.parametrize("dtype", [np.int32, EDGE])
def test_fetching_ahead_changes_nothing(dtype):
    array = np.frombuffer(bytearray(range(256)) * 8, dtype).copy()
    before = array.tobytes()
    for count in (0, 1, array.size):
        fetch(array, count)
    assert array.tobytes() == before
