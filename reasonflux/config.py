"""The settings of a run, one small model; unknown keys are refused and nothing here does I/O."""

from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, Field, ValidationError

from reasonflux.errors import ConfigError
from reasonflux.types import Value

DEFAULT_MODEL = "llamacpp:qwen2.5-coder-1.5b"


class Settings(Value):
    """Base of the settings: a value of another type is refused, not converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Table = TypeVar("Table", bound=Settings)


class PlannerSettings(Settings):
    """How a trajectory is proposed and revised."""

    mode: Literal["closed", "open"] = Field(
        default="closed", description="Choose templates from a shortlist, or name them and let the library match."
    )
    shortlist: int = Field(default=6, ge=1, le=50, description="Templates shown to the planner.")
    max_steps: int = Field(default=6, ge=1, le=6, description="Most steps a trajectory may have.")
    max_repairs: int = Field(default=2, ge=0, le=5, description="Times an unreadable plan is sent back.")
    max_tokens: int = Field(default=240, ge=16, description="Completion tokens of one closed plan.")
    open_max_tokens: int = Field(default=400, ge=16, description="Completion tokens of one open plan.")


class InstantiatorSettings(Settings):
    """How a step is worked."""

    max_tokens: int = Field(default=480, ge=16, description="Completion tokens of one step attempt.")
    max_repairs: int = Field(default=1, ge=0, le=2, description="Times a failing program goes back to the model.")
    tools: bool = Field(default=True, description="Whether the model may run Python in the sandbox.")


class AssessSettings(Settings):
    """How a step's result is judged."""

    max_tokens: int = Field(default=160, ge=16, description="Completion tokens of one judgement.")
    check_tokens: int = Field(default=800, ge=16, description="Completion tokens of one independent derivation.")
    max_redos: int = Field(default=1, ge=0, le=5, description="Times one step may be worked again.")


class SolveSettings(Settings):
    """Everything about a run that is not a model, a library or the problem.

    Attributes:
        budget: completion tokens of all calls of a run, all stages and retries.
        max_revisions: times the rest of a trajectory may be replaced.
        prompt_cache: whether a local model may reuse the prompts it has read (bit-equal repeats need False).
    """

    strategy: str = "reasonflux"
    budget: int = Field(default=2048, ge=1)
    max_revisions: int = Field(default=1, ge=0, le=20)
    seed: int = 0
    temperature: float = Field(default=0.0, ge=0.0, le=5.0)
    prompt_cache: bool = True
    planner: PlannerSettings = PlannerSettings()
    instantiator: InstantiatorSettings = InstantiatorSettings()
    assess: AssessSettings = AssessSettings()


class LintSettings(Settings):
    """Which lint rules are on for templates, and what they measure against.

    Attributes:
        tags: a file of the tags that may be used, relative to the settings file; empty where any may.
        strict: whether warnings fail.
    """

    select: list[str] = Field(default_factory=list)
    ignore: list[str] = Field(default_factory=list)
    tags: str = ""
    strict: bool = False
    min_steps: int = Field(default=3, ge=1, le=50)
    max_steps: int = Field(default=8, ge=1, le=50)
    max_step_characters: int = Field(default=400, ge=1)
    min_tags: int = Field(default=2, ge=0, le=50)
    max_tags: int = Field(default=7, ge=0, le=50)
    max_name_characters: int = Field(default=100, ge=1)
    min_scope_words: int = Field(default=6, ge=0)
    min_description_words: int = Field(default=8, ge=0)
    max_program_lines: int = Field(default=25, ge=1)
    probe_similarity: float = Field(default=0.6, gt=0, le=1)
    template_similarity: float = Field(default=0.6, gt=0, le=1)


def read_settings_table(table: dict[str, Any], where: str = "") -> SolveSettings:
    """Return the settings of a table as read from a file or from flags.

    Args:
        table: the settings, under their names.
        where: which file and table they come from, empty for flags.

    Raises:
        ConfigError: a key is unknown or a value is of the wrong type or out of range; the message names the key.
    """
    return _read(SolveSettings, table, where)


def read_lint_table(table: dict[str, Any], where: str = "") -> LintSettings:
    """Return the settings of a table about linting; arguments and errors as for `read_settings_table`."""
    return _read(LintSettings, table, where)


def _read(model: type[Table], table: dict[str, Any], where: str) -> Table:
    try:
        return model.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        place = f" in {where}" if where else ""
        if first["type"] == "extra_forbidden":
            raise ConfigError(f"Setting {name}{place} is unknown{_meant(model, first['loc'])}.") from error
        raise ConfigError(f"Setting {name}{place} can't be used: {first['msg']}.") from error


def _meant(model: type[Settings], place: tuple[int | str, ...]) -> str:
    """Return the near match of an unknown setting, or those there are, as the rest of a sentence."""
    import difflib

    for part in place[:-1]:
        inner = model.model_fields[str(part)].annotation
        if isinstance(inner, type) and issubclass(inner, Settings):
            model = inner
    known = list(model.model_fields)
    near = difflib.get_close_matches(str(place[-1]), known, n=1)
    return f"; did you mean {near[0]}" if near else f"; there are {', '.join(known)}"
