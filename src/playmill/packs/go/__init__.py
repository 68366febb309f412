"""What Go brings besides its rules."""
