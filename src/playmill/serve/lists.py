"""Lists of logits, one for each row: what a search asks for, and the answers, told without room for the longest list.

A list is pairs of logits, and an answer the sum of its pair; `ends` [n] is how many there are up to the end of each row.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.evaluation import ALONE, LIST_END
from playmill.core.jit import kernel


@kernel
def list_length(pairs):
    """Of a row of int32 pairs [actions, 2], as a search writes them."""
    for i in range(len(pairs)):
        if pairs[i, 1] == LIST_END:
            return i
    return len(pairs)


@kernel
def find_list_ends(asked, ends):
    """Fill `ends` for the rows of int32 `asked` [n, actions, 2]; return the last one."""
    end = 0
    for row in range(len(asked)):
        end += list_length(asked[row])
        ends[row] = end
    return end


@kernel
def take_pairs(asked, pairs):
    """Fill int32 `pairs` [ends[-1], 2] with all lists, one after the other."""
    at = 0
    for row in range(len(asked)):
        for i in range(list_length(asked[row])):
            pairs[at, 0], pairs[at, 1] = asked[row, i, 0], asked[row, i, 1]
            at += 1


@kernel
def put_answers(answers, asked, logits):
    """Fill `logits` [n, actions] with the answers to all lists, as far as each list goes; return how many are due."""
    at = 0
    for row in range(len(asked)):
        for i in range(list_length(asked[row])):
            if at < answers.size:
                logits[row, i] = answers[at]
            at += 1
    return at


@kernel
def settle_pairs(ends, pairs, actions, logits, none):
    """Put ALONE where a second logit is `none`; return whether these are lists of at most `actions` pairs of logits."""
    before = 0
    for row in range(len(ends)):
        if not before <= ends[row] <= before + actions:
            return False
        before = ends[row]
    if before != len(pairs):
        return False
    for i in range(len(pairs)):
        if pairs[i, 1] == none:
            pairs[i, 1] = ALONE
        if not (0 <= pairs[i, 0] < logits and ALONE <= pairs[i, 1] < logits):
            return False
    return True


@kernel
def sum_pairs(logits, ends, first, pairs, answers):
    """Fill `answers`, those of the rows of `logits` [n, logits], whose lists begin at `first` of `pairs`."""
    at = first
    for row in range(len(ends)):
        while at < ends[row]:
            one, two = pairs[at, 0], pairs[at, 1]
            answers[at - first] = logits[row, one] + (logits[row, two] if two >= 0 else np.float32(0))
            at += 1


@kernel
def put_pairs(ends, first, pairs, asked):
    """Write the lists, which begin at `first` of `pairs`, to the rows of `asked` [n, actions, 2]."""
    at = first
    for row in range(len(ends)):
        begin = at
        while at < ends[row]:
            asked[row, at - begin, 0], asked[row, at - begin, 1] = pairs[at, 0], pairs[at, 1]
            at += 1


@kernel
def take_answers(logits, ends, first, answers):
    """Fill `answers` with what stands in the rows of `logits` [n, actions] for lists that begin at `first`."""
    at = first
    for row in range(len(ends)):
        begin = at
        while at < ends[row]:
            answers[at - first] = logits[row, at - begin]
            at += 1
