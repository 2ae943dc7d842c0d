"""Facts about a program. An analysis never changes the program, and never decides what is done with what it finds."""
