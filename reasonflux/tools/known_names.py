"""Names that programs use without importing them, and the import each stands for."""

import ast
from collections.abc import Iterable, Iterator

_MODULES = (
    "bisect cmath collections datetime decimal fractions functools heapq itertools json math mpmath numpy operator "
    "random re statistics string sympy sys time"
)
_ALIASES = {
    "np": "import numpy as np",
    "sp": "import sympy as sp",
    "sy": "import sympy as sy",
    "π": "from sympy import pi as π",
}
_STANDARD = {
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "decimal": "Decimal getcontext",
    "fractions": "Fraction",
    "functools": "cache lru_cache reduce",
    "itertools": "accumulate chain combinations combinations_with_replacement count cycle groupby islice pairwise "
    "permutations product takewhile zip_longest",
}
_SHARED = (
    "acos asin atan atan2 cos cosh exp factorial floor gcd lcm log pi sin sinh sqrt tan tanh ceil comb degrees fsum "
    "hypot inf isclose isqrt log10 log2 perm prod radians"
)
_SYMPY = (
    "Abs Derivative Eq Function Integer Integral Interval Limit Matrix Mod Ne Piecewise Poly Product Rational Sum "
    "Symbol apart binomial cancel ceiling collect diff divisor_count divisors expand factor factorint "
    "fibonacci groebner integrate isprime latex limit linsolve lucas mod_inverse nextprime nonlinsolve nroots "
    "nsimplify oo prevprime prime primefactors primepi primerange primitive_root radsimp real_roots residue "
    "resultant roots rsolve series simplify solve solveset summation symbols sympify together totient trigsimp zoo"
)
_NOT_IN_SYMPY = "ceil comb degrees fsum hypot inf isclose isqrt log10 log2 perm radians"


def missing_imports(*trees: ast.Module) -> tuple[str, ...]:
    """Return the import lines for well-known names that `trees`, run one after the other, use but bind nowhere.

    A name that both `math` and `sympy` have (`sqrt`, `pi`) comes from `sympy` where the program uses sympy at all.
    After `from sympy import *` no name of sympy counts as missing.
    """
    nodes = [node for tree in trees for node in ast.walk(tree)]
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    missing = used - set(_bound(nodes))
    sympy_names = missing & set(_SYMPY.split())
    imported = {name.split(".")[0] for name in _imported(nodes)}
    symbolic = bool(sympy_names) or "sympy" in imported
    lines = [f"import {name}" for name in sorted(missing & set(_MODULES.split()))]
    lines += [line for name, line in _ALIASES.items() if name in missing]
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in nodes):
        return tuple(lines)
    for module, names in _STANDARD.items():
        lines += _from(module, missing & set(names.split()))
    shared = missing & set(_SHARED.split())
    of_math = shared & set(_NOT_IN_SYMPY.split()) if symbolic else shared
    return (*lines, *_from("math", of_math), *_from("sympy", sympy_names | (shared - of_math)))


def _from(module: str, names: Iterable[str]) -> list[str]:
    wanted = ", ".join(sorted(names))
    return [f"from {module} import {wanted}"] if wanted else []


def _imported(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _bound(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
