"""Games of self-play: played on all threads, written as one JSON line each, checked, exported and imported."""
