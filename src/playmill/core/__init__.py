"""What every room stands on: seeds, errors, events, files, jit."""
