"""Generators of intermediate algebra."""
