"""Settings of a network: its kind, its size and what it answers besides the policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from playmill.core.documents import fit
from playmill.core.errors import UnknownName
from playmill.core.sections import KindSettings
from playmill.core.settings import OneOf, require_weights
from playmill.games.game import Game
from playmill.games.heads import HEADS, MARGIN, OUTCOME_PART, TOGO_OPP, TOGO_OWN, VALUE_HEADS
from playmill.nets.kinds import NET_KINDS

MAX_WIDTH, MAX_BLOCKS = 1 << 13, 256


class NetSpec(KindSettings):
    """The shape of a network; the game adds its features and logits. A kind may have a section of its own, by its name.

    Widths are whole vectors. Besides being faster that is what keeps answers independent of the batch: torch's product for
    two to nine outputs adds up differently at rows that begin at odd addresses.
    """

    kinds = NET_KINDS

    kind: Annotated[str, OneOf(NET_KINDS)] = Field(
        "mlp",
        description="mlp: a residual MLP over flat features; conv: a residual board net; others come with a game.",
    )
    hidden: int = Field(
        256,
        ge=16,
        le=MAX_WIDTH,
        multiple_of=16,
        description="Width of the MLP; in a board net, of the layer before the values.",
    )
    blocks: int = Field(2, ge=0, le=MAX_BLOCKS, description="Residual blocks, two layers each.")
    channels: int = Field(64, ge=8, le=MAX_WIDTH, multiple_of=8, description="Planes inside a board net; the MLP has none.")
    policy: Literal["dense", "planes"] = Field(
        "dense",
        description="conv: how it tells the policy: a dense layer over a few planes; or planes themselves, a logit a square,"
        " plane after plane, for games whose logits are numbered so.",
    )
    value: Annotated[str, OneOf(VALUE_HEADS)] = Field(
        "win",
        description="How it tells the outcome: the mover's utility; win, draw and loss; or each player's utility, for games of"
        " more than two players or of any sum. Others come with a game.",
    )
    margin: bool = Field(False, description="Whether it also answers the squashed score difference at the end.")
    togo: bool = Field(False, description="Whether it also answers the points still to come, for either seat.")
    more_heads: str = Field(
        "", description="What else it answers: names of further heads, with commas between, such as those of a game's pack."
    )

    @model_validator(mode="after")
    def _answers_each_head_once(self) -> Self:
        for name in self.further_heads:
            try:
                head = HEADS.find(name)
            except UnknownName as error:
                raise ValueError(f"more_heads: {error}") from None
            if head.part == OUTCOME_PART:
                raise ValueError(f"more_heads: '{name}' tells the outcome, of which there is one; use value: {name}")
            if heads(self).count(name) > 1:
                raise ValueError(f"more_heads: '{name}' is asked for twice")
        return self

    @model_validator(mode="after")
    def _fits_memory(self) -> Self:
        require_weights(NET_KINDS.find(self.kind).weights(self))
        return self

    @property
    def further_heads(self) -> tuple[str, ...]:
        """The names in `more_heads`."""
        return tuple(name for part in self.more_heads.split(",") if (name := part.strip()))


def heads(spec: NetSpec) -> tuple[str, ...]:
    """The names of the values that such a network answers, in column order; that of the outcome is always the first."""
    # Points to come stand behind the others: a network may tell them from another part of itself.
    asked = (*((MARGIN,) if spec.margin else ()), *spec.further_heads, *((TOGO_OWN, TOGO_OPP) if spec.togo else ()))
    return (spec.value, *asked, *NET_KINDS.find(spec.kind).heads)


def make_spec(fields: Mapping[str, Any]) -> NetSpec:
    """The spec that these fields make, or one line about the first that is wrong."""
    return fit(NetSpec, "net", fields)


def usual_kind(game: Game) -> Literal["mlp", "conv"]:
    """The kind of network that fits the game's features: a board net for planes [C, H, W], else an MLP."""
    return "conv" if len(game.features) == 3 else "mlp"


def usual_value(game: Game) -> Literal["win", "utilities"]:
    """How a network of the game tells the outcome unless somebody wants it otherwise."""
    return "win" if game.is_two_player_zero_sum else "utilities"
