"""The tools a step may use: a Python session in a sandbox."""
