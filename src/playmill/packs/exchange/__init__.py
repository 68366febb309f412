"""What EXCHANGE brings besides its rules."""
