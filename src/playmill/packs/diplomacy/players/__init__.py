"""Players of Diplomacy behind one call (`player.py`), matches between them, the strength ladder, the engine process."""
