"""Self-play: games of a searcher against itself, written as replay shards."""
