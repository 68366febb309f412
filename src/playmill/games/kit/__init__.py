"""The inside of the conformance kit: samples of play, and the promises that are tried on them. `conformance.py` is its face."""
