"""`reasonflux library init --update`: merging the seed of this version into a library that is there."""

from pathlib import Path

from reasonflux.commands import assemble_library, console
from reasonflux.commands.library_options import opened
from reasonflux.errors import UsageError


def merge_seed(path: Path, seed: str, weights_dir: Path, *, dry_run: bool, as_json: bool) -> None:
    """Merge a seed into a library and say what came of it.

    Raises:
        UsageError: there is no such seed.
        LibraryError: the library can't be opened or written.
    """
    from library.seeding import SEEDS, merge

    if seed not in SEEDS:
        raise UsageError(f'There is no seed "{seed}"; choose one of {", ".join(SEEDS)}.')
    with opened(path) as store:
        merged = merge(
            store,
            embedder=lambda: assemble_library.load_embedder(weights_dir, quiet=as_json),
            who=assemble_library.user_name(),
            dry_run=dry_run,
        )
        count = store.count(status=None)
    names = {
        "added": merged.added,
        "updated": merged.updated,
        "kept": merged.kept,
        "removed": merged.removed,
    }
    if as_json:
        document = {"library": str(path), "created": False, "templates": count, "dry_run": dry_run}
        document |= {"change": merged.change, "unchanged": len(merged.unchanged)}
        console.write_json(document | {part: list(listed) for part, listed in names.items()})
        return
    prefix = "Dry run, nothing was changed: " if dry_run else ""
    console.write(
        f"{prefix}{len(merged.added)} added, {len(merged.updated)} updated, {len(merged.unchanged)} unchanged, "
        f"{len(merged.kept)} kept as edited, {len(merged.removed)} left removed ({path})."
    )
    for part, why in (("kept", "Kept, edited here"), ("removed", "Left out, removed here")):
        for name in names[part]:
            console.write(console.clean(f"  {why}: {name}"))
