r"""What of a query is searched for: its text without the code of drawings.

A problem of a competition may hold a figure as Asymptote or TikZ code. Its words and numbers say how to draw, not what
is asked, and they would crowd the problem's own out of a vector and out of the words that are looked up.
"""

import re

QUERY_CHARACTERS = 20_000
"""How much of a query is looked at; as much as an example's problem may have."""

_DRAWINGS = re.compile(
    r"\[asy\].*?(?:\[/asy\]|\Z)|\\begin\{(asy|tikzpicture)\}.*?(?:\\end\{\1\}|\Z)", re.DOTALL | re.IGNORECASE
)


def searched_text(query: str) -> str:
    r"""Return the part of a query that is searched for, as text that every part of the search takes.

    Drawings (`[asy]…[/asy]`, and the environments `asy` and `tikzpicture`) are cut out, up to the end where one is not
    closed; a query of drawings alone is searched for as it stands. Of what is left the first 20,000 characters count.
    """
    without = _DRAWINGS.sub(" ", query).strip()
    return (without or query.strip())[:QUERY_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
