"""How we think: plan a trajectory of templates, fetch them, instantiate them, assess and revise."""

__version__ = "0.1.0"
