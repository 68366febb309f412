"""The conveyor from game records to puzzles: hunter, localizer, validator, solution, writer, with a record between them."""
