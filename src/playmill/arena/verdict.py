"""Whether a candidate is promoted, and why, in words."""

from __future__ import annotations

from playmill.arena.appraisal import GateView
from playmill.arena.gate_report import SequentialView
from playmill.arena.gate_settings import GateSettings

DECISIONS = {
    "accept": "the sequential test accepts score {score1} over {score0}",
    "reject": "the sequential test rejects score {score1}",
    "continue": "the sequential test is undecided between {score0} and {score1}",
}


def judge(
    settings: GateSettings, win_rate: float, oracle: GateView | None, sequential: SequentialView | None
) -> tuple[bool, str]:
    """Whether to promote, and the reason."""
    is_better, reason = _strength(settings, win_rate, oracle, sequential)
    is_safe, warning = _guardrail(settings, oracle)
    return is_better and is_safe, f"{reason}; {warning}" if warning else reason


def _strength(
    settings: GateSettings, win_rate: float, oracle: GateView | None, sequential: SequentialView | None
) -> tuple[bool, str]:
    if sequential is not None:
        text = DECISIONS[sequential.decision].format(score0=settings.score0, score1=settings.score1)
        return sequential.decision == "accept", f"{text} after {sequential.looks[-1].pairs} pairs"
    name = "win rate"
    if settings.luck_reduced and oracle is not None:
        name, win_rate = "luck-reduced win rate", oracle.wins.fair.mean
    is_better = win_rate > settings.threshold if settings.strict else win_rate >= settings.threshold
    passed, failed = ("above", "not above") if settings.strict else ("at least", "below")
    return is_better, f"{name} {win_rate:.4f} is {passed if is_better else failed} {settings.threshold}"


def _guardrail(settings: GateSettings, oracle: GateView | None) -> tuple[bool, str]:
    """Whether the boards have not become worse, and a word where that was asked."""
    if settings.guardrail_points is None or oracle is None:
        return True, ""
    change = oracle.wins.fair_points.mean
    is_safe = change >= -settings.guardrail_points
    allowed = f"a fall of {settings.guardrail_points} is allowed"
    return is_safe, f"its boards, luck removed, changed by {change:+.2f} points ({allowed})"
