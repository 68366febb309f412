"""Arrays and records inside kernels, by way of their addresses: what Numba would do with more care than a search can afford.

Numba counts a reference wherever a kernel takes an array out of a tuple or a row out of an array, by a locked instruction
each time. Python holds the arrays for as long as a kernel runs, so nobody need count: tree work alone is some 10 % faster.
An array inside a record is taken out and counted in the same way, so entries of a node's evaluation are reached by address.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

LINE = 64  # bytes that a processor fetches at once
READ, KEEP, DATA = 0, 3, 1  # as LLVM numbers them: what for, how near, of what


@intrinsic
def _without_owner(typing_context: Any, array: Any) -> Any:
    """The array with nothing to count references in."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(array)(context, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), build


@intrinsic
def _load_evaluation(typing_context: Any, node: Any, player: Any) -> Any:
    """One entry of a node's evaluation."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_entry(context, builder, node, *args))

    return types.float32(node, types.int64), build


@intrinsic
def _store_evaluation(typing_context: Any, node: Any, player: Any, value: Any) -> Any:
    """Change one entry of a node's evaluation."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _entry(context, builder, node, *args[:2]))
        return context.get_dummy_value()

    return types.void(node, types.int64, types.float32), build


def _entry(context: Any, builder: Any, node: Any, record: Any, player: Any) -> Any:
    """Where it stands in memory."""
    first = cgutils.get_record_member(builder, record, node.offset("evaluation"), context.get_data_type(types.float32))
    return builder.gep(first, [player])


def evaluation(node: Any, player: int) -> Any:
    """What a node's own state is worth to a player, float32: `node.evaluation[player]` without an array in between."""
    return node.evaluation[player]


@overload(evaluation)
def _evaluation(node, player):  # type: ignore[no-untyped-def]
    return lambda node, player: _load_evaluation(node, player)  # type: ignore[call-arg]


def set_evaluation(node: Any, player: int, value: float) -> None:
    """Change what a node's own state is worth to a player."""
    node.evaluation[player] = value


@overload(set_evaluation)
def _set_evaluation(node, player, value):  # type: ignore[no-untyped-def]
    return lambda node, player, value: _store_evaluation(node, player, np.float32(value))  # type: ignore[call-arg]


def unowned(array: Any) -> Any:
    """The same array, for use inside this call only; in plain Python the array itself."""
    return array


@overload(unowned)
def _unowned(array):  # type: ignore[no-untyped-def]  # Numba wants the signature of the lambda
    return lambda array: _without_owner(array)  # type: ignore[call-arg]


@intrinsic
def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for the line in which an element begins."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view, byte, word = context.make_array(array)(context, builder, args[0]), ir.IntType(8).as_pointer(), ir.IntType(32)
        fetch_type = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        fetch = cgutils.get_or_insert_function(builder.module, fetch_type, "llvm.prefetch.p0i8")
        place = builder.bitcast(builder.gep(view.data, [args[1]]), byte)
        builder.call(fetch, [place, word(READ), word(KEEP), word(DATA)])
        return context.get_dummy_value()

    return types.void(array, types.int64), build


def prefetch(array: Any, count: int) -> None:
    """Have the processor fetch the array's first elements while it goes on with other things; nothing changes."""


@overload(prefetch)
def _prefetch_all(array, count):  # type: ignore[no-untyped-def]
    step = max(1, LINE // (array.dtype.size if isinstance(array.dtype, types.Record) else array.dtype.bitwidth // 8))

    def fetch(array, count):  # type: ignore[no-untyped-def]
        for i in range(0, count, step):
            _prefetch(array, i)  # type: ignore[call-arg]

    return fetch
