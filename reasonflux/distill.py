"""Distilling: from groups of worked problems to draft templates that were seen to help.

Each group goes through writing, linting, a look for near-duplicates and a trial; what came of it is one document,
which the state file holds before the library gets the draft. So a killed run loses at most the group it was at, and
a group whose draft may or may not have landed is looked up in the library's history before it is landed again.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from library.lint import Rules
from library.nearest import Likeness, Neighbours
from library.template import Template
from library.validation import validated
from reasonflux.batch_output import BatchOutput
from reasonflux.context import Context
from reasonflux.distill_groups import Group
from reasonflux.distill_provenance import Provenance, plain
from reasonflux.distill_trial import Bench, Trial
from reasonflux.distill_write import MAX_TOKENS, Wanted, Written, write
from reasonflux.errors import BudgetExhausted, ReasonFluxError
from reasonflux.grading import Grader
from reasonflux.models.caller import Budget, ModelCaller
from reasonflux.prompts import clip
from reasonflux.types import ModelCall, Usage

if TYPE_CHECKING:
    from library.embedding import Embedder
    from library.store import Library

Reason = Literal["unreadable", "lint", "duplicate", "not better", "tie"]
TAGS_SHOWN = 40
"""Tags of the library offered to the model, the most used first."""


@dataclass(frozen=True)
class Parts:
    """What a distillation works with beside the groups.

    Attributes:
        file: name of the file the problems come from, for the provenance.
        facts: field and topic of the drafts.
        keep_ties: whether a template that raises nothing and lowers nothing is kept.
        who: whose changes the drafts are.
    """

    context: Context
    grader: Grader
    library: "Library"
    embedder: "Embedder"
    rules: Rules
    budget: Budget
    file: str
    prompt_version: str
    facts: dict[str, str] = field(default_factory=dict)
    keep_ties: bool = False
    who: str = "reasonflux"


class Distiller:
    """Makes a template of a group and judges it. `usage` is what the group worked last took, however it ended."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._neighbours = Neighbours(parts.library)
        self.usage = Usage()

    def work(self, group: Group) -> dict[str, Any]:
        """Return what came of a group, as JSON values: its outcome, and the template in full where there is one.

        Raises:
            BudgetExhausted: what is left of the budget does not suffice for the next call.
            ModelError: the model could not answer.
            LibraryError: the library can't be read.
        """
        parts = self._parts
        self.usage = Usage()
        provenance = Provenance.of(
            group,
            file=parts.file,
            model=parts.context.model.info.spec,
            prompt_version=parts.prompt_version,
            seed=parts.context.settings.seed,
        )
        written = self._write(group, provenance)
        if written.template is None:
            findings = [asdict(finding) for finding in written.findings]
            return self._rejected(group, written.reason or "unreadable", written.detail, findings=findings)
        template = written.template
        nearest = next(iter(self._neighbours.of_new(template, parts.embedder)), None)
        if nearest is not None and nearest.is_duplicate:
            return self._rejected(group, "duplicate", _offer(template, nearest), template, nearest=nearest)
        template, trial = self._try(template, group)
        template = template.model_copy(update={"source": provenance.told(trial)})
        reason = _refusal(trial, keep_ties=parts.keep_ties)
        if reason is not None:
            return self._rejected(group, reason, trial.told, template, trial=trial, nearest=nearest)
        return self._document(group, "accepted", template=template, trial=trial, nearest=nearest, detail=trial.told)

    def stopped(self, group: Group, error: BaseException) -> dict[str, Any]:
        """Return the document of a group whose work ended with an error: what it took, so that the budget knows."""
        return self._document(group, "stopped", detail=str(error) or type(error).__name__)

    def _write(self, group: Group, provenance: Provenance) -> Written:
        parts = self._parts
        if parts.budget.left < MAX_TOKENS:
            raise BudgetExhausted(
                f"{parts.budget.left} tokens are left, and a template may take {MAX_TOKENS}; give a larger --budget "
                "and --resume."
            )
        tags = list(parts.library.tags(status=None))[:TAGS_SHOWN]
        facts = parts.facts | {"source": provenance.told(), "author": clip(plain(provenance.model), 180)}
        settings = parts.context.settings
        wanted = Wanted(group, tags, parts.rules, facts, seed=settings.seed, cache_prompt=settings.prompt_cache)
        return write(wanted, ModelCaller(parts.context.model, parts.budget, on_call=self._count))

    def _try(self, template: Template, group: Group) -> tuple[Template, Trial]:
        bench = Bench(self._parts.context, self._parts.grader, self._parts.budget)
        spent = self.usage
        try:
            program = bench.program_for(template, template.examples[0])
            if program is not None:
                shown = template.examples[0].model_copy(update={"program": program})
                template = template.model_copy(update={"examples": (shown, *template.examples[1:])})
            return template, bench.compare(template, group.trying, always=self._parts.keep_ties)
        finally:
            self.usage = spent + bench.usage

    def _count(self, call: ModelCall) -> None:
        self.usage = self.usage + call.usage

    def _rejected(
        self,
        group: Group,
        reason: Reason,
        detail: str,
        template: Template | None = None,
        *,
        trial: Trial | None = None,
        nearest: Likeness | None = None,
        findings: Sequence[dict[str, Any]] = (),
    ) -> dict[str, Any]:
        document = self._document(group, "rejected", template=template, trial=trial, nearest=nearest, detail=detail)
        return document | {"reason": reason, "findings": list(findings)}

    def _document(
        self,
        group: Group,
        status: Literal["accepted", "rejected", "stopped"],
        *,
        detail: str,
        template: Template | None = None,
        trial: Trial | None = None,
        nearest: Likeness | None = None,
    ) -> dict[str, Any]:
        return {
            "line": group.number,
            "content_hash": group.key,
            "status": status,
            "detail": detail,
            "made_from": [worked.id for worked in group.making],
            "tried_on": [worked.id for worked in group.trying],
            "template": template.model_dump(mode="json") if template else None,
            "trial": asdict(trial) if trial else None,
            "nearest": asdict(nearest) if nearest else None,
            "usage": self.usage.model_dump(),
        }


