"""Records are laid out in whole words, and their fields are views, nested ones too."""

import numpy as np

from playmill.core.jit import kernel
from playmill.core.records import as_items, record_of

INNER = record_of(("flag", "i1"), ("total", "f8"), ("row", "i4", 3))
OUTER = record_of(("letter", "i1"), ("inner", INNER), ("states", INNER, 2))


@kernel
def fill(outer):
    outer.inner.total += 1.5
    outer.inner.row[1] = 7
    row = outer.states[1].row[1:]
    row[1] = 9
    return outer.inner.total


def test_every_field_begins_at_a_whole_word():
    for dtype in (INNER, OUTER):
        assert all(offset % 8 == 0 for _, offset in dtype.fields.values())
        assert dtype.itemsize % 8 == 0
    assert INNER.itemsize == 8 + 8 + 16


def test_a_kernel_writes_into_nested_fields_compiled_or_not():
    for function in (fill, getattr(fill, "py_func", fill)):
        memory = np.zeros(1, OUTER)
        assert function(memory[0]) == 1.5
        assert memory["inner"]["total"][0] == 1.5
        assert memory["inner"]["row"].tolist() == [[0, 7, 0]]
        assert memory["states"]["row"][0].tolist() == [[0, 0, 0], [0, 0, 9]]


def test_items_are_the_records_own_memory_and_plain_arrays_stay():
    records = np.zeros(3, np.dtype((np.record, [("a", "u1"), ("b", "<i4", 2)])))
    others = records.copy()
    others["b"] = [[1, 2], [3, 4], [5, 6]]
    as_items(records)[1:] = as_items(others)[1:]
    assert records["b"].tolist() == [[0, 0], [3, 4], [5, 6]]
    numbers = np.arange(3)
    assert as_items(numbers) is numbers
