"""The pivot: a typed program of guarded commands. Data only; it knows no language and no engine."""
