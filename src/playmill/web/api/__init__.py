"""What the pages ask the server for: one router for each concern."""
