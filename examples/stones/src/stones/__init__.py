"""Stones: a game outside playmill, with a pack of its own."""
