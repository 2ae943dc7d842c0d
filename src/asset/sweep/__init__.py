"""A model checked for one value of a parameter after the other: how fast it grows, and how far this machine can go."""
