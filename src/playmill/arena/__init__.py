"""The arena: bots in their seats, paired matches, the gate, and Yatzy measured against its solved game with luck removed.

from playmill.arena.match import play_match
match = play_match(game, (make_candidate, make_best), seeds, workers=2)
"""
