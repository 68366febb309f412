"""The networks of a server: where each comes from, which generation is at work, and what clients are told of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playmill.core.errors import PlaymillError, UsageError
from playmill.core.evaluation import Array
from playmill.nets.checkpoint import AnyNet
from playmill.nets.families import NetFamily
from playmill.nets.int8 import int8_path
from playmill.nets.net_evaluator import NetEvaluator
from playmill.nets.pretrained import model_path
from playmill.serve.card import DUMMY, ModelCard
from playmill.serve.packing import HALVES

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

# Reads a checkpoint and finds its family; the pack of its game may have to be loaded first.
ReadNetwork = Callable[[Path], tuple[AnyNet, NetFamily]]


@dataclass(frozen=True)
class ModelSource:
    """Where a model's networks come from: a file that may change, or nothing but a value."""

    name: str
    path: Path | None = None
    value: float = 0.0

    @classmethod
    def parse(cls, text: str) -> ModelSource:
        """Of `NAME=FILE.pt`, `NAME=dummy` or `NAME=dummy:VALUE`."""
        name, equals, source = text.partition("=")
        if not equals or not source or not NAME.fullmatch(name):
            raise UsageError(f"--model: expected NAME=FILE.pt or NAME=dummy[:VALUE], got '{text}'")
        kind, _, value = source.partition(":")
        if kind != DUMMY:
            return cls(name, model_path(source).absolute())
        try:
            return cls(name, value=float(value or 0))
        except ValueError:
            raise UsageError(f"--model {name}: expected dummy or dummy:VALUE with a number, got '{source}'") from None


@dataclass(eq=False)
class Generation:
    """One network at work under a model's name. It stays until the last row that came to it is answered."""

    card: ModelCard
    evaluator: NetEvaluator | None  # None: a dummy
    value: float = 0.0
    fingerprint: str = ""  # of all that its answers depend on
    open_jobs: int = 0
    is_retired: bool = False

    @property
    def is_done(self) -> bool:
        return self.is_retired and self.open_jobs == 0

    def fill_dummy(self, logits: Array, values: Array) -> None:
        """Every action alike, every position worth the same."""
        logits[:], values[:] = 0, self.value


@dataclass(eq=False)
class ServedModel:
    """A name, and the generation that new rows go to."""

    id: int
    source: ModelSource
    current: Generation | None = None
    loads: int = field(default=0)

    @property
    def card(self) -> ModelCard:
        path = None if self.source.path is None else str(self.source.path)
        return self.current.card if self.current is not None else ModelCard(id=self.id, name=self.source.name, path=path)

    @property
    def is_awaited(self) -> bool:
        """Whether its first file has still to come."""
        return self.current is None and self.source.path is not None and not self.source.path.exists()

    def swap(self, generation: Generation) -> None:
        """Have new rows go to the generation."""
        if self.current is not None:
            self.current.is_retired = True
        self.current = generation


@dataclass(frozen=True)
class Loading:
    """How networks are opened here."""

    read: ReadNetwork
    backend: str = "auto"
    device: str = "cpu"
    max_batch: int = 1024

    def load(self, model: ServedModel) -> Generation | None:
        """The next generation of a model, from its file as it is now; None if that is what the current one was made of."""
        source, number = model.source, model.loads + 1
        if source.path is None:
            card = ModelCard(id=model.id, name=source.name, generation=number)
            return Generation(card, None, source.value) if model.current is None else None
        checkpoint, family = self.read(source.path)
        mark = fingerprint(checkpoint)
        if model.current is not None and model.current.fingerprint == mark:
            return None
        evaluator = family.open(checkpoint, self.backend, self.device, self.max_batch)
        card = _card(model.id, source, number, checkpoint.meta.weights_sha256, family, evaluator)
        return Generation(card, evaluator, 0.0, mark)


def fingerprint(checkpoint: AnyNet) -> str:
    """Of the weights, and of the int8 model beside them if there is one."""
    int8 = None if checkpoint.path is None else int8_path(checkpoint.path)
    beside = hashlib.sha256(int8.read_bytes()).hexdigest() if int8 is not None and int8.exists() else ""
    return f"{checkpoint.meta.weights_sha256} {beside}"


def _card(
    model_id: int, source: ModelSource, number: int, weights: str, family: NetFamily, evaluator: NetEvaluator
) -> ModelCard:
    is_halved = evaluator.shape.feature_type == HALVES
    return ModelCard(
        id=model_id,
        name=source.name,
        generation=number,
        path=str(source.path),
        game=family.game,
        ruleset=family.ruleset,
        action_space=family.action_space,
        feature_schema=family.feature_schema,
        travel=HALVES if is_halved else family.feature_type,
        features=evaluator.features,
        logits=evaluator.logits,
        columns=evaluator.columns,
        max_legal=family.max_legal,
        players=family.players,
        heads=evaluator.heads,
        backend=evaluator.backend,
        pass_rows=evaluator.pass_rows,
        weights_sha256=weights,
    )


class ModelTable:
    """The models by name and by number. The names that a server starts with stay; a run's own server is given more."""

    def __init__(self, loading: Loading) -> None:
        self.loading = loading
        self.models: list[ServedModel] = []

    def add(self, source: ModelSource) -> ServedModel:
        """Find or make the model of this name, from now on made of this source."""
        for model in self.models:
            if model.source.name == source.name:
                model.source = source
                return model
        self.models.append(ServedModel(len(self.models), source))
        return self.models[-1]

    def find(self, number: int) -> Generation | None:
        """The generation that answers for a model now."""
        return self.models[number].current if number < len(self.models) else None

    def named(self, names: list[str] | None) -> list[ServedModel]:
        """The models of these names; for None all but those whose first file has still to come."""
        known = {model.source.name: model for model in self.models}
        if names is None:
            return [model for model in self.models if not model.is_awaited]
        for name in names:
            if name not in known:
                raise PlaymillError(f"unknown model '{name}'; there are {', '.join(known) or 'none'}")
        return [known[name] for name in names]

    def prepare(self, models: list[ServedModel]) -> list[tuple[ServedModel, Generation]]:
        """New generations of those models whose files changed; nothing is swapped yet, and a file that fails swaps none."""
        found = []
        for model in models:
            if (generation := self.loading.load(model)) is not None:
                model.loads += 1
                found.append((model, generation))
        return found
