"""Where a distilled template comes from, as the text its `source` holds and a person reads."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from reasonflux.distill_groups import Group
from reasonflux.distill_trial import Trial
from reasonflux.prompts import clip

_MAX_IDS = 6
_NUMBERS = re.compile(
    r"; trial: (?:all (?P<all>\d+) solved without it"
    r"|solved (?P<with>\d+) of (?P<tried>\d+) with it, (?P<bare>\d+) without)"
)
_SOURCE = "distilled from "
_REPLACED = {";": ",", "$": "_", "{": "(", "}": ")", "\\": "/"}


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the distillation of one template went by.

    Attributes:
        file: name of the file of worked problems.
        records: ids of the problems it was made from.
        model: spec of the model that wrote it.
        prompt_version: digest of the prompts.
        seed: the sampler's seed.
        group: hash of the problems on either side.
    """

    file: str
    records: Sequence[str]
    model: str
    prompt_version: str
    seed: int
    group: str

    @classmethod
    def of(cls, group: Group, *, file: str, model: str, prompt_version: str, seed: int) -> Self:
        """Return the provenance of what is made from a group."""
        return cls(file, [worked.id for worked in group.making], model, prompt_version, seed, group.key)

    def told(self, trial: Trial | None = None) -> str:
        """Return it as one line of at most 1,000 characters, with the trial's numbers where there are any."""
        ids = [clip(plain(record), 40) for record in self.records[:_MAX_IDS]]
        more = f" and {len(self.records) - _MAX_IDS} more" if len(self.records) > _MAX_IDS else ""
        numbers = f"; trial: {trial.told}" if trial is not None else ""
        return (
            f"{_SOURCE}{clip(plain(self.file), 100)}, records {', '.join(ids)}{more}{numbers}; "
            f"model {clip(plain(self.model), 200)}; prompts {self.prompt_version}; seed {self.seed}; group {self.group}"
        )


def trial_of(source: str) -> dict[str, int | None] | None:
    """Return the numbers of the trial that a template's source tells of, None where it tells of none."""
    found = _NUMBERS.search(source) if source.startswith(_SOURCE) else None
    if found is None:
        return None
    if found["all"] is not None:
        return {"tried": int(found["all"]), "with_template": None, "without": int(found["all"])}
    return {"tried": int(found["tried"]), "with_template": int(found["with"]), "without": int(found["bare"])}


def plain(text: str) -> str:
    """Return a name from outside as one line that neither breaks a template's rules nor reads like mathematics."""
    folded = unicodedata.normalize("NFC", " ".join(text.split()))
    return "".join(_REPLACED.get(c, c) if c.isprintable() else "?" for c in folded)
