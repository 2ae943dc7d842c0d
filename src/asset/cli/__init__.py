"""The command line: parses, runs a check, and hands the verdict to the reports."""
