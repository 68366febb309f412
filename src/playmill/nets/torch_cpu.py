"""PyTorch on the CPU: the reference, and what is left where ONNX Runtime is not installed."""

from __future__ import annotations

import threading

import torch

from playmill.nets.model import Net
from playmill.nets.net_evaluator import Array, NetEvaluator, NetShape

GRANULE = 16  # odd numbers of rows take other code paths, whose sums differ in the last bit; multiples of this don't
_threads = threading.local()


class TorchEvaluator(NetEvaluator):
    """Answers by the module itself, over a copy of the rows that is padded to a multiple of GRANULE."""

    def __init__(self, shape: NetShape, net: Net, backend: str) -> None:
        super().__init__(shape)
        self.backend = backend
        self._net = net
        self._rows = torch.zeros(self.chunk, shape.features)
        self._rows_numpy = self._rows.numpy()

    def clone(self) -> TorchEvaluator:
        """Shares the weights, which nobody changes."""
        return TorchEvaluator(self.shape, self._net, self.backend)

    def __reduce__(self) -> tuple[type[TorchEvaluator], tuple[NetShape, Net, str]]:
        return TorchEvaluator, (self.shape, self._net, self.backend)

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        count = len(features)
        with torch.inference_mode():
            answers = self._net(self._padded(features))
        logits[:] = answers[0][:count].numpy()
        values[:] = answers[1][:count].numpy()

    def _fill_values(self, features: Array, values: Array) -> None:
        with torch.inference_mode():
            values[:] = self._net.answer_values(self._padded(features))[: len(features)].numpy()

    def _padded(self, features: Array) -> torch.Tensor:
        """The rows in aligned memory of our own; what stands behind them changes no other row."""
        _use_one_thread()
        count = len(features)
        self._rows_numpy[:count] = features
        return self._rows[: -(-count // GRANULE) * GRANULE]


def _use_one_thread() -> None:
    """Keep torch inside the calling thread, once for each; a trainer in another thread sets its own number."""
    if not getattr(_threads, "is_set", False):
        torch.set_num_threads(1)
        _threads.is_set = True


def narrowed(net: Net, on_gpu: bool = False) -> Net:
    """The same network with bf16 where low precision may be; it is changed in place."""
    for name in net.narrow_layers(on_gpu):
        net.get_submodule(name).to(torch.bfloat16)
    return net
