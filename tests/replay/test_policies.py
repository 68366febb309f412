"""How sure the stored policies are, against a plain loop."""

import math

import numpy as np
import pytest
from safetensors.numpy import save_file

from playmill.replay.policies import policy_facts


def write(path, policies):
    offsets = np.cumsum([0, *map(len, policies)]).astype(np.int32)
    probs = np.array([p for policy in policies for p in policy], np.float32)
    save_file({"policy_offset": offsets, "policy_prob": probs}, path)
    return path


def test_means_are_over_all_policies_and_rows_without_one_do_not_count(tmp_path):
    shards = [[[0.5, 0.5], [], [1.0]], [[], [0.25, 0.75, 0.0], []]]
    paths = [write(tmp_path / f"{i}.safetensors", policies) for i, policies in enumerate(shards)]
    rows = [row for policies in shards for row in policies if row]
    entropies = [-sum(p * math.log(p) for p in row if p > 0) for row in rows]
    assert policy_facts(paths) == (pytest.approx(np.mean(entropies)), pytest.approx(np.mean([max(row) for row in rows])))


def test_no_policies_have_no_mean(tmp_path):
    assert policy_facts([]) == (None, None)
    assert policy_facts([write(tmp_path / "0.safetensors", [[], []])]) == (None, None)
