"""Putting the parts of a run together for a command: settings, models, library, sandbox, run store."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonflux.commands import console, settings
from reasonflux.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from reasonflux.commands.usage_counter import UsageCounter
    from reasonflux.config import SolveSettings
    from reasonflux.context import AnswerComparer, Context, ProgramTool, Strategy
    from reasonflux.grading import Grader
    from reasonflux.models.base import ChatModel
    from reasonflux.retrieval import TemplateSource
    from reasonflux.runs import RunHeader, RunStore
    from reasonflux.types import Problem

PLANLESS = frozenset({"cot"})
"""Strategies that use neither a planner nor a library."""


@dataclass(frozen=True)
class Choices:
    """What a command was told; None means that the settings file or the default decides."""

    model: str | None = None
    planner: str | None = None
    planning: str | None = None
    library: str | None = None
    home: Path | None = None
    weights: Path | None = None
    strategy: str | None = None
    budget: int | None = None
    max_revisions: int | None = None
    seed: int | None = None
    tools: bool = True
    prompt_cache: bool = True
    slots: int = 1
    quiet: bool = False


@dataclass(frozen=True)
class Resolved:
    """The choices with the settings file and the defaults filled in. `planner` is None where it is the model."""

    home: Path
    weights: Path
    model: str
    planner: str | None
    library: str
    settings: "SolveSettings"

    @property
    def plans(self) -> bool:
        """Whether the strategy needs a planner and a library."""
        return self.settings.strategy not in PLANLESS


@dataclass(frozen=True)
class Workbench:
    """Everything a run needs beside the problem. One workbench serves many runs, also at once."""

    resolved: Resolved
    strategy: "Strategy"
    model: "ChatModel"
    planner: "ChatModel | None"
    templates: "TemplateSource | None"
    library_digest: str | None
    tools: "ProgramTool | None"
    answers: "AnswerComparer | None"
    grader: "Grader"
    store: "RunStore"
    usage: "UsageCounter | None" = None

    def context(self, run_id: str) -> "Context":
        """Return the context of one run."""
        from reasonflux.context import Context

        return Context(
            run_id=run_id,
            model=self.model,
            settings=self.resolved.settings,
            planner=self.planner,
            templates=self.templates,
            tools=self.tools,
            answers=self.answers,
        )

    def header(self, problem: "Problem", run_id: str, origin: str | None = None) -> "RunHeader":
        """Return the header of one run, as its file and its documents state it."""
        from datetime import UTC, datetime

        from reasonflux.prompts import prompt_version
        from reasonflux.runs import RunHeader

        plans = self.resolved.plans
        return RunHeader(
            run_id=run_id,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            problem=problem,
            strategy=self.resolved.settings.strategy,
            model=self.model.info,
            planner=(self.planner or self.model).info if plans else None,
            library=self.resolved.library if plans else None,
            library_digest=self.library_digest,
            prompt_version=prompt_version(),
            seed=self.resolved.settings.seed,
            settings=self.resolved.settings.model_dump(mode="json"),
            versions=versions(),
            origin=origin,
        )

    def config(self) -> dict[str, Any]:
        """Return everything that shapes an answer, as JSON values: what a resumed batch must agree with."""
        from reasonflux.prompts import prompt_version

        planner = (self.planner or self.model) if self.resolved.plans else None
        return {
            "strategy": self.resolved.settings.strategy,
            "model": {"spec": self.model.info.spec, "weights_sha256": self.model.info.weights_sha256},
            "planner": {
                "spec": planner.info.spec if planner else None,
                "weights_sha256": planner.info.weights_sha256 if planner else None,
            },
            "library": {
                "name": self.resolved.library if self.resolved.plans else None,
                "digest": self.library_digest,
            },
            "prompt_version": prompt_version(),
            "python_tool": self.tools is not None,
            "settings": self.resolved.settings.model_dump(mode="json"),
        }


def versions() -> dict[str, str]:
    """Return the versions of this package and of Python."""
    import platform
    from importlib.metadata import version

    return {"reasonflux": version("reasonflux"), "python": platform.python_version()}


def resolve(choices: Choices) -> Resolved:
    """Return the choices with the settings file's `[solve]` table and the defaults filled in.

    Raises:
        ConfigError: the settings file can't be read, or a setting is unknown or out of range.
        UsageError: there is no such strategy.
    """
    from reasonflux.config import DEFAULT_MODEL, read_settings_table

    home = settings.home_dir(choices.home)
    table = dict(settings.read_settings(home).get("solve", {}))
    where = f"[solve] of {home / settings.SETTINGS_FILE}"
    names = {}
    for key, given in (("model", choices.model), ("planner", choices.planner), ("library", choices.library)):
        if given is not None and not given.strip():
            raise UsageError(f"--{key} is empty; give its name or leave the option out.")
        # A table under `planner` holds how the planner works, a text which model it is.
        value = None if key == "planner" and isinstance(table.get(key), dict) else table.pop(key, None)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise ConfigError(f"Setting {key} in {where} can't be used: it is no text, or an empty one.")
        names[key] = value if given is None else given
    read_settings_table(table, where)
    for key in ("strategy", "budget", "max_revisions", "seed"):
        if getattr(choices, key) is not None:
            table[key] = getattr(choices, key)
    if choices.planning is not None:
        table["planner"] = table.get("planner", {}) | {"mode": str(choices.planning)}
    solve_settings = read_settings_table(table)
    if not choices.tools:
        instantiator = solve_settings.instantiator.model_copy(update={"tools": False})
        solve_settings = solve_settings.model_copy(update={"instantiator": instantiator})
    if not choices.prompt_cache:
        solve_settings = solve_settings.model_copy(update={"prompt_cache": False})
    model = names["model"] or DEFAULT_MODEL
    return Resolved(
        home=home,
        weights=settings.weights_dir(choices.weights),
        model=model,
        planner=names["planner"] if names["planner"] != model else None,
        library=names["library"] or "default",
        settings=solve_settings,
    )


def find_strategy(name: str) -> "Strategy":
    """Return a strategy by name.

    Raises:
        UsageError: there is none of that name; the message lists those there are.
    """
    from reasonflux.strategies import STRATEGIES

    if name not in STRATEGIES:
        raise UsageError(f"There is no strategy {name!r}; choose one of {', '.join(sorted(STRATEGIES))}.")
    return STRATEGIES[name]


@contextmanager
def workbench(choices: Choices) -> Iterator[Workbench]:
    """Put a run's parts together and take them apart at the end.

    Raises:
        ReasonFluxError: a part can't be had (weights, server, setting).
        LibraryError: the library can't be opened.
    """
    from reasonflux.commands.usage_counter import UsageCounter
    from reasonflux.grading import Grader
    from reasonflux.runs import RunStore

    resolved = resolve(choices)
    strategy = find_strategy(resolved.settings.strategy)
    with ExitStack() as stack:
        tools = _tools(resolved)
        templates = None
        if resolved.plans:
            from reasonflux.commands.assemble_library import open_templates

            templates = stack.enter_context(
                open_templates(resolved.library, home=resolved.home, weights=resolved.weights, quiet=choices.quiet)
            )
        model = _model(resolved.model, resolved, choices)
        stack.callback(model.close)
        planner = None
        if resolved.plans and resolved.planner is not None:
            planner = _model(resolved.planner, resolved, choices)
            stack.callback(planner.close)
        grader = stack.enter_context(Grader())
        yield Workbench(
            resolved=resolved,
            strategy=strategy,
            model=model,
            planner=planner,
            templates=templates,
            library_digest=templates.digest() if templates is not None else None,
            tools=tools,
            answers=_SameAnswer(grader),
            grader=grader,
            store=RunStore(resolved.home),
            usage=UsageCounter(settings.library_path(resolved.library, resolved.home)) if resolved.plans else None,
        )


class _SameAnswer:
    """Says whether two answers are the same value, by the rules of grading."""

    def __init__(self, grader: "Grader") -> None:
        self._grader = grader

    def same(self, first: str, second: str) -> bool | None:
        return self._grader.grade(first, second).correct


def _model(spec: str, resolved: Resolved, choices: Choices) -> "ChatModel":
    from reasonflux.commands.weights_view import ensure_weights
    from reasonflux.models import catalogue_name, load_model

    name = catalogue_name(spec)
    if name is not None:
        ensure_weights([name], resolved.weights, quiet=choices.quiet)
    return load_model(spec, weights_dir=resolved.weights, slots=choices.slots, message=console.note)


def _tools(resolved: Resolved) -> "ProgramTool | None":
    if not resolved.settings.instantiator.tools:
        return None
    from reasonflux.tools.python import PythonTool

    tool = PythonTool()
    if not tool.available:
        console.note(tool.why_not)
        return None
    return tool
