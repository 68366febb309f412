"""The `diplomacy` package beside ours: the same phase through both, and what comes out differently."""

from __future__ import annotations

import numpy as np

from diplomacy_phases import Phase
from playmill.games.diplomacy.adjustments import power_of_adjustment
from playmill.games.diplomacy.board import RULES, Board
from playmill.games.diplomacy.geography import ARMY, CAN_GO, POWERS
from playmill.games.diplomacy.orders import CONVOY, MOVE, SUPPORT_MOVE
from playmill.games.diplomacy.package_json import write_package_order, write_state
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.plain import PROVINCE, joined, parts
from playmill.games.diplomacy.state import BUILDS, TO_WIN
from playmill.games.diplomacy.verdicts import NOT_ON_ROUTE, RESULT
from playmill.games.diplomacy.work import new_work


def ours(phase, rules):
    """The next position in the package's layout."""
    states = phase.states.copy()
    advance(states[0], phase.orders, len(phase.orders), RULES[rules], new_work()[0], np.zeros(40, RESULT))
    return plain(write_state(Board(states, rules)))


def theirs(game, phase, rules):
    """The same from the package; `game` is one of its games, used again and again."""
    board = Board(phase.states.copy(), rules)
    game.set_state(write_state(board))
    game.clear_orders()
    by_power = {}
    state = board.state
    for order in phase.orders.tolist():
        by_power.setdefault(owner(order, state), []).append(write_package_order(order, board))
    for power, texts in by_power.items():
        game.set_orders(power, texts)
    game.process()
    return plain(game.get_state())


def owner(order, state):
    """Whose order it is."""
    if state.phase == BUILDS:
        return POWERS[int(power_of_adjustment(state, order))].upper()
    province = parts(order).province
    power = state.out_power[province] if state.phase in (1, 3) else state.power[province]
    return POWERS[int(power)].upper()


def plain(state):
    """What is compared: the phase's name, units, centres and the retreats that are open, in an order of their own.

    A dislodged unit that can go nowhere is left out: the package drops it at once, we with the phase. Once a power has won, the
    package names no phase any more.
    """
    lost = {f"*{unit}" for units in state["retreats"].values() for unit, places in units.items() if not places}
    is_won = any(len(centres) >= TO_WIN for centres in state["centers"].values())
    return {
        "name": "won" if is_won else state["name"],
        "units": {power: sorted(set(units) - lost) for power, units in state["units"].items() if set(units) - lost},
        "centers": {power: sorted(centres) for power, centres in state["centers"].items() if centres},
        "retreats": {
            power: {unit: sorted(places) for unit, places in units.items() if places}
            for power, units in state["retreats"].items()
            if any(units.values())
        },
    }


# ------------------------------------------------------------------ differences with a name, told in docs/games/diplomacy.md


def name_of(phase, mine, peer):
    """Which named choice explains that the two differ by the 2.x rules; None if none does."""
    if phase.states[0].phase == BUILDS and sizes(mine) == sizes(peer):
        return "alphabet of civil disorder"
    if ours(without_coasts(phase), "2.x") == peer:
        return "support names the other coast"
    if ours(without(phase, unneeded_convoys(phase)), "2.x") == peer:
        return "convoy by a fleet that is not needed"
    if ours(without(phase, own_convoys_next_door(phase)), "2.x") == peer:
        return "own fleet convoys next door"
    if helps_against_own_convoy(phase):
        return "own help against a convoying fleet"
    if helps_in_own_head_to_head(phase):
        return "own help in a head-to-head battle"
    if sailing_attackers(phase):
        if without_retreats(mine) == without_retreats(peer):
            return "retreats after a convoy"
        if helped_against_own(phase):
            return "own help for a convoyed attack"
    return None


def sizes(state):
    """How many units of each kind and centres each power has."""
    units = {power: sorted(unit[0] for unit in units) for power, units in state["units"].items()}
    return units, state["centers"]


