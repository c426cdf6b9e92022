"""The loop that plans, fetches, applies, judges and revises.

`solve` is a generator of events, and everything else consumes that stream. A run's state lives in the generator,
so that one `Reasoner` serves any number of problems at once. Every loop is bounded: steps by the trajectory,
attempts by `max_redos`, revisions by `max_revisions`, and all of it by the budget of completion tokens.
"""

import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field

from library.template import Template
from reasonflux import assess, instantiator, planner, retrieval
from reasonflux.context import Context, Conversation
from reasonflux.errors import BudgetExhausted, ContextOverflow
from reasonflux.prompts import clip
from reasonflux.types import (
    AnswerFound,
    Assessment,
    Event,
    Match,
    Noticed,
    PlannedStep,
    PlanProposed,
    PlanRevised,
    Problem,
    RunFinished,
    Solution,
    StepAssessed,
    StepFinished,
    StepResult,
    StepStarted,
    StepTrace,
    TemplateRetrieved,
    Trajectory,
    TrajectoryEntry,
)

DERIVATION = "independent derivation"


@dataclass
class Candidate:
    """A value proposed as the answer. `sources` maps the work that gave it (a program, a text) to a name for it."""

    value: str
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def weight(self) -> tuple[int, bool]:
        """Sort key: distinct derivations first, then whether one of them is the planner's own."""
        return len(self.sources), DERIVATION in self.sources


@dataclass
class _Run:
    """State of one run; it only grows."""

    problem: Problem
    conversation: Conversation
    steps: list[PlannedStep]
    matches: dict[int, Match] = field(default_factory=dict)
    done: list[StepResult] = field(default_factory=list)
    trace: list[StepTrace] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    revisions: int = 0
    replans: int = 0
    derived: bool = False

    def support(self, value: str, name: str, work: str) -> Candidate:
        """Count a derivation of `value`, which joins a candidate of equal value if there is one.

        The same work counts once, and a step that builds on an accepted step of the same value adds nothing.
        """
        comparer = self.conversation.context.answers
        for candidate in self.candidates:
            if candidate.value == value or (comparer is not None and comparer.same(candidate.value, value)):
                if not any(_work(result) in candidate.sources for result in self.done):
                    candidate.sources.setdefault(work, name)
                return candidate
        self.candidates.append(Candidate(value, {work: name}))
        return self.candidates[-1]

    def best(self) -> Candidate | None:
        """Return the candidate with most weight; among equals the one found first."""
        return max(self.candidates, key=lambda candidate: candidate.weight, default=None)