def distil(
    groups: Sequence[Group], parts: Parts, output: BatchOutput, tell: Callable[[dict[str, Any], int], None]
) -> Iterator[dict[str, Any]]:
    """Work the groups that have no outcome yet, land what is accepted, and yield the outcome of every group.

    Args:
        groups: all groups of the input.
        parts: what to work with; its budget is charged for what earlier runs of the same state took.
        output: the state file.
        tell: called with each new outcome and the number of its group.

    Raises:
        BudgetExhausted: the budget is spent; what was finished stands.
        ModelError: the model could not answer; what was finished stands.
        LibraryError: the library can't be read or written; what was finished stands.
    """
    parts.budget.spend(sum(taken(document) for document in every(output)))
    distiller = Distiller(parts)
    for group in groups:
        known = finished(output, group)
        if known is None:
            try:
                known = distiller.work(group)
            except BaseException as error:
                if distiller.usage.calls:
                    output.append(distiller.stopped(group, error))
                raise
            output.append(known)
            tell(known, group.number)
        if known["status"] == "accepted":
            land(Template.model_validate(known["template"]), parts)
        yield known


def every(output: BatchOutput) -> list[dict[str, Any]]:
    """Return the documents a state file held when it was opened."""
    return [document for documents in output.kept.values() for document in documents]


def finished(output: BatchOutput, group: Group) -> dict[str, Any] | None:
    """Return the outcome that a state file held for a group, None where its work was not finished.

    Raises:
        ReasonFluxError: the outcome lacks a part, since the file was changed by hand.
    """
    known = output.kept.get((group.number, group.key), [])
    document = next((document for document in known if document["status"] in ("accepted", "rejected")), None)
    if document is not None and not _is_whole(document):
        raise ReasonFluxError(
            f"The outcome of group {group.number} in {output.path} is damaged; remove its line and --resume."
        )
    return document


def _is_whole(document: dict[str, Any]) -> bool:
    kinds: dict[str, type | tuple[type, ...]] = {"detail": str, "usage": dict}
    nullable = (dict, type(None))
    kinds |= {"template": nullable, "trial": nullable, "nearest": nullable}
    if document["status"] == "rejected":
        kinds["reason"] = str
    if not all(key in document and isinstance(document[key], kind) for key, kind in kinds.items()):
        return False
    if document["template"] is None:
        return bool(document["status"] == "rejected")
    return validated(document["template"])[0] is not None


def taken(document: dict[str, Any]) -> int:
    """Return the completion tokens that a group's document tells of."""
    usage = document.get("usage")
    tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
    return tokens if isinstance(tokens, int) and tokens >= 0 else 0


def land(template: Template, parts: Parts) -> bool:
    """Add a draft unless it was added before; return whether the library has, or had, it.

    Whoever edited, accepted or removed it since has had the last word: it is not added a second time.
    """
    library = parts.library
    before = library.history(template.slug)
    if any(entry.after is not None and entry.after.get("source") == template.source for entry in before):
        return True
    draft = template.model_copy(update={"status": "draft"})
    (outcome,) = library.add_many([draft], embedder=parts.embedder, who=parts.who, action="distill")
    return outcome.action in ("added", "unchanged")


def summary(documents: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what came of all groups together, as JSON values."""
    accepted = [document for document in documents if document["status"] == "accepted"]
    rejected = [document for document in documents if document["status"] == "rejected"]
    usage = [document["usage"] for document in documents]
    return {
        "accepted": [_brief(document) for document in accepted],
        "rejected": dict(Counter(document["reason"] for document in rejected)),
        "rejections": [_brief(document) | {"reason": document["reason"]} for document in rejected],
        "merge_offers": [
            {"group": document["line"], "into": document["nearest"]["slug"], "template": document["template"]}
            for document in rejected
            if document["reason"] == "duplicate" and _is_open(document["nearest"])
        ],
        "usage": {
            key: sum(each.get(key, 0) for each in usage)
            for key in ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
        },
    }


def _brief(document: dict[str, Any]) -> dict[str, Any]:
    template = document["template"]
    return {
        "group": document["line"],
        "name": template["name"] if template else None,
        "detail": document["detail"],
        "trial": document["trial"],
    }


def _is_open(nearest: dict[str, Any] | None) -> bool:
    """Whether something can be merged into the template: one that was retired takes nothing over."""
    return nearest is not None and nearest.get("status") in ("active", "draft") and "slug" in nearest


def _offer(template: Template, nearest: Likeness) -> str:
    if nearest.same_name:
        return f'the library has a template named "{nearest.name}" ({nearest.status})'
    return (
        f'"{template.name}" says much the same as "{nearest.name}" '
        f"(vectors {nearest.vectors:.2f}, words {nearest.words:.2f}); its examples and tags could go there"
    )


def _refusal(trial: Trial, *, keep_ties: bool) -> Reason | None:
    if trial.with_template is None or trial.with_template == trial.without:
        return None if keep_ties and trial.with_template is not None and trial.tried else "tie"
    return None if trial.with_template > trial.without else "not better"
