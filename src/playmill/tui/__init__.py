"""The terminal screen: runs picked, made, started, watched and stopped, games and searches stepped through."""
