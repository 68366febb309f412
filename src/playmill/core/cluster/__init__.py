"""Tasks on the machines of a Ray cluster: the other executor (`../executor.py`). Ray is an extra, imported when asked for."""
