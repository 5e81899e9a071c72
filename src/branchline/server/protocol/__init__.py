"""What clients and the server say to each other, as models: the one declaration of every message."""