def without_coasts(phase):
    """The phase with supports that name no coast."""
    return Phase(phase.states, np.array([uncoasted(order) for order in phase.orders.tolist()], np.int32))


def uncoasted(order):
    kind, location, auxiliary, target, via = parts(order)
    return joined(kind, location, auxiliary, PROVINCE[target], via) if kind == SUPPORT_MOVE else order


def without(phase, orders):
    """The phase with some orders left out."""
    return Phase(phase.states, np.array([order for order in phase.orders.tolist() if order not in orders], np.int32))


def unneeded_convoys(phase):
    """The convoys that 3.x calls illegal, as their fleets are on no route that needs them."""
    results = np.zeros(40, RESULT)
    advance(phase.states.copy()[0], phase.orders, len(phase.orders), RULES["3.x"], new_work()[0], results)
    return {
        order
        for order, reason in zip(phase.orders.tolist(), results["reason"].tolist(), strict=False)
        if reason == NOT_ON_ROUTE
    }


def own_convoys_next_door(phase):
    """Convoys of armies that could walk and were not told to sail, by fleets of their own power."""
    power = phase.states[0].power
    walkers = {(m.location, m.target) for m in moves_of(phase) if not m.via and CAN_GO[ARMY, m.location, m.target]}
    convoys = [(order, parts(order)) for order in phase.orders.tolist() if parts(order).kind == CONVOY]
    return {o for o, p in convoys if (p.auxiliary, p.target) in walkers and power[p.province] == power[PROVINCE[p.auxiliary]]}


def own_help(phase):
    """The supports of attacks on a unit of the supporter's own power."""
    power = phase.states[0].power
    supports = [p for p in map(parts, phase.orders.tolist()) if p.kind == SUPPORT_MOVE]
    return [s for s in supports if power[s.province] == power[PROVINCE[s.target]]]


def helps_against_own_convoy(phase):
    """Whether a power helps to attack its own convoying fleet."""
    convoying = {parts(order).province for order in phase.orders.tolist() if parts(order).kind == CONVOY}
    return any(PROVINCE[support.target] in convoying for support in own_help(phase))


def helps_in_own_head_to_head(phase):
    """Whether a power helps the opponent of its own unit in a head-to-head battle."""
    moves = {(PROVINCE[move.location], PROVINCE[move.target]) for move in moves_of(phase)}
    battles = {(a, b) for a, b in moves if (b, a) in moves}
    return any((PROVINCE[support.auxiliary], PROVINCE[support.target]) in battles for support in own_help(phase))


def moves_of(phase):
    return [parts(order) for order in phase.orders.tolist() if parts(order).kind == MOVE]


def sailing_attackers(phase):
    """Moves of armies that some fleet was ordered to convoy."""
    carried = {(p.auxiliary, p.target) for p in map(parts, phase.orders.tolist()) if p.kind == CONVOY}
    return [move for move in moves_of(phase) if (move.location, move.target) in carried]


def helped_against_own(phase):
    """Whether a convoyed army attacks a unit with support of that unit's own power."""
    state = phase.states[0]
    attacks = {(move.location, move.target) for move in sailing_attackers(phase)}
    supports = [p for p in map(parts, phase.orders.tolist()) if p.kind == SUPPORT_MOVE]
    return any((s.auxiliary, s.target) in attacks and state.power[s.province] == state.power[s.target] for s in supports)


def without_retreats(state):
    """Units on the board and centres alone."""
    units = {power: [unit for unit in units if unit[0] != "*"] for power, units in state["units"].items()}
    return {power: units for power, units in units.items() if units}, state["centers"]


def name_of_rules(phase):
    """Which named choice explains that 2.x and 3.x differ; None if none does."""
    if phase.states[0].phase == BUILDS:
        return "civil disorder"
    if any(move.via or CAN_GO[ARMY, move.location, move.target] for move in sailing_attackers(phase)):
        return "intent without a whole convoy"
    if any(move.via for move in moves_of(phase)):
        return "told to sail, and nobody sails"
    return None
