"""What a search can be told: how wide, how far, by which weights and rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from playmill.core.errors import UsageError
from playmill.games.diplomacy.work import RULES_3
from playmill.packs.diplomacy.search.weights import EvaluationWeights, OrderWeights
from playmill.search.regret import MAX_ACTIONS, MAX_SLOT_BITS

MAX_CANDIDATES = MAX_ACTIONS
MAX_SEASONS = 4
MAX_POOL = 256
MAX_LEVELS = 8
MAX_REPLIES = 64


@dataclass(frozen=True)
class OrderSearchSettings:
    """Shared by all searches. The reference is 16 candidates."""

    candidates: int = 16  # sets of a power, at most
    pool: int = 0  # sets to choose the candidates from; not above `candidates`: take them as they come
    levels: int = 2  # candidates that are best answers: to the greedy sets, to the best answers to those, and so on
    level_nodes: int = 150  # that the search for such an answer may take
    temperature: float = 0.25  # of the draws, in neutral centres
    seasons: int = 1  # movement phases that the look-ahead plays: the candidates', then greedy ones
    width: int = 6  # Cartesian: the most orders of a unit that are combined
    replies: int = 1  # Cartesian: predicted answers, the greedy one and draws
    play_temperature: float = 0.3  # RM+: 1 plays the average strategy, less its likeliest sets more often, 0 the likeliest
    polish: int = 8  # RM+: answers of the others that the set to be played is improved against, at most; 0: as it is
    polish_nodes: int = 4000  # that this may take, a power
    slot_bits: int = 14  # 2**n profiles are remembered
    rules: int = RULES_3
    weights: EvaluationWeights = field(default_factory=EvaluationWeights)
    order_weights: OrderWeights = field(default_factory=OrderWeights)

    def __post_init__(self) -> None:
        _require("candidates", self.candidates, 1, MAX_CANDIDATES)
        _require("pool", self.pool, 0, MAX_POOL)
        _require("levels", self.levels, 0, MAX_LEVELS)
        _require("seasons", self.seasons, 1, MAX_SEASONS)
        _require("width", self.width, 1, 16)
        _require("replies", self.replies, 1, 16)
        _require("polish", self.polish, 0, MAX_REPLIES)
        _require("slot_bits", self.slot_bits, 0, MAX_SLOT_BITS)

    def with_polish(self, nodes: int) -> OrderSearchSettings:
        """The same with so many nodes for polishing a power's set; 0: none is polished."""
        return replace(self, polish_nodes=nodes) if nodes else replace(self, polish=0)


def _require(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise UsageError(f"search: {name}: expected {low} to {high}, got {value}")
