"""The tsumego factory: from folders of Go game records to puzzles."""
