"""The ability report of EXCHANGE: how much each ability is used in self-play, beside its target, and what rewards come to.

A side is one player in one game. What counts as use is said in docs/games/exchange.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from playmill.arena.measure import Breakdown, Column, Curve, Fields, GamesSummary, Interval
from playmill.games.exchange.board import DECREE_ACTIONS
from playmill.games.game import Game
from playmill.games.trackers import Array, count_games, shaping_parts, term_values
from playmill.packs.exchange.rewards import TRACKER
from playmill.replay.tables import GamesTable
from playmill.selfplay.settings import SelfPlaySettings

NAME = "abilities"
PLIES_TARGET, DRAWS_TARGET = (80, 100), 0.10
SMALL = 0.05  # share of a reward term that a line doesn't name


@dataclass(frozen=True)
class Ability:
    """One row of the report."""

    name: str
    use: Callable[[Array], float]  # of the counts of all sides, records [n]
    about: str
    target: float  # use is to be above it


def _sides_with(counter: str) -> Callable[[Array], float]:
    return lambda sides: float((sides[counter] > 0).mean())


def _share(part: str, whole: str, times: int = 1) -> Callable[[Array], float]:
    """The sum of a counter over that of another; 0 of nothing."""
    return lambda sides: float(sides[part].sum() / max(1.0, times * sides[whole].sum()))


ABILITIES = (
    Ability(
        "Royal Decree",
        _share("rd_combo_attacks", "rd_activations", DECREE_ACTIONS),
        "attacks, of the two actions that each Decree helps",
        0.50,
    ),
    Ability("Interpose", _sides_with("interpose_triggers"), "sides whose rook stepped in", 0.30),
    Ability("Consecration", _sides_with("consecration_uses"), "sides that healed", 0.20),
    Ability("Skirmish", _sides_with("skirmish_uses"), "sides that used it", 0.60),
    Ability("Overextend", _sides_with("overextend_uses"), "sides that used it", 0.50),
    Ability("Pawn advance", _share("pawn_advances", "actions"), "moves of pawns, of all actions", 0.15),
    Ability("Promotion", _sides_with("pawn_promotions"), "sides that promoted a pawn", 0.15),
)


def summarise_abilities(game: Game, tables: Sequence[GamesTable], settings: SelfPlaySettings) -> Fields:
    """The fields of the report on these games."""
    parts = [count_games(game, TRACKER, one.game_seed, one.action_offset, one.actions) for one in tables]
    counts = np.concatenate(parts)
    plies = np.concatenate([one.game_plies for one in tables])
    returns = np.concatenate([one.game_returns for one in tables])
    sides = counts.reshape(-1)
    return {
        "games": len(counts),
        "plies": float(plies.mean()),
        "draws": float((returns[:, 0] == returns[:, 1]).mean()),
        "use": {ability.name: ability.use(sides) for ability in ABILITIES},
        "counts": {name: float(sides[name].mean()) for name in TRACKER.counters.names or ()},
        **_rewards(game, counts, settings),
    }


def _rewards(game: Game, counts: Array, settings: SelfPlaySettings) -> Fields:
    """What each term gave a side, what it did to a side's outcome, and its share of all that was done."""
    rewards = settings.rewards
    weights = rewards.weights_for(game)
    own = rewards.scale * term_values(TRACKER, counts, weights)
    added = shaping_parts(TRACKER, counts, weights)
    effects = rewards.scale * np.abs(added).mean(axis=(0, 1))
    total = float(effects.sum())
    terms = {
        term.name: {
            "mean": float(own[..., i].mean()),
            "effect": float(effects[i]),
            "share": float(effects[i]) / total if total else 0.0,
        }
        for i, term in enumerate(TRACKER.terms)
    }
    bounded = rewards.bounded(added.sum(axis=-1))
    return {
        "terms": terms,
        "shaping": float(np.abs(bounded).mean()),
        "at_limit": float((np.abs(bounded) >= rewards.limit).mean()),
    }


# ------------------------------------------------------------------ how it is shown


