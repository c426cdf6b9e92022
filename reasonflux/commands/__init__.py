"""The command groups that `cli.py` mounts, and the console they share."""
