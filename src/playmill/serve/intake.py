"""Whether a request can be answered: what it asks for must be what the model was made for, to the byte."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.evaluation import Array
from playmill.serve.card import ModelCard
from playmill.serve.models import ModelTable
from playmill.serve.packing import AskedLists, Malformed, read_features
from playmill.serve.protocol import MAX_FRAME_BYTES, Frames, Header, ProtocolError, Reason, what_name
from playmill.serve.queues import ClientId, RowsJob, SentRows

FLOAT_BYTES = 4


def make_job(client: ClientId, header: Header, payload: Frames, table: ModelTable, now: float) -> RowsJob:
    """The job that a request is, with room for its answer."""
    generation = table.find(header.model)
    if generation is None:
        known = ", ".join(f"{card.id} {card.name}" for card in (model.card for model in table.models) if card.generation)
        line = f"model {header.model}: there is none, or it has no network yet; there are {known or 'none'}"
        raise ProtocolError(Reason.MODEL, line, header.request)
    card = generation.card
    if header.weights and header.weights != card.weights:
        line = f"model {card.name}: asked for weights {header.weights:016x}, has {card.weights:016x} now"
        raise ProtocolError(Reason.WEIGHTS, f"{line} (generation {card.generation})", header.request)
    _check(header, card)
    sent = _read(header, payload, card)
    return RowsJob(client, header, sent, generation, *_room(header, sent, card), now)


def _check(header: Header, card: ModelCard) -> None:
    """Refuse a request that is not for this model."""
    if card.game and header.rules != card.rules:
        line = (
            f"model {card.name} is a network of {card.game} ({card.ruleset}, {card.action_space}); the rows are of another game"
        )
        raise ProtocolError(Reason.GAME, f"{line}, or of another ruleset", header.request)
    found = header.edition, header.features, header.logits, header.columns
    expected = card.feature_schema, card.features, card.logits, card.columns
    if card.game and found != expected:
        name, wanted, got = next(differ for differ in zip(_WORDS, expected, found, strict=True) if differ[1] != differ[2])
        line = f"model {card.name} of {card.game}: {name}: expected {wanted}, got {got}"
        raise ProtocolError(Reason.GAME, line, header.request)
    if header.actions > header.logits or what_name(header.what, card.heads or _ANY_HEADS) is None or header.rows == 0:
        line = f"rows {header.rows}, actions {header.actions}, what {header.what}: model {card.name} has no answer to that"
        raise ProtocolError(Reason.MALFORMED, line, header.request)


_WORDS = "feature schema", "features", "logits", "columns"
_ANY_HEADS = ("",) * 254


def _read(header: Header, payload: Frames, card: ModelCard) -> SentRows:
    """What was sent. A dummy doesn't know how features travel, and doesn't look at them."""
    count = 2 if header.actions else 1
    if len(payload) != count:
        line = f"model {card.name}: {header.rows} rows: expected {count} frames behind the header, got {len(payload)}"
        raise ProtocolError(Reason.GAME, line, header.request)
    try:
        features = read_features(payload[0], header.rows, header.features, card.travel) if card.game else None
        asked = AskedLists.read(payload[1], header.rows, header.actions, header.logits) if header.actions else None
    except Malformed as error:
        raise ProtocolError(Reason.GAME, f"model {card.name}: {error}", header.request) from None
    return SentRows(features, asked)


def _room(header: Header, sent: SentRows, card: ModelCard) -> tuple[Array, Array]:
    """Memory for the answer: logits, of each row or to all lists, and values."""
    logits: tuple[int, ...] = (header.rows, header.logits)
    if sent.asked is not None:
        logits = (sent.asked.count,)
    if header.what:
        logits = (header.rows, 0)
    values = header.rows, header.columns if header.what < 2 else 1
    floats = math.prod(logits) + values[0] * values[1]
    if FLOAT_BYTES * floats > MAX_FRAME_BYTES:
        line = f"model {card.name}: {header.rows} rows: their answer takes {FLOAT_BYTES * floats:,} bytes; ask for fewer"
        raise ProtocolError(Reason.GAME, line, header.request)
    return np.empty(logits, np.float32), np.empty(values, np.float32)
