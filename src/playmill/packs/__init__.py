"""Packs: what the engine can't know about a game, one place for each game.

A pack brings network kinds, heads, searches, bots, measures and presets; the rooms below have the tables that it enters
them into, and know no game by name. `registry.py` finds packs, those of other packages by entry point; `pack.py` is the whole
contract. Rules are not here: they are in `games`, and import nothing heavy.
"""
