"""The measure `oracle`: a bot against best play, and how display and report show it."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.arena.measure import Breakdown, Column, Curve, Fields, Interval, Measure
from playmill.arena.standing import Progress
from playmill.games.game import Game
from playmill.play.player import MakePlayer

KIND_WORDS = {
    "all": "all",
    "keep_2": "keep, two rerolls left",
    "keep_1": "keep, one left",
    "mark": "mark",
    "early_mark": "mark with rerolls left",
}
SPANS = ("none", "to 0.1", "to 0.3", "to 1", "to 3", "to 10", "more")  # of the histogram of regret, in points


def _run(
    game: Game, bots: Sequence[MakePlayer], games: int, seed: int, workers: int, progress: Progress | None
) -> list[Fields]:
    from playmill.packs.yatzy.solved import measure

    return measure(game, bots, games, seed, workers, progress)


def _points(fields: Fields) -> str:
    fair = fields["boards"]["fair"]
    return f"{fair['mean']:.2f} ± {fair['high'] - fair['mean']:.2f}"


def _regret(fields: Fields) -> float:
    """Points given away a decision."""
    return float(fields["choices"]["all"]["mean_regret"])


def _wins(fields: Fields) -> float:
    return float(fields["against_oracle"]["fair"]["mean"])


def _words(fields: Fields) -> str:
    return f"{_points(fields)} points a game without luck, {_regret(fields):.4f} given away a decision"


def _figures(fields: Fields) -> list[tuple[str, str]]:
    fair, best = fields["boards"]["fair"]["mean"], fields["expected_score"]
    as_good = fields["choices"]["all"]["no_regret_rate"]
    return [
        (f"{fair:.2f}", f"points a game, luck removed: {fair / best:.1%} of {best:.2f}"),
        (f"{_wins(fields):.1%}", "of games won against best play, luck reduced"),
        ("-" if as_good is None else f"{as_good:.1%}", "of decisions as good as the best one"),
    ]


def _interval(estimate: Fields) -> Interval:
    return Interval(estimate["mean"], estimate["low"], estimate["high"])


def _best_play(fields: Fields) -> tuple[float, str]:
    best = fields["expected_score"]
    return best, f"best play, {best:.2f}"


def _breakdowns(fields: Fields) -> list[Breakdown]:
    """The distribution of regret by kind of decision."""
    kinds = [(KIND_WORDS[kind], found) for kind, found in fields["choices"].items() if found["count"]]
    shares = [f"{float(share):.0%}" for share in kinds[0][1]["quantiles"]]
    header = ("decision", "number", "as good as best play", "mean", *shares)
    rows = tuple(
        (
            words,
            f"{found['count']:,}",
            f"{found['no_regret_rate']:.1%}",
            f"{found['mean_regret']:.3f}",
            *(f"{value:.2f}" for value in found["quantiles"].values()),
        )
        for words, found in kinds
    )
    bars = tuple((words, tuple(zip(SPANS, _shares(found["histogram"]), strict=True))) for words, found in kinds)
    note = "Points given away by a decision: the mean, and what the given share of decisions stays below."
    return [Breakdown("Regret by kind of decision", note, header, rows, bars)]


def _shares(counts: Sequence[int]) -> list[float]:
    return [count / sum(counts) for count in counts]


ORACLE = Measure(
    name="oracle",
    about="against best play of the solved solitaire game, luck removed",
    run=_run,
    words=_words,
    columns=(
        Column("points", _points),
        Column("regret", lambda fields: f"{_regret(fields):.3f}", min_width=70),
        Column("wins against best play", lambda fields: f"{_wins(fields):.1%}", min_width=120),
    ),
    curves=(
        Curve(
            title="Strength",
            note="Mean points a game against best play, luck removed, with its 95 % interval.",
            point=lambda fields: _interval(fields["boards"]["fair"]),
            form="{:.2f}",
            unit="points",
            reference=_best_play,
            is_by_time=True,
        ),
        Curve(
            title="Win rate against best play",
            note="Luck reduced, with its 95 % interval; a draw is half a win.",
            point=lambda fields: _interval(fields["against_oracle"]["fair"]),
            form="{:.1%}",
            reference=lambda fields: (0.5, "an equal player"),
            limits=(0.0, 0.6),
        ),
    ),
    figures=_figures,
    breakdowns=_breakdowns,
    baseline="oracle",
)
