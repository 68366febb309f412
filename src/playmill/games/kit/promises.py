"""The promises of the game contract, in the order in which they are best read."""

from __future__ import annotations

from playmill.games.kit import behaviour, chance, looks, memory, symmetry

PROMISES = {
    promise.name: promise
    for promise in (
        behaviour.kernels_compile,
        # First of all nobody writes past an array's end: what follows hands arrays over that have no room to spare.
        memory.play_stays_in_its_record,
        memory.outcome_fills_the_scores,
        memory.points_are_filled,
        memory.encode_fills_its_row,
        behaviour.games_end,
        behaviour.legal_actions_in_order,
        behaviour.same_seed_same_bytes,
        behaviour.one_key_per_record,
        behaviour.state_agrees,
        behaviour.the_twin_agrees,
        behaviour.plain_python_agrees,
        behaviour.chance_is_an_argument,
        behaviour.encode_does_not_see_the_seats,
        behaviour.distinct_actions_stand_for_all,
        behaviour.afterstates_come_before_chance,
        chance.quiet_actions_meet_no_chance,
        chance.outcomes_are_what_chance_does,
        chance.states_of_one_eval_key_look_alike,
        symmetry.symmetries_keep_the_rules,
        memory.questions_change_nothing,
        memory.utilities_are_as_declared,
        memory.states_survive_storage,
        memory.logit_ids_in_range,
        memory.decisions_are_0_or_1,
        looks.pictures_are_svg,
        behaviour.the_golden_playthrough_replays,
    )
}
