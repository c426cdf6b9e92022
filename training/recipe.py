"""A recipe: all that a pipeline does, in one YAML file. Unknown keys are refused and no key is silently ignored.

Each table holds the settings of the command of its stage, so that what a recipe says can be tried by hand too.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from reasonflux.config import DEFAULT_MODEL, Settings
from reasonflux.errors import ConfigError
from training.evaluation_settings import EvaluationSettings
from training.rollout_settings import PairSettings, RewardSettings, TrajectorySettings
from training.settings import DpoSettings, SftSettings


class ProblemSettings(Settings):
    """Where problems come from: fresh ones of the library's templates, or two files.

    Attributes:
        train: problems to train on.
        held_out: problems to evaluate on.
        difficulty: 1 easy, 2 usual, 3 of a contest.
        templates: how many templates problems are drawn of, chosen by the seed; None for all that can be.
        among: slugs of the templates to draw of, in place of a number.
        train_file: problems to train on, in place of fresh ones.
        held_out_file: problems to evaluate on, in place of fresh ones.
        seed: of the choice and of the draws.
    """

    train: int = Field(default=120, ge=1)
    held_out: int = Field(default=60, ge=1)
    difficulty: int = Field(default=1, ge=1, le=3)
    templates: int | None = Field(default=None, ge=1)
    among: list[str] = Field(default_factory=list)
    train_file: str | None = None
    held_out_file: str | None = None
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _one_origin(self) -> "ProblemSettings":
        if (self.train_file is None) != (self.held_out_file is None):
            raise ValueError("'train_file' and 'held_out_file' go together")
        if self.train_file is not None and {"train", "held_out", "difficulty", "templates", "among"} & (
            self.model_fields_set
        ):
            raise ValueError("problems come of files or are drawn, not both")
        if self.templates is not None and self.among:
            raise ValueError("'templates' and 'among' exclude one another")
        return self


class ColdStartSettings(TrajectorySettings):
    """How the trajectories of the cold start are sampled.

    Attributes:
        planner: the model that plans; None for the structure-tuned one.
    """

    planner: str | None = None


class ScoringSettings(EvaluationSettings):
    """How planners are compared.

    Attributes:
        score: which of them are scored and solve, as NAME/PLANNING; empty for all.
    """

    score: list[str] = Field(default_factory=list)


class EngineSettings(Settings):
    """What follows trajectories.

    Attributes:
        kind: threads of one process, or a Ray cluster.
        parallel: requests a model or endpoint gets at once.
        workers: actors of a Ray cluster.
        address: a running cluster; None for one started here.
        gpus: accelerators an actor takes.
    """

    kind: Literal["local", "ray"] = "local"
    parallel: int = Field(default=1, ge=1)
    workers: int = Field(default=1, ge=1)
    address: str | None = None
    gpus: float = Field(default=0.0, ge=0)


class Recipe(Settings):
    """A whole run.

    Attributes:
        name: what it is called.
        about: what it is for and what it takes.
        library: name or path; None for what the command or the environment says.
        planner: the model that is trained: an HF folder, a Hub name, or a GGUF of the catalogue.
        model: what follows trajectories, or several endpoints of one model.
        cold_start: None to leave it out; DPO then starts from the structure-tuned planner.
        launch: an `accelerate` configuration that training runs under: a file, or one that comes with the package.
    """

    name: str = Field(min_length=1, pattern=r"^[\w.-]+$")
    about: str = ""
    library: str | None = None
    planner: str = Field(min_length=1)
    model: str | list[str] = DEFAULT_MODEL
    problems: ProblemSettings = ProblemSettings()
    structure: SftSettings = SftSettings()
    cold_start: ColdStartSettings | None = ColdStartSettings()
    sft: SftSettings = SftSettings()
    trajectories: TrajectorySettings = TrajectorySettings()
    reward: RewardSettings = RewardSettings()
    pairs: PairSettings = PairSettings()
    dpo: DpoSettings = DpoSettings()
    eval: ScoringSettings = ScoringSettings()
    engine: EngineSettings = EngineSettings()
    launch: str | None = None

    @field_validator("model")
    @classmethod
    def _some_model(cls, value: str | list[str]) -> str | list[str]:
        if not value or not all(value):
            raise ValueError("it names no model")
        return value

    @property
    def models(self) -> list[str]:
        """The models that follow trajectories."""
        return [self.model] if isinstance(self.model, str) else list(self.model)


def read_recipe(path: Path) -> Recipe:
    """Return the recipe of a YAML file.

    Raises:
        ConfigError: the file can't be read, a key is unknown or stands twice, or a value can't be used; the message
            names it.
    """
    import yaml

    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=_loader())
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The recipe {path} can't be read: {error}.") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"The recipe {path} is no YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(data, dict):
        raise ConfigError(f"The recipe {path} is no table of settings.")
    return recipe_of(data, str(path))


def recipe_of(data: Mapping[str, Any], where: str) -> Recipe:
    """Return the recipe that a table gives; errors as for `read_recipe`."""
    try:
        return Recipe.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors()[0]
        # A part of the place that is no key of the file says which kind of value was tried.
        name = ".".join(str(part) for part in first["loc"] if not str(part).startswith(("list[", "str"))) or "recipe"
        if first["type"] == "extra_forbidden":
            raise ConfigError(f"Setting {name} in {where} is unknown; `docs/training.md` lists those there are.") from (
                error
            )
        if first["type"] == "missing":
            raise ConfigError(f"{where} lacks the setting {name}.") from error
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"Setting {name} in {where} can't be used: {message}.") from error


def find_recipe(name: str) -> Path:
    """Return the file of a recipe given by path, or by the name of one that comes with the package.

    Raises:
        ConfigError: there is none.
    """
    path = Path(name).expanduser()
    if path.is_file():
        return path
    shipped = Path(__file__).parent / "recipes"
    known = sorted(file.stem for file in shipped.glob("*.yaml"))
    if name in known:
        return shipped / f"{name}.yaml"
    raise ConfigError(f"There is no recipe {name}; give a file, or one of {', '.join(known)}.")


def find_launch(name: str, beside: Path) -> Path:
    """Return the `accelerate` configuration that a recipe names, as a path or as one that comes with the package.

    Args:
        name: as the recipe says it.
        beside: the folder that a relative path is meant from.

    Raises:
        ConfigError: there is none.
    """
    given = beside / Path(name).expanduser()
    if given.is_file():
        return given
    shipped = Path(__file__).parent / "recipes" / "accelerate"
    if (shipped / f"{name}.yaml").is_file():
        return shipped / f"{name}.yaml"
    known = ", ".join(sorted(file.stem for file in shipped.glob("*.yaml")))
    raise ConfigError(f"There is no accelerate configuration {name}; give a file, or one of {known}.")


def _loader() -> Any:
    """Return a safe YAML loader that refuses a key that stands twice."""
    import yaml

    class Once(yaml.SafeLoader):
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            keys = [self.construct_object(key, deep=True) for key, _ in node.value]
            twice = next((key for key in keys if keys.count(key) > 1), None)
            if twice is not None:
                raise yaml.constructor.ConstructorError(None, None, f"the key {twice!r} stands twice", node.start_mark)
            return super().construct_mapping(node, deep=deep)

    return Once
