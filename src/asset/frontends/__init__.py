"""Front ends: each turns models in one language into programs of the IR. None knows of another."""
