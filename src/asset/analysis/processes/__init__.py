"""Which process each command belongs to, and what the steps of processes share."""
