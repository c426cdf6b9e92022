"""Does a template help? The same problems solved in one step with it and without it, under the same limits and seed.

Only `follow` is used: no plan, no search and no judgement stand between the template and the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from library.template import Example, Template
from reasonflux.context import Context
from reasonflux.distill_groups import Worked
from reasonflux.errors import BudgetExhausted
from reasonflux.grading import Grader
from reasonflux.instantiator import answer_of
from reasonflux.models.caller import Budget
from reasonflux.planner import FALLBACK_GOAL
from reasonflux.reasoner import Reasoner
from reasonflux.types import PlannedStep, Problem, RunFinished, Solution, TemplateRef, Trajectory, Usage

_MAX_PROGRAM = 4_000
_SHOW = "print('answer =', answer)"


@dataclass(frozen=True, slots=True)
class Trial:
    """How many of some problems were solved with a template and without it.

    Attributes:
        tried: problems whose answers could be graded on both sides.
        with_template: solved with it; None where it was not tried, since everything was solved without it.
        without: solved without it.
        undecided: problems left out because an answer could not be graded.
    """

    tried: int
    with_template: int | None
    without: int
    undecided: int = 0

    @property
    def told(self) -> str:
        """The numbers in words."""
        if self.with_template is None:
            return f"all {self.tried} solved without it, which leaves nothing to raise"
        left_out = f", {self.undecided} left out" if self.undecided else ""
        return f"solved {self.with_template} of {self.tried} with it, {self.without} without{left_out}"


class Bench:
    """Solves worked problems in one step; every run reserves its tokens from one budget."""

    def __init__(self, context: Context, grader: Grader, budget: Budget) -> None:
        """Take what a run needs.

        Args:
            context: model, tools and settings; its settings' budget is what each run may take.
            grader: compares answers.
            budget: what all runs together may take.
        """
        settings = context.settings
        repairs = settings.instantiator.max_repairs + 1
        self.limit = min(settings.budget, settings.instantiator.max_tokens * repairs)
        self._context = replace(context, settings=settings.model_copy(update={"budget": self.limit}))
        self._grader = grader
        self._budget = budget
        self.usage = Usage()

    def compare(self, template: Template, problems: Sequence[Worked], *, always: bool = False) -> Trial:
        """Try a template on problems it was not made from.

        Args:
            template: the template.
            problems: what to solve.
            always: whether to run with the template also where everything was solved without it.

        Raises:
            BudgetExhausted: what is left is less than a run may take.
            ModelError: the model could not answer.
        """
        without = [self._solved(worked, None) for worked in problems]
        if not always and without and all(without):
            return Trial(len(without), None, len(without))
        pairs = [(self._solved(worked, template), bare) for worked, bare in zip(problems, without, strict=True)]
        decided = [(ours, bare) for ours, bare in pairs if ours is not None and bare is not None]
        return Trial(
            tried=len(decided),
            with_template=sum(ours for ours, _ in decided),
            without=sum(bare for _, bare in decided),
            undecided=len(pairs) - len(decided),
        )

    def program_for(self, template: Template, example: Example) -> str | None:
        """Return a program that carries the template out on its example and prints the right answer, or None.

        Raises:
            BudgetExhausted: what is left is less than a run may take.
            ModelError: the model could not answer.
        """
        tools = self._context.tools
        if tools is None or not tools.available:
            return None
        solution = self._follow(example.problem, template)
        calls = [call for step in solution.steps for call in step.tool_calls if call.status == "ok"]
        if not calls or not self._is_right(example, solution.answer):
            return None
        program = calls[-1].program.strip() + f"\n{_SHOW}"
        if len(program) > _MAX_PROGRAM:
            return None
        again = tools.run(program)
        printed = answer_of(again.output) if again.status == "ok" else None
        return program if self._is_right(example, printed) else None

    def _solved(self, worked: Worked, template: Template | None) -> bool | None:
        solution = self._follow(worked.problem, template)
        example = Example(problem=worked.problem, answer=worked.answer, grader=worked.grader)
        return self._is_right(example, solution.answer)

    def _is_right(self, example: Example, answer: str | None) -> bool | None:
        if answer is None:
            return False
        return self._grader.grade(example.answer, answer, grader=example.grader, question=example.problem).correct

    def _follow(self, problem: str, template: Template | None) -> Solution:
        if self._budget.left < self.limit:
            raise BudgetExhausted(
                f"{self._budget.left} tokens are left, and a run may take {self.limit}; give a larger --budget and "
                "--resume."
            )
        reference = TemplateRef(name=template.name if template else "")
        step = PlannedStep(goal=FALLBACK_GOAL, template=reference)
        events = Reasoner(self._context).follow(
            Problem(text=problem), Trajectory(steps=(step,), origin="given"), {0: template}
        )
        finished = None
        taken = Usage()
        try:
            for event in events:
                if event.kind == "model_called":
                    taken = taken + event.call.usage
                elif isinstance(event, RunFinished):
                    finished = event.solution
        finally:
            # Also what a run took that a dead server or an interrupt ended.
            self._budget.spend(taken.completion_tokens)
            self.usage = self.usage + taken
        if finished is None:
            raise AssertionError("a run ends with its solution")
        return finished
