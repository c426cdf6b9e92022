"""Structure rows: a template's name and tags, from which its description and scope are to be told.

They teach a planner what the library holds, L_struct = −E log π(T_des, T_sco | T_nam, T_tag) of Yang et al. 2025,
section 3.2. Templates are split whole into train and held-out, by their slugs and a seed alone.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from library.template import Template
from reasonflux.errors import UsageError
from reasonflux.prompts import render
from training.records import Placed, SftRow, Turn

Item = TypeVar("Item")


def structure_row(template: Template) -> SftRow:
    """Return the row of a template: prompt (T_nam, T_tag), completion (T_des, T_sco)."""
    messages = render("structure", method=template.name, tags=", ".join(template.tags) or "none")
    told = f"Description: {template.description}"
    if template.scope:
        told += f"\nScope: {template.scope}"
    return SftRow(
        prompt=tuple(Turn(role=message.role, content=message.content) for message in messages),
        completion=(Turn(role="assistant", content=told),),
        kind="structure",
        source=template.slug,
    )


def structure_rows(
    templates: Iterable[Template], *, held_out: float, seed: int
) -> tuple[list[Placed[SftRow]], list[Placed[SftRow]]]:
    """Return the rows of templates as (train, held-out), each in the order of their slugs.

    Args:
        templates: the templates of a library.
        held_out: share of templates held out, in [0, 1).
        seed: seed of the split.

    Raises:
        UsageError: there are no templates.
    """
    rows = [Placed(f"template {template.slug}", structure_row(template)) for template in templates]
    if not rows:
        raise UsageError("The library has no template to learn from; add some with `reasonflux library import`.")
    rows.sort(key=lambda placed: placed.row.source)
    return split(rows, lambda placed: placed.row.source, held_out=held_out, seed=seed)


def split(
    items: Sequence[Item], group: Callable[[Item], str], *, held_out: float, seed: int
) -> tuple[list[Item], list[Item]]:
    """Return items as (train, held-out), in their order and no group in both; a function of groups and seed alone.

    The groups with the smallest seeded hashes are held out, so that one group more moves at most one other. With
    two groups or more and a share above 0 neither side is empty.
    """
    groups = sorted({group(item) for item in items}, key=lambda name: _rank(name, seed))
    wanted = min(math.floor(held_out * len(groups) + 0.5) or int(held_out > 0), len(groups) - 1)
    kept_out = set(groups[: max(wanted, 0)])
    train = [item for item in items if group(item) not in kept_out]
    return train, [item for item in items if group(item) in kept_out]


def _rank(name: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()
