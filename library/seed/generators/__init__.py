"""Generators of the seed library: one folder a field, one module a topic, one generator a template."""
