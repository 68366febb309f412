"""Rules: games as plain data and a few kernels. `game.py` is the contract, `registry.py` knows the games."""
