"""What it costs to put rows into messages and to take them out again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.nets import YATZY
from playmill.bench.registry import Measured, Setup, benchmark

if TYPE_CHECKING:
    from playmill.serve.card import ModelCard

ROWS = 256
US = 1e6


@benchmark("protocol.encode", "rows/s")
def encode(setup: Setup) -> Measured:
    """Rows of Yatzy packed into messages of 256 and those made whole, as a client sends them, on one core."""
    card, features = _card_and_features()
    return _measured(_sides(card, features)["encode"], setup, card, features)


@benchmark("protocol.decode", "rows/s")
def decode(setup: Setup) -> Measured:
    """The same messages checked and unpacked into a batch, as a server reads them, on one core."""
    card, features = _card_and_features()
    return _measured(_sides(card, features)["decode"], setup, card, features)


def _card_and_features() -> tuple[ModelCard, Any]:
    from playmill.bench.positions import features_of
    from playmill.nets.net_evaluator import NetShape
    from playmill.serve.card import ModelCard

    game = YATZY.find_game()
    shape = NetShape.of_game(game)
    card = ModelCard(
        id=0, name="bench", generation=1, game=game.name, ruleset=game.ruleset, action_space=game.action_space,
        feature_schema=game.feature_schema, travel=game.feature_type, features=shape.features, logits=shape.logits,
        columns=shape.columns, max_legal=game.max_legal, players=game.players, heads=shape.heads,
    )  # fmt: skip
    return card, features_of(game, ROWS)


def _sides(card: ModelCard, features: Any) -> dict[str, Any]:
    """Work of either end, `times` messages over."""
    import numpy as np

    from playmill.serve import protocol
    from playmill.serve.intake import make_job
    from playmill.serve.models import Generation, Loading, ModelSource, ModelTable
    from playmill.serve.packing import pack_features, packing_room
    from playmill.serve.protocol import Header, MessageKind

    header = Header(
        MessageKind.EVALUATE, 0, 1, 0, card.feature_schema, card.rules, 0, ROWS, card.features, card.logits, card.columns, 0
    )  # fmt: skip
    table = ModelTable(Loading(read=lambda _path: NotImplemented))
    table.add(ModelSource("bench")).current = Generation(card, None)
    message = [bytes(frame) for frame in protocol.encode(header, pack_features(features, card.travel).tobytes())]
    batch = np.zeros((ROWS, card.features), np.float32)
    room = packing_room(ROWS, card.features, card.travel)

    def write(times: int) -> int:
        for _ in range(times):
            protocol.encode(header, pack_features(features, card.travel, room).data)
        return times * ROWS

    def read(times: int) -> int:
        for _ in range(times):
            job = make_job((0, b""), *protocol.decode(message), table, 0.0)
            assert job.sent.features is not None
            job.sent.features.unpack(0, batch)
        return times * ROWS

    return {"encode": write, "decode": read}


def _measured(work: Any, setup: Setup, card: ModelCard, features: Any) -> Measured:
    from playmill.serve.packing import pack_features
    from playmill.serve.protocol import HEADER_BYTES

    rate = best_rates({"ours": Paced(work)}, setup.seconds)["ours"]
    size = HEADER_BYTES + pack_features(features, card.travel).nbytes
    return Measured(rate, {"rows": ROWS, "message_bytes": size, "us_per_row": US / rate})
