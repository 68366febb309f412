"""How Diplomacy's orders are found: evaluation, candidate order sets, Cartesian search, RM+ over everybody's candidates."""
