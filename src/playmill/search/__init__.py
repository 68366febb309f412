"""Search: arena PUCT for many games in lockstep, generic over the game contract."""
