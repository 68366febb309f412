"""The arena: bots in their seats, paired matches, the gate, and the face that measures of packs have.

from playmill.arena.match import play_match
match = play_match(game, (make_candidate, make_best), seeds, workers=2)
"""
