"""Generators of algebra problems."""
