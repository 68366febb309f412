"""A search that a network guides: RM+ as in `rm_plus.py`, with candidates drawn by the network's priors and values from it.

Candidates, and the strategies that RM+ begins with, cost one pass a move. Values are dear: in the time of one pass the
heuristic values dozens of profiles. So there are three ways to use them:

    off         the heuristic values everything
    candidates  every power's candidates are valued once by the network, the others playing their first sets; how far that is
                from the heuristic's value is added wherever the candidate is played. 7 x candidates rows a move, in one batch
    leaves      every profile is valued by both, mixed
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from playmill.core.seeds import mix
from playmill.core.settings import Settings
from playmill.diplomacy.budgets import Budget, Clock
from playmill.diplomacy.evaluation import evaluate_states
from playmill.diplomacy.neural.evaluator import DiplomacyEvaluator
from playmill.diplomacy.neural.guidance_kernels import (
    ask_for_candidates,
    fill_corrections,
    set_candidate_priors,
)
from playmill.diplomacy.neural.priors import add_noise, fill_priors, mix_scores
from playmill.diplomacy.order_scores import score_options
from playmill.diplomacy.order_work import OPTION_LIMIT
from playmill.diplomacy.regret import NODES
from playmill.diplomacy.rm_plus import JointSearch, Strategies
from playmill.diplomacy.settings import SearchSettings
from playmill.games.diplomacy.state import UNIT_LIMIT

NOISE = 0xFFFF_FFFF_FFFF_FF31  # the stream of a search's noise


class GuidanceSettings(Settings):
    """How much the network has to say."""

    policy: float = Field(0.5, ge=0, le=1, description="Share of the network in the scores that candidates are drawn by.")
    start: float = Field(0.5, ge=0, le=1, description="Share of the network in the strategies that RM+ begins with.")
    values: Literal["off", "candidates", "leaves"] = Field("off", description="What the network values; see `guidance.py`.")
    value: float = Field(0.5, ge=0, le=1, description="Share of the network in those values.")
    noise: float = Field(0.0, ge=0, le=1, description="Share of Dirichlet noise in the priors; for self-play, 0.25 say.")
    alpha: float = Field(0.3, gt=0, description="Dirichlet's parameter: the smaller, the fewer orders a draw favours.")


class GuidedSearch(JointSearch):
    """RM+ with a network. `run` as before; `search_many` searches several positions with shared passes."""

    def __init__(self, settings: SearchSettings, evaluator: DiplomacyEvaluator, guidance: GuidanceSettings) -> None:
        super().__init__(settings, self._score, self._blend if guidance.values == "leaves" else None)
        self.evaluator, self.guidance = evaluator, guidance
        self._answer: np.ndarray | None = None
        self._noise_stream = np.uint64(0)
        self._priors, self._noise = np.zeros((UNIT_LIMIT, OPTION_LIMIT)), np.zeros(OPTION_LIMIT)

    def begin(self, state: Any, stream: int, nodes: int | None = None, answer: np.ndarray | None = None) -> None:
        """Make the candidates of a position; `answer` are its scores where somebody has asked for them already."""
        self._answer, self._noise_stream = answer, np.uint64(mix(stream, NOISE))
        super().begin(state, stream, nodes)
        set_candidate_priors(self.memory, self._priors, self.guidance.start)
        if self.guidance.values == "candidates":
            self._correct()

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

    def _correct(self) -> None:
        """Find out by how much to change the value of every candidate for its power."""
        ask_for_candidates(self.memory)
        profiles = self._play_pending()
        change = self.evaluator.values(profiles) - evaluate_states(profiles, self.settings.weights)
        self._tally[NODES] += len(profiles)
        fill_corrections(self.memory, change * self.guidance.value)


def search_many(searches: Sequence[GuidedSearch], states: Any, streams: Sequence[int], budget: Budget) -> list[Strategies]:
    """What each search finds in its position, with one pass for all where there would be one for each.

    The same answers as `search.run` gives one by one, if the budget is not a time.
    """
    answers = searches[0].evaluator.answer(states)[0]
    clocks = [Clock(budget, search.stop) for search in searches]
    for search, state, stream, answer in zip(searches, states, streams, answers, strict=True):
        search.begin(state, stream, budget.likely_nodes, answer)
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
    leaves = [searches[i].open() for i in numbers]
    values = searches[0]._blend(np.concatenate(leaves))
    for i, part in zip(numbers, np.split(values, np.cumsum([len(rows) for rows in leaves])[:-1]), strict=True):
        searches[i].close(part)
