"""Our games in other people's frameworks, and their games under our search."""
