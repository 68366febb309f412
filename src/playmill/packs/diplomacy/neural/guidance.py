"""A search that a network guides: RM+ as in `rm_plus.py`, with candidates drawn by the network's priors and values from it.

Candidates, and the strategies that RM+ begins with, cost one pass a move. Values are dear: in the time of one pass the
heuristic values dozens of profiles. So there are three ways to use them:

    off         the heuristic values everything
    candidates  every power's candidates are valued once by the network, the others playing their first sets; how far that is
                from the heuristic's value is added wherever the candidate is played. 7 x candidates rows a move, in one batch
    leaves      every profile is valued by both, mixed
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from playmill.core.seeds import mix
from playmill.core.settings import Settings
from playmill.games.diplomacy.state import UNIT_LIMIT
from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator
from playmill.packs.diplomacy.neural.guidance_kernels import (
    ask_for_candidates,
    fill_corrections,
    set_candidate_priors,
)
from playmill.packs.diplomacy.neural.priors import add_noise, fill_priors, mix_scores
from playmill.packs.diplomacy.search.budgets import Budget, Clock
from playmill.packs.diplomacy.search.evaluation import evaluate_states
from playmill.packs.diplomacy.search.order_scores import score_options
from playmill.packs.diplomacy.search.order_work import OPTION_LIMIT
from playmill.packs.diplomacy.search.rm_plus import JointSearch, Strategies
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.search.regret import NODES

NOISE = 0xFFFF_FFFF_FFFF_FF31  # the stream of a search's noise


class GuidanceShares(Settings):
    """How much the network has to say."""

    policy: float = Field(0.5, ge=0, le=1, description="Share of the network in the scores that candidates are drawn by.")
    start: float = Field(0.5, ge=0, le=1, description="Share of the network in the strategies that RM+ begins with.")
    values: Literal["off", "candidates", "leaves"] = Field("off", description="What the network values; see `guidance.py`.")
    value: float = Field(0.5, ge=0, le=1, description="Share of the network in those values.")


class GuidanceSettings(GuidanceShares):
    """That, and how much chance has to say: for self-play."""

    noise: float = Field(0.0, ge=0, le=1, description="Share of Dirichlet noise in the priors; for self-play, 0.25 say.")
    alpha: float = Field(0.3, gt=0, description="Dirichlet's parameter: the smaller, the fewer orders a draw favours.")


class GuidedSearch(JointSearch):
    """RM+ with a network. `run` as before; `search_many` searches several positions with shared passes."""

    def __init__(self, settings: OrderSearchSettings, evaluator: DiplomacyEvaluator, guidance: GuidanceSettings) -> None:
        super().__init__(settings, self._score, self._blend if guidance.values == "leaves" else None)
        self.evaluator, self.guidance = evaluator, guidance
        self._answer: np.ndarray | None = None
        self._noise_stream = np.uint64(0)
        self._priors, self._noise = np.zeros((UNIT_LIMIT, OPTION_LIMIT)), np.zeros(OPTION_LIMIT)

    def begin(self, state: Any, stream: int, nodes: int | None = None) -> None:
        """Make the candidates of a position, and value them where the network does."""
        self.draw(state, stream, nodes)
        correct_values([self])

    def draw(self, state: Any, stream: int, nodes: int | None = None, answer: np.ndarray | None = None) -> None:
        """Make the candidates of a position; `answer` are its scores where somebody has asked for them already."""
        self._answer, self._noise_stream = answer, np.uint64(mix(stream, NOISE))
        super().begin(state, stream, nodes)
        set_candidate_priors(self.memory, self._priors, self.guidance.start)

    def _score(self, state: Any, work: Any) -> None:
        """Fill the scores of all options."""
        guidance = self.guidance
        if guidance.policy < 1:
            score_options(state, work)
        if self._answer is None:
            self._answer = self.evaluator.answer(np.array([state]))[0][0]
        fill_priors(self._answer, work, self._priors)
        if guidance.noise > 0:
            add_noise(work, self._priors, guidance.alpha, guidance.noise, self._noise_stream, self._noise)
        mix_scores(work, self._priors, guidance.policy, self.settings.temperature)

    def _blend(self, states: Any) -> np.ndarray:
        """The values of positions, by heuristic and network."""
        share = self.guidance.value
        return (1 - share) * evaluate_states(states, self.settings.weights) + share * self.evaluator.values(states)

    def candidate_profiles(self) -> Any:
        """The positions in which one power alone plays each of its candidates."""
        ask_for_candidates(self.memory)
        profiles = self._play_pending()
        self._tally[NODES] += len(profiles)
        return profiles

    def correct(self, profiles: Any, values: np.ndarray) -> None:
        """Change the value of every candidate for its power by how far the network's is from the heuristic's."""
        change = values - evaluate_states(profiles, self.settings.weights)
        fill_corrections(self.memory, change * self.guidance.value)


def correct_values(searches: Sequence[GuidedSearch]) -> None:
    """Let the network value the candidates of all searches in one batch, where it is to value candidates."""
    if searches[0].guidance.values != "candidates":
        return
    profiles = [search.candidate_profiles() for search in searches]
    for search, own, values in zip(searches, profiles, _values_of(searches[0].evaluator.values, profiles), strict=True):
        search.correct(own, values)


def _values_of(value: Callable[[Any], np.ndarray], parts: Sequence[Any]) -> list[np.ndarray]:
    """The values of several lists of positions, asked for at once."""
    return np.split(value(np.concatenate(parts)), np.cumsum([len(part) for part in parts])[:-1])


def search_many(
    searches: Sequence[GuidedSearch], states: Any, streams: Sequence[int], budgets: Sequence[Budget]
) -> list[Strategies]:
    """What each search finds in its position, with one pass for all where there would be one for each.

    The same answers as `search.run` gives one by one, if no budget is a time.
    """
    answers = searches[0].evaluator.answer(states)[0]
    clocks = [Clock(budget, search.stop) for search, budget in zip(searches, budgets, strict=True)]
    for search, state, stream, budget, answer in zip(searches, states, streams, budgets, answers, strict=True):
        search.draw(state, stream, budget.likely_nodes, answer)
    correct_values(searches)
    used = [""] * len(searches)
    while not all(used):
        open_ones = [i for i, why in enumerate(used) if not why]
        _step_together(open_ones, searches, clocks)
        for i in open_ones:
            used[i] = clocks[i].ended_by(*searches[i]._done())
    return [search.strategies(why) for search, why in zip(searches, used, strict=True)]


def _step_together(numbers: list[int], searches: Sequence[GuidedSearch], clocks: Sequence[Clock]) -> None:
    """A step of some searches; where leaves are valued by the network, one iteration with all leaves in one batch."""
    if searches[0].guidance.values != "leaves":
        for i in numbers:
            searches[i]._step(clocks[i])
        return
    values = _values_of(searches[0]._blend, [searches[i].open() for i in numbers])
    for i, part in zip(numbers, values, strict=True):
        searches[i].close(part)
