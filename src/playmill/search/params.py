"""How a search descends and counts, in numbers that kernels take."""

from __future__ import annotations

from typing import NamedTuple

from playmill.search.settings import PuctSettings


class PuctParams(NamedTuple):
    """The settings of PUCT that a descent needs. A NamedTuple, since Numba takes it as one argument."""

    c_puct: float
    tries_all: bool  # actions of the root, before it weighs any
    has_afterstates: bool
    luck: float  # share of imagined luck that stays in values
    points_scale: float  # points that are worth 1; 0: values are wins
    considered: int  # actions of the root in Gumbel search; 0: PUCT
    c_visit: float
    c_scale: float


def make_params(settings: PuctSettings) -> PuctParams:
    """The parameters that the settings make."""
    return PuctParams(
        settings.c_puct,
        settings.try_all,
        settings.afterstates,
        settings.luck,
        settings.points_scale or 0.0,
        settings.considered if settings.selection == "gumbel" else 0,
        settings.c_visit,
        settings.c_scale,
    )
