"""Where everything on a map goes: curves, spaces, names and shores, as arrays of JAX and shapes of shapely."""
