"""What values cells and expressions can have, and in which bits a state is kept."""
