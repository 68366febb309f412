"""How Diplomacy is played: evaluation, candidate orders, searches, players, the engine process and the strength ladder.

`players.py` is the Python face. The rules themselves are in `playmill.games.diplomacy`.
"""
