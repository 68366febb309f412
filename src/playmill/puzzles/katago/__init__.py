"""KataGo, an engine that plays Go, as a process beside ours: installing it, asking it about positions, keeping its answers."""
