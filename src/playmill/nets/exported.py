"""A network as an ONNX file that says itself what it is: inputs, outputs, and for which rules."""

from __future__ import annotations

import json
import math
from typing import Any

from onnx import helper

from playmill.games.heads import column_count, column_of
from playmill.nets.checkpoint import Checkpoint
from playmill.nets.graph import FEATURES, LOGITS, VALUES, WEIGHTS_KEY, make_model

META_KEY = "playmill"


def export_onnx(checkpoint: Checkpoint) -> bytes:
    """The serialised model; its metadata has what `onnx_facts` tells, as JSON under `playmill`."""
    model = make_model(checkpoint)
    told = {META_KEY: json.dumps(onnx_facts(checkpoint)), WEIGHTS_KEY: checkpoint.meta.weights_sha256}
    helper.set_model_props(model, told)
    data: bytes = model.SerializeToString(deterministic=True)
    return data


def onnx_facts(checkpoint: Checkpoint) -> dict[str, Any]:
    """What goes in and comes out, for whoever runs it without playmill."""
    meta = checkpoint.meta
    columns = {head: column_of(meta.heads, head, meta.players) for head in meta.heads}
    return {
        "game": meta.game,
        "ruleset": meta.ruleset,
        "action_space": meta.action_space,
        "feature_schema": meta.feature_schema,
        "players": meta.players,
        "inputs": {FEATURES: ["rows", math.prod(meta.features)]},
        "feature_shape": list(meta.features),
        "outputs": {LOGITS: ["rows", meta.logits], VALUES: ["rows", column_count(meta.heads, meta.players)]},
        "value_columns": columns,
    }
