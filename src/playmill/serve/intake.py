"""Whether a request can be answered: what it asks for must be what the model was made for, to the byte."""

from __future__ import annotations

import numpy as np

from playmill.serve.card import ModelCard
from playmill.serve.models import ModelTable
from playmill.serve.packing import asked_bytes, names_known_logits, row_bytes
from playmill.serve.protocol import MAX_FRAME_BYTES, Frames, Header, ProtocolError, Reason, what_name
from playmill.serve.queues import ClientId, RowsJob

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
    _check(header, payload, card)
    logits, values = (np.empty((header.rows, width), np.float32) for width in _answer_widths(header))
    return RowsJob(client, header, payload, generation, logits, values, now)


def _check(header: Header, payload: Frames, card: ModelCard) -> None:
    """Refuse a request that is not for this model."""
    if card.game and header.rules != card.rules:
        line = (
            f"model {card.name} is a network of {card.game} ({card.ruleset}, {card.action_space}); the rows are of another game"
        )
        raise ProtocolError(Reason.GAME, f"{line}, or of another ruleset", header.request)
    for name, expected in _expected(card).items():
        if getattr(header, name) != expected:
            line = f"model {card.name} of {card.game}: {_WORDS[name]}: expected {expected}, got {getattr(header, name)}"
            raise ProtocolError(Reason.GAME, line, header.request)
    if header.actions > header.logits or what_name(header.what, card.heads or ("",) * 254) is None or header.rows == 0:
        line = f"rows {header.rows}, actions {header.actions}, what {header.what}: model {card.name} has no answer to that"
        raise ProtocolError(Reason.MALFORMED, line, header.request)
    sizes = [row_bytes(header.features, card.travel) * header.rows]
    if header.actions:
        sizes.append(asked_bytes(header.actions, header.logits) * header.rows)
    found = [len(frame) for frame in payload]
    if not card.game:
        sizes, found = sizes[1:], found[1:]  # a dummy doesn't know how features travel, and doesn't look at them
    if found != sizes or FLOAT_BYTES * header.rows * sum(_answer_widths(header)) > MAX_FRAME_BYTES:
        line = f"model {card.name}: {header.rows} rows: expected frames of {sizes} bytes, got {found}"
        raise ProtocolError(Reason.GAME, line, header.request)
    if header.actions and card.game and not names_known_logits(payload[1], header.logits):
        raise ProtocolError(Reason.MALFORMED, f"asked: model {card.name} has only {header.logits} logits", header.request)


_WORDS = {
    "edition": "feature schema",
    "features": "features",
    "logits": "logits",
    "columns": "columns",
}


def _expected(card: ModelCard) -> dict[str, int]:
    if not card.game:
        return {}
    return {"edition": card.feature_schema, "features": card.features, "logits": card.logits, "columns": card.columns}


def _answer_widths(header: Header) -> tuple[int, int]:
    """Logits and columns of an answer."""
    logits = (header.actions or header.logits) if header.what == 0 else 0
    return logits, header.columns if header.what < 2 else 1
