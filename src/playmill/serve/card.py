"""What a server tells of a model. Clients need no more than this, and no PyTorch."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from playmill.serve.protocol import rules_key, weights_key

DUMMY = "dummy"


class ModelCard(BaseModel):
    """What a client is told of a model. A dummy has no game and fits every one."""

    model_config = ConfigDict(frozen=True)

    id: int
    name: str
    generation: int = 0  # 0: there is no network yet
    path: str | None = None
    game: str = ""
    ruleset: str = ""
    action_space: str = ""
    feature_schema: int = 0
    travel: str = "float32"  # how features travel: the game's feature_type, or bfloat16 to a network that rounds them first
    features: int = 0
    logits: int = 0
    columns: int = 0
    max_legal: int = 0
    players: int = 2
    heads: tuple[str, ...] = ()
    backend: str = DUMMY
    pass_rows: int | None = None
    weights_sha256: str = ""

    @property
    def rules(self) -> int:
        return rules_key(self.game, self.ruleset, self.action_space) if self.game else 0

    @property
    def weights(self) -> int:
        return weights_key(self.weights_sha256)
