"""The ways to solve a problem: one file each, one signature, one dict of them."""

from reasonflux.context import Strategy
from reasonflux.strategies.cot import chain_of_thought
from reasonflux.strategies.reasonflux import planned

STRATEGIES: dict[str, Strategy] = {"reasonflux": planned, "cot": chain_of_thought}
