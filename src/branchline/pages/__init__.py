"""What the pages of arenas and simulations share: means with intervals."""
