"""Diplomacy: the standard map, the adjudicator, orders and positions as text. `board.py` is the Python face.

All powers move at once, so this is not a game of the two-player contract. Its own is small: a position is one record
(`state.py`), an order one number (`orders.py`), `phases.advance` carries out a phase, `legal.legal_orders` lists what may be
ordered.
"""
