"""The training loop: self-play, training, gate, again; every step on disk before the next one starts."""
