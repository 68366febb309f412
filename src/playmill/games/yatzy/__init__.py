"""Swedish Yatzy: `rules.py` is the two-player game, `oracle.py` the solved solitaire one."""