def _met(fields: Fields) -> list[Ability]:
    return [ability for ability in ABILITIES if fields["use"][ability.name] > ability.target]


def _words(fields: Fields) -> str:
    use = ", ".join(f"{ability.name} {fields['use'][ability.name]:.0%} (>{ability.target:.0%})" for ability in ABILITIES)
    return f"{fields['plies']:.0f} plies, {_met_words(fields)} abilities at their target: {use}; {_terms_words(fields)}"


def _terms_words(fields: Fields) -> str:
    """The shares of the reward terms, the largest first, those under a twentieth together."""
    shares = sorted(((one["share"], name) for name, one in fields["terms"].items()), reverse=True)
    large = [f"{name.replace('_', ' ')} {share:.0%}" for share, name in shares if share >= SMALL]
    small = sum(share for share, _ in shares if share < SMALL)
    return f"reward terms: {', '.join([*large, f'others {small:.0%}'])}"


def _met_words(fields: Fields) -> str:
    return f"{len(_met(fields))} of {len(ABILITIES)}"


def _curve(ability: Ability) -> Curve:
    return Curve(
        title=ability.name,
        note=ability.about,
        point=lambda fields: Interval(fields["use"][ability.name]),
        form="{:.0%}",
        reference=lambda fields: (ability.target, "target"),
        limits=(0.0, 1.0),
    )


def _term_curve(name: str) -> Curve:
    return Curve(
        title=f"share of {name.replace('_', ' ')}",
        note="Of all that reward terms did.",
        point=lambda fields: Interval(fields["terms"][name]["share"]),
        form="{:.0%}",
        limits=(0.0, 0.4),  # the same for all, so that they can be compared
    )


def _breakdowns(fields: Fields) -> list[Breakdown]:
    use = tuple(
        (
            ability.name,
            f"{fields['use'][ability.name]:.1%}",
            f"above {ability.target:.0%}",
            "yes" if ability in _met(fields) else "no",
            ability.about,
        )
        for ability in ABILITIES
    )
    low, high = PLIES_TARGET
    is_long = low <= fields["plies"] <= high
    rest = (
        ("Plies a game", f"{fields['plies']:.1f}", f"{low} to {high}", "yes" if is_long else "no", ""),
        ("Draws", f"{fields['draws']:.1%}", f"below {DRAWS_TARGET:.0%}", "yes" if fields["draws"] < DRAWS_TARGET else "no", ""),
    )
    note = f"Of {fields['games']:,} games of self-play; a side is one player in one game."
    return [
        Breakdown("Abilities in self-play", note, ("", "use", "target", "met", "what is counted"), (*use, *rest)),
        _terms_table(fields),
    ]


def _terms_table(fields: Fields) -> Breakdown:
    """The terms, those that did most first."""
    terms = sorted(fields["terms"].items(), key=lambda item: -item[1]["share"])
    rows = tuple(
        (name.replace("_", " "), f"{one['mean']:+.3f}", f"{one['effect']:.3f}", f"{one['share']:.1%}") for name, one in terms
    )
    note = (
        f"Together they changed an outcome by {fields['shaping']:.2f} on average; {fields['at_limit']:.0%} met the limit."
        " An effect is the mean size of what a term adds to a side's outcome: its own less the other's."
    )
    return Breakdown("Reward terms", note, ("term", "mean of a side", "effect", "share"), rows)


ABILITY_REPORT = GamesSummary(
    name=NAME,
    about="How much each ability is used, and what each reward term has done.",
    run=summarise_abilities,
    words=_words,
    columns=(
        Column("plies", lambda fields: f"{fields['plies']:.0f}", min_width=110),
        Column("RD combos", lambda fields: f"{fields['use']['Royal Decree']:.0%}", min_width=130),
        Column("abilities", _met_words, min_width=140),
    ),
    curves=(*(_curve(ability) for ability in ABILITIES), *(_term_curve(term.name) for term in TRACKER.terms)),
    breakdowns=_breakdowns,
)
