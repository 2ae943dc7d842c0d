"""The version of ASSET, as pyproject.toml has it."""

VERSION = "0.1.0"
