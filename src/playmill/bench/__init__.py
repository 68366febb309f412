"""`playmill bench`: named measurements of the real code paths, beside the peers where those are installed."""
