"""The one driver of games: a cohort of many games side by side, players in their seats, a recorder that listens."""
