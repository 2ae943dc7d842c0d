"""The state space as a picture: explored, perhaps condensed or projected, laid out in layers, drawn."""
