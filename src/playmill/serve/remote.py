"""A network that answers elsewhere: the evaluator that stands for it here.

Answers have the same bits as those of the same network in this process: rows travel unchanged, and an evaluator's answers don't
depend on who else is in the batch. So whatever is played with it has the same bytes.
"""

from __future__ import annotations

import sys
import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill.core.errors import PlaymillError, UsageError
from playmill.core.evaluation import POLICY, Array, EvalBuffer, Shaped
from playmill.nets.net_evaluator import BufferedEvaluator, NetShape
from playmill.serve.card import ModelCard
from playmill.serve.control import RELOAD, STATUS, ask, load_key
from playmill.serve.endpoint import Wanted
from playmill.serve.keys import KeyFile
from playmill.serve.link import Link, LinkTally
from playmill.serve.packing import gathers, most_asked_bytes, most_row_bytes, packing_room, written_type
from playmill.serve.protocol import MAX_FRAME_BYTES
from playmill.serve.reloading import OnReload, told_reload
from playmill.serve.settings import InferSettings


@dataclass
class RemoteBuffer(EvalBuffer):
    """Ordinary arrays; what they hold is packed when it is sent."""

    card: ModelCard
    actions: int
    weights: int
    most_rows: int  # that a message can hold
    room: Array  # uint8 [rows, bytes]: what is sent of each row, until all are answered
    parts_out: int = 0
    answered_by: list[tuple[int, int]] = field(default_factory=list)  # generation and weights of each part's answer

    @classmethod
    def make(cls, card: ModelCard, rows: int, actions: int, weights: int) -> RemoteBuffer:
        asked = most_asked_bytes(actions, card.logits)
        widest = max(most_row_bytes(card.features, card.travel), asked, 4 * card.logits, 4 * card.columns)
        return cls(
            features=np.zeros((rows, card.features), written_type(card.travel)),
            asked=np.zeros((rows, actions, 2), np.int32),
            logits=np.zeros((rows, actions or card.logits), np.float32),
            values=np.zeros((rows, card.columns), np.float32),
            head=np.zeros((rows, 1), np.float32),
            card=card,
            actions=actions,
            weights=weights,
            most_rows=max(MAX_FRAME_BYTES // widest, 1),
            room=packing_room(rows, card.features, card.travel),
        )


class RemoteEvaluator(BufferedEvaluator):
    """Asks servers. `card` says what the model is; with `follows` whatever generation is there answers."""

    def __init__(
        self,
        card: ModelCard,
        settings: InferSettings,
        follows: bool = False,
        tally: LinkTally | None = None,
        keys: KeyFile | None = None,
    ) -> None:
        super().__init__(NetShape(card.features, card.logits, card.heads, card.travel, card.players))
        self.card, self.settings, self.follows = card, settings, follows
        self.backend, self.pass_rows, self.in_turn = card.backend, card.pass_rows, settings.in_turn
        self.tally, self._keys = tally or LinkTally(), keys or load_key(settings.key)
        self._link: Link | None = None

    def clone(self) -> RemoteEvaluator:
        return RemoteEvaluator(self.card, self.settings, self.follows, self.tally, self._keys)

    def __reduce__(self) -> tuple[type[RemoteEvaluator], tuple[Any, ...]]:
        """The keys travel with it: a worker of a cluster may have no such file. What it has asked stays here."""
        return RemoteEvaluator, (self.card, self.settings, self.follows, None, self._keys)

    def close(self) -> None:
        """Leave the servers; the next question connects again."""
        if self._link is not None:
            self._link = None
            self._leave()

    def open_buffer(self, shape: Shaped, rows: int) -> RemoteBuffer:
        actions = shape.max_legal if gathers(shape.max_legal, self.logits) else 0
        return RemoteBuffer.make(self.card, rows, actions, 0 if self.follows else self.card.weights)

    def submit(self, buffer: EvalBuffer, rows: int, what: str = POLICY) -> bool:
        assert isinstance(buffer, RemoteBuffer)
        buffer.answered_by.clear()
        self._connected().submit(buffer, rows, what)
        return False

    def collect(self, buffer: EvalBuffer) -> None:
        assert isinstance(buffer, RemoteBuffer)
        self._connected().collect(buffer)

    def _connected(self) -> Link:
        if self._link is None:
            card, settings = self.card, self.settings
            by = {"name": card.name} if self.follows else {"weights_sha256": card.weights_sha256, "backend": card.backend}
            wanted = Wanted(**by, game=card.game)
            self._link = Link(settings.endpoints, self._keys, wanted, settings, self.tally)
            # Not `__del__`: of garbage that refers to itself the sockets may be closed first, in an order that ZeroMQ hangs in.
            self._leave = weakref.finalize(self, self._link.close)
            self._leave.atexit = False
        return self._link

    def _own_buffer(self) -> RemoteBuffer:
        return RemoteBuffer.make(self.card, self.chunk, 0, 0 if self.follows else self.card.weights)


# ------------------------------------------------------------------ opening


def open_remote(
    settings: InferSettings, wanted: Wanted, shape: NetShape | None = None, on_reload: OnReload | None = None
) -> RemoteEvaluator:
    """An evaluator of the wanted model at the servers that have it; one that lacks it is asked to look at its files again.

    By name it follows reloads; `shape` is for a dummy, which has none of its own.
    """
    keys = load_key(settings.key)
    seconds = min(settings.timeout_s, settings.give_up_s)
    found: dict[str, ModelCard] = {}
    troubles: dict[str, str] = {}
    for address in settings.endpoints:
        try:
            found[address] = _find(address, wanted, keys, seconds, on_reload)
        except UsageError:
            raise
        except PlaymillError as error:
            troubles[address] = str(error)
    if not found:
        raise PlaymillError("; ".join(troubles.values()) or "infer: no address of a server is given")
    for line in troubles.values():
        print(f"playmill: warning: {line}; it is left out until it is there", file=sys.stderr)
    return RemoteEvaluator(_only(found, shape), settings, follows=bool(wanted.name))


def _find(address: str, wanted: Wanted, keys: Any, seconds: float, on_reload: OnReload | None) -> ModelCard:
    """The wanted model's card."""
    card = _wanted_card(address, wanted, ask(address, STATUS, keys, seconds))
    if card is not None:
        return card
    with told_reload(on_reload, address, wanted.weights_sha256 or wanted.name):
        answer = ask(address, RELOAD, keys, seconds)
        if (card := _wanted_card(address, wanted, answer)) is not None:
            return card
        has = ", ".join(f"{card.name} {_described(card)}" for card in _cards(answer)) or "no model"
        raise PlaymillError(
            f"{address}: does not serve {wanted}, only {has}; start it with `--model best=FILE.pt` of the same file and backend"
        )


def _wanted_card(address: str, wanted: Wanted, status: dict[str, Any]) -> ModelCard | None:
    try:
        return wanted.find(_cards(status))
    except UsageError as error:
        raise UsageError(f"{address}: {error}") from None


def _cards(status: dict[str, Any]) -> list[ModelCard]:
    return [ModelCard.model_validate(card) for card in status["models"]]


def _described(card: ModelCard) -> str:
    return f"{card.weights_sha256[:8]} of {card.game} ({card.backend})" if card.game else f"({card.backend})"


def _only(found: dict[str, ModelCard], shape: NetShape | None) -> ModelCard:
    """The model that all servers have; they must not differ in anything that an answer's bits depend on."""
    cards = [card.model_copy(update={"id": 0, "generation": 0, "path": None}) for card in found.values()]
    same = {(card.weights_sha256, card.backend, card.pass_rows, card.travel) for card in cards}
    if len(same) > 1:
        told = "; ".join(f"{address}: {card.backend}, {card.pass_rows} rows a pass" for address, card in found.items())
        raise PlaymillError(f"the servers would not answer alike: {told}; start them with the same device and backend")
    card = cards[0]
    if card.game or shape is None:
        return card
    sizes = {"features": shape.features, "logits": shape.logits, "heads": shape.heads, "players": shape.players}
    return card.model_copy(update={**sizes, "columns": shape.columns, "travel": shape.feature_type})
