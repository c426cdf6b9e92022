"""What we know: the library of thought templates, its store, its index and its search.

A leaf package: it knows no planner, no chat model and no sandbox. Where it needs to embed text, run a
program or compare answers it is handed an object of a protocol that it defines.
"""
