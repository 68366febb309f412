"""The promise about symmetries: a state's image is a state like any other, and the same game goes on from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.games import one
from playmill.games.game import Game
from playmill.games.kit.behaviour import NOISE, SOME, standing
from playmill.games.kit.promise import needs_decisions, needs_kernel, promise
from playmill.games.kit.samples import (
    Moment,
    Sample,
    chance_key_one,
    distinct_actions,
    image_of,
    listed_actions,
    play_word,
    symmetry_action_one,
)

TRIED = 16  # actions of a state that are played, evenly spread: with hundreds of them, and as many symmetries, all take minutes


@promise("symmetries keep the rules", needs_kernel("symmetry"), needs_decisions)
def symmetries_keep_the_rules(game: Game, twin: Any, sample: Sample) -> None:
    for moment in sample.moments(SOME):
        for number in range(1, game.symmetries):
            image = image_of(game, moment.records, number)
            _check_image(moment, number, image)
            if moment.action is not None:
                _check_actions(moment, number, image)


def _check_image(moment: Moment, number: int, image: Any) -> None:
    """The image stands as the state does, has a key of its own, and some symmetry leads back."""
    game, records = moment.game, moment.records
    here, there = ({**standing(game, found), "chance key": chance_key_one(game, found)} for found in (records, image))
    for what, told in there.items():
        if told != here[what]:
            raise moment.breach(f"symmetry {number}: {what} {told}, without it {here[what]}")
    is_same = image.tobytes() == records.tobytes()
    if is_same != (one.key_one(game, image) == one.key_one(game, records)):
        raise moment.breach(
            f"symmetry {number} makes {'the same' if is_same else 'another'} record, and its key says otherwise"
        )
    ways_back = (image_of(game, image, back).tobytes() for back in range(game.symmetries))
    if records.tobytes() not in ways_back:
        raise moment.breach(f"no symmetry leads back from symmetry {number}, which makes '{game.text(image[0])}'")


def _check_actions(moment: Moment, number: int, image: Any) -> None:
    """The actions are those of the image under other names, and lead to the images of where they lead."""
    game, records = moment.game, moment.records
    legal = listed_actions(game, records)
    names = {action: int(symmetry_action_one(game, records.copy(), action, number)) for action in legal}
    if sorted(names.values()) != (expected := listed_actions(game, image)):
        raise moment.breach(
            f"symmetry {number} calls the legal actions {legal} {list(names.values())}, but {expected} are legal"
        )
    if len(distinct_actions(game, image)) != len(distinct_actions(game, records)):
        raise moment.breach(f"under symmetry {number} there are more or fewer distinct actions")
    for action in legal[:: -(-len(legal) // TRIED)]:
        name = names[action]
        before, after = image.copy(), records.copy()
        play_word(game, before, name, np.uint64(NOISE))
        play_word(game, after, action, np.uint64(NOISE))
        if before.tobytes() != image_of(game, after, number).tobytes():
            raise moment.breach(
                f"action {action} and then symmetry {number} is not symmetry {number} and then action {name}, which leads to "
                f"'{game.text(before[0])}'"
            )
