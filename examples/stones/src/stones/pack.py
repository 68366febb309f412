"""What stones brings besides its rules: a network that tells how many moves are left, a perfect bot, and its mistakes counted.

A pack is imported whenever its game is looked up, so whatever is heavy is imported where it is used.
"""

import math

import numpy as np

from playmill.arena.measure import Column, Curve, Interval, Measure
from playmill.games.heads import Head
from playmill.nets.kinds import NetKind, mlp_weights
from playmill.packs.pack import Pack
from playmill.play.player import PlainPlayer
from stones.settings import StonesNetSettings

MOST = 3
OPENING = 3  # random moves at the beginning: without chance two bots would always play the same game


# What the network answers besides policy and outcome: learned to shape it, and worth nothing to a search.
MOVES_LEFT = Head(
    name="moves_left",
    answers="how many moves are left, in tens",
    width=lambda players: 1,
    squash="none",
    outcome=lambda game: {"moves_left": lambda told: told.plies_to_come / 10},  # a column of the replay
    expected=lambda game: {},
    loss="square",
    part="moves_left",  # so it has a loss of its own in logs and report
    weight=0.2,
    worth=lambda game, aim: np.zeros((game.players, 1)),
    lacks=lambda game: None,
)


def build_net(features, logits, spec, players):
    from stones.network import StonesNet

    return StonesNet(math.prod(features), logits, spec, players)


def write_net(writer, checkpoint):
    from stones.network import write_net

    write_net(writer, checkpoint)


class PerfectBot(PlainPlayer):
    """Leaves a multiple of four where it can."""

    name = "perfect"

    def pick(self, ask):
        rest = ask.records["stones"] % (MOST + 1)
        return np.where(rest > 0, rest - 1, 0).astype(np.int32)


def count_mistakes(game, bots, games, seed, workers, progress):
    """How often each bot gives a won position away against perfect play, all on the same openings."""
    from playmill.arena.match import play_match
    from playmill.arena.seeds import pair_seeds
    from playmill.arena.statistics import wilson

    found = []
    for make in bots:
        match = play_match(
            game, (make, lambda lanes: PerfectBot()), pair_seeds(games, seed).array(), workers, OPENING, progress
        )
        states = match.states()
        rest = states["stones"] % (MOST + 1)
        could_win = match.chosen_by(0, states["mover"]) & (rest > 0)
        wrong, count = int((could_win & (match.actions + 1 != rest)).sum()), int(could_win.sum())
        rate, interval = (wrong / count, wilson(wrong, count)) if count else (0.0, (0.0, 1.0))
        found.append({"chances": count, "mistakes": wrong, "rate": rate, "interval": list(interval)})
    return found


MISTAKES = Measure(
    name="mistakes",
    about="won positions given away against perfect play",
    run=count_mistakes,
    words=lambda fields: f"{fields['mistakes']} of {fields['chances']} won positions given away",
    columns=(Column("mistakes", lambda fields: f"{fields['rate']:.1%}"),),
    curves=(
        Curve(
            title="Mistakes",
            note="Won positions given away against perfect play, with Wilson's interval.",
            point=lambda fields: Interval(fields["rate"], *fields["interval"]),
            form="{:.1%}",
            limits=(0.0, 1.0),
        ),
    ),
    figures=lambda fields: [(f"{fields['rate']:.1%}", "of won positions given away")],
)

PACK = Pack(
    games=("stones",),
    heads=(MOVES_LEFT,),
    nets={
        "stones_mlp": NetKind(
            about="An MLP that also tells the moves left.",
            build=build_net,
            write=write_net,
            weights=lambda spec: mlp_weights(spec) + spec.hidden * spec.section().moves_width,
            settings=StonesNetSettings(),
            heads=("moves_left",),
        )
    },
    bots={"perfect": lambda game, workers: lambda lanes: PerfectBot()},
    measures=(MISTAKES,),
    presets={"net.kind": "stones_mlp", "net.hidden": 64, "net.stones_mlp.moves_width": 32, "measure.games": 40},
)
