"""Which templates a run planned, retrieved and was solved with, gathered from its events."""

from library.template import name_key
from reasonflux.types import Event, Match, PlannedStep, PlanProposed, PlanRevised, RunFinished, TemplateRetrieved

_NOT_STOOD = frozenset({"redo", "revise", "give_up"})


class UsageTally:
    """Counts each template at most once a run, and nothing before the run has its end."""

    def __init__(self) -> None:
        self._steps: list[PlannedStep] = []
        self._planned: set[str] = set()
        self._retrieved: set[str] = set()
        self.planned: frozenset[str] = frozenset()
        """Slugs of templates that a plan, or a revision of it, named itself."""
        self.retrieved: frozenset[str] = frozenset()
        """Slugs of templates fetched for a step, also where the plan named none that exists."""
        self.solved: frozenset[str] = frozenset()
        """Slugs of the templates of the steps that stood, where the run found an answer."""

    def see(self, event: Event) -> None:
        """Take in the next event of the run."""
        if isinstance(event, PlanProposed):
            self._steps = list(event.trajectory.steps)
        elif isinstance(event, PlanRevised):
            self._steps[event.after_step :] = event.after
        elif isinstance(event, TemplateRetrieved):
            self._see_match(event.match)
        elif isinstance(event, RunFinished):
            self.planned, self.retrieved = frozenset(self._planned), frozenset(self._retrieved)
            if event.solution.status == "answered":
                self.solved = frozenset(
                    step.template
                    for step in event.solution.steps
                    if step.template is not None
                    and (step.assessment is None or step.assessment.verdict not in _NOT_STOOD)
                )

    def _see_match(self, match: Match) -> None:
        if match.template is None:
            return
        self._retrieved.add(match.template)
        if match.step < len(self._steps):
            wanted = self._steps[match.step].template.name
            if wanted == match.template or (match.name is not None and name_key(wanted) == name_key(match.name)):
                self._planned.add(match.template)
