"""Batches on their way to a GPU, as far as that can be seen without one."""

import numpy as np
import torch

from playmill.games.heads import target_columns
from playmill.games.yatzy.rules import YATZY
from playmill.replay import ReplayBatch
from playmill.train.feed import TORCH_DTYPES, TensorBatch, shown_by
from playmill.train.targets import HeadTargets

HEADS, TARGETS = ("win", "margin"), tuple(target_columns(YATZY))


def storage(tensor):
    return tensor.untyped_storage()._cdata


def test_an_array_that_was_made_of_a_tensor_shows_that_tensors_own_storage():
    """Torch knows by the storage which memory a GPU still fetches from; another one over the same memory would not tell."""
    for tensor in (torch.empty(3, 2), torch.empty(3, 2, dtype=torch.uint16)):
        assert storage(shown_by(tensor.numpy())) == storage(tensor) != storage(torch.from_numpy(tensor.numpy()))
    part = torch.zeros(3, 2).numpy()[:2]
    assert torch.equal(shown_by(part), torch.zeros(2, 2))


def test_a_batch_is_made_of_the_memory_of_its_room():
    made = []

    def make(shape, dtype):
        made.append(torch.zeros(shape, dtype=TORCH_DTYPES[dtype]))
        return made[-1].numpy()

    room = ReplayBatch.room(YATZY, 4, len(TARGETS), is_halved=True, make=make)
    room.halves[:] = np.uint16(0x3F80)  # 1.0
    batch = TensorBatch.of(room, HeadTargets(YATZY, HEADS, TARGETS, 0.0), keep_shape=True)
    assert {storage(tensor) for tensor in (batch.features, batch.policy, batch.bias)} <= set(map(storage, made))
    assert batch.features.dtype == torch.bfloat16
    assert (batch.features == 1).all()
