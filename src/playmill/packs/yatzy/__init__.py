"""Yatzy's pack: the exact turn, a network that sees one seat, and bots and measures by the solved solitaire game."""
