"""What a run folder is: its files, its manifest, who works in it and who looks on. Knows no game and no network."""
