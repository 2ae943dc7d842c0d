"""Reports: each reads a Verdict and nothing else."""
