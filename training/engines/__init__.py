"""Engines: where trajectories are followed. Threads of this process, a Ray cluster, or servers that speak OpenAI's API.

All have one interface (`base`), hand jobs out by the same rules (`dispatch`), and stream results to one store.
"""
