"""Programs written in the languages of other tools."""
