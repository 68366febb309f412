"""Go problems: found in game records, proved, graded and reviewed."""