class Reasoner:
    """Plans, follows and solves within one context. Re-entrant and thread-safe: it holds no problem."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def plan(self, problem: Problem) -> Generator[Event, None, Trajectory]:
        """Propose a trajectory for `problem` and yield it with the templates it retrieves."""
        conversation = Conversation(self.context)
        trajectory, _ = yield from self._plan(problem, conversation)
        yield from conversation.drain()
        return trajectory

    def follow(
        self, problem: Problem, trajectory: Trajectory, matches: Mapping[int, Template | None]
    ) -> Iterator[Event]:
        """Carry `trajectory` out on `problem` with the templates given: no assessment and no revision."""
        started = time.monotonic()
        run = _Run(problem, Conversation(self.context), list(trajectory.steps))
        try:
            for index, step in enumerate(run.steps):
                yield StepStarted(step=index, goal=step.goal)
                template = matches.get(index)
                run.matches[index] = Match(step=index, template=template.slug if template else None)
                task = instantiator.Task(problem, step, index, template, index == len(run.steps) - 1, tuple(run.done))
                result = yield from instantiator.work(task, run.conversation)
                yield StepFinished(result=result)
                run.done.append(result)
                run.trace.append(self._entry(run, step, result, None))
            if run.done[-1].answer is not None:
                run.support(run.done[-1].answer, f"step {len(run.done)}", _work(run.done[-1]))
        except (BudgetExhausted, ContextOverflow) as error:
            yield from self._stopped(run, error)
        yield from self._finish(run, started)

    def solve(self, problem: Problem) -> Iterator[Event]:
        """Solve `problem`: plan, then step by step retrieve, apply, assess and revise, until an answer stands.

        The last event is `RunFinished`. Errors that are not the model's doing leave the generator.
        """
        started = time.monotonic()
        conversation = Conversation(self.context)
        run = _Run(problem, conversation, [])
        try:
            trajectory, templates = yield from self._plan(problem, conversation)
            run.steps = list(trajectory.steps)
            yield from self._execute(run, templates)
        except (BudgetExhausted, ContextOverflow) as error:
            yield from self._stopped(run, error)
        yield from self._finish(run, started)

    def _plan(
        self, problem: Problem, conversation: Conversation
    ) -> Generator[Event, None, tuple[Trajectory, list[tuple[Match, Template | None]]]]:
        proposal = yield from planner.propose(problem, self._shortlist(problem, ()), conversation)
        yield from conversation.drain()
        yield PlanProposed(trajectory=proposal.trajectory, shortlist=proposal.shortlist, problems=proposal.problems)
        yield from self._tell_fallback(proposal)
        matched = []
        for index, step in enumerate(proposal.trajectory.steps):
            matched.append(self._match(index, step))
            yield TemplateRetrieved(match=matched[-1][0])
        return proposal.trajectory, matched

    def _tell_fallback(self, proposal: planner.Proposal) -> Iterator[Event]:
        if proposal.trajectory.origin == "fallback":
            stand_in = "with the nearest template" if proposal.trajectory.steps[0].template.name else "without template"
            yield Noticed(stage="plan", message=f"No plan could be read; one step {stand_in} stands in.")

    def _shortlist(self, problem: Problem, used: tuple[str | None, ...]) -> list[tuple[str, Template]]:
        source = self.context.templates
        if source is None or self.context.settings.planner.mode == "open":
            return []
        count = self.context.settings.planner.shortlist
        found = retrieval.shortlist(source, problem.text, count + len(used))
        return [(slug, template) for slug, template in found if slug not in used][:count]

    def _match(self, index: int, step: PlannedStep) -> tuple[Match, Template | None]:
        if self.context.templates is None:
            return Match(step=index, template=None), None
        opened = self.context.settings.planner.mode == "open"
        least = retrieval.GOOD_MATCH if opened else retrieval.MIN_SCORE
        return retrieval.match_step(self.context.templates, index, step, least=least)

    def _execute(self, run: _Run, matched: list[tuple[Match, Template | None]]) -> Iterator[Event]:
        attempts: dict[int, int] = {}
        feedback = ""
        while len(run.done) < len(run.steps):
            index = len(run.done)
            step = run.steps[index]
            match, template = matched[index]
            run.matches[index] = match
            attempts[index] = attempts.get(index, 0) + 1
            yield StepStarted(step=index, goal=step.goal, attempt=attempts[index])
            last = index == len(run.steps) - 1
            task = instantiator.Task(
                run.problem, step, index, template, last, tuple(run.done), attempts[index], feedback
            )
            result = yield from instantiator.work(task, run.conversation)
            yield from run.conversation.drain()
            yield StepFinished(result=result)
            assessment = yield from self._assess(run, result, last, attempts[index])
            yield from run.conversation.drain()
            yield StepAssessed(step=index, assessment=assessment)
            run.trace.append(self._entry(run, step, result, assessment))
            feedback = ""
            if assessment.verdict in ("finish", "give_up"):
                break
            if assessment.verdict == "redo":
                feedback = assessment.reason if result.answer is None else ""
            elif assessment.verdict == "revise":
                fresh = yield from self._revise(run, matched, assessment.reason)
                if fresh is matched:
                    feedback = assessment.reason
                else:
                    attempts.pop(index, None)
                matched = fresh
            else:
                run.done.append(result)
        if not run.candidates and not run.derived:
            yield from self._derive(run)

    def _assess(self, run: _Run, result: StepResult, last: bool, attempt: int) -> Generator[Event, None, Assessment]:
        settings = self.context.settings
        may_redo = attempt <= settings.assess.max_redos
        may_revise = run.replans < settings.max_revisions
        if result.answer is not None:
            assessment = yield from self._assess_answer(run, result, result.answer, last)
        elif last:
            verdict = "redo" if result.how == "nothing" else "revise"
            assessment = Assessment.model_validate({"verdict": verdict, "reason": "The step gave no answer."})
        else:
            assessment = yield from assess.judge(run.problem, run.steps, result, run.conversation, before=run.done)
            if assessment.verdict == "finish" and not run.candidates:
                assessment = Assessment(verdict="accept", reason=f"{assessment.reason} But no answer stands yet.")
        if assessment.verdict == "redo" and not may_redo:
            assessment = Assessment(verdict="revise", reason=assessment.reason)
        if assessment.verdict == "revise" and not may_revise:
            if last and may_redo:
                return Assessment(verdict="redo", reason=assessment.reason)
            verdict = "finish" if last else "accept"
            reason = f"{assessment.reason} No revision is left."
            assessment = Assessment.model_validate({"verdict": verdict, "reason": reason})
        return assessment

    def _assess_answer(
        self, run: _Run, result: StepResult, answer: str, last: bool
    ) -> Generator[Event, None, Assessment]:
        candidate = run.support(answer, f"step {result.step + 1}", _work(result))
        if len(candidate.sources) > 1:
            return Assessment(verdict="finish", reason="Two derivations give the same value.")
        if not run.derived:
            derived = yield from self._derive(run)
            if derived is candidate:
                return Assessment(verdict="finish", reason="An independent derivation gives the same value.")
        values = " and ".join(candidate.value[:60] for candidate in run.candidates)
        reason = f"Derivations disagree: {values}." if len(run.candidates) > 1 else f"Nothing confirms {values} yet."
        return Assessment(verdict="revise" if last else "accept", reason=reason)

    def _derive(self, run: _Run) -> Generator[Event, None, Candidate | None]:
        run.derived = True
        value = yield from assess.derive(run.problem, run.conversation)
        yield from run.conversation.drain()
        return run.support(value, DERIVATION, DERIVATION) if value is not None else None

    def _revise(
        self, run: _Run, matched: list[tuple[Match, Template | None]], reason: str
    ) -> Generator[Event, None, list[tuple[Match, Template | None]]]:
        index = len(run.done)
        before = tuple(run.steps[index:])
        used = tuple(match.template for match in run.matches.values())
        done = [
            f"{clip(entry.goal, planner.DONE_GOAL_LIMIT)}: {'; '.join(result.facts) or 'nothing'}"
            for entry, result in zip(run.steps, run.done, strict=False)
        ]
        proposal = yield from planner.propose(
            run.problem, self._shortlist(run.problem, used), run.conversation, done=done, reason=reason
        )
        yield from run.conversation.drain()
        yield from self._tell_fallback(proposal)
        run.replans += 1
        after = proposal.trajectory.steps
        if [(step.goal, step.template.name) for step in after] == [(step.goal, step.template.name) for step in before]:
            yield Noticed(stage="plan", message="The planner keeps to its steps; the step is worked again.")
            return matched
        run.revisions += 1
        run.steps[index:] = after
        yield PlanRevised(after_step=index, before=before, after=after, reason=reason)
        fresh = []
        for offset, step in enumerate(after):
            fresh.append(self._match(index + offset, step))
            yield TemplateRetrieved(match=fresh[-1][0])
        return matched[:index] + fresh

    def _stopped(self, run: _Run, error: BudgetExhausted | ContextOverflow) -> Iterator[Event]:
        run.conversation.flags.add("budget" if isinstance(error, BudgetExhausted) else "context_overflow")
        run.conversation.flags.add("partial")
        yield from run.conversation.drain()
        yield Noticed(stage=error.stage or "run", message=str(error))

    def _entry(self, run: _Run, step: PlannedStep, result: StepResult, assessment: Assessment | None) -> StepTrace:
        match = run.matches.get(result.step)
        return StepTrace(
            goal=step.goal,
            template=match.template if match else None,
            output=result.output,
            tool_calls=result.tool_calls,
            assessment=assessment,
        )

    def _finish(self, run: _Run, started: float) -> Iterator[Event]:
        best = run.best()
        if best is not None:
            yield AnswerFound(answer=best.value, source=", ".join(best.sources.values()))
        total = sum(len(candidate.sources) for candidate in run.candidates)
        yield RunFinished(
            solution=Solution(
                answer=best.value if best else None,
                status="answered" if best else "no_answer",
                confidence=round(len(best.sources) / total, 3) if best else None,
                flags=tuple(sorted(run.conversation.flags)),
                trajectory=tuple(
                    TrajectoryEntry(
                        step=index + 1,
                        goal=step.goal,
                        template=run.matches[index].template if index in run.matches else None,
                    )
                    for index, step in enumerate(run.steps)
                ),
                steps=tuple(run.trace),
                revisions=run.revisions,
                usage=run.conversation.usage,
                seconds=time.monotonic() - started,
                run_id=self.context.run_id,
            )
        )


def _work(result: StepResult) -> str:
    return result.tool_calls[-1].program if result.how == "computed" else result.output
