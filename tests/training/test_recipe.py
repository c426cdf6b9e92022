"""Recipes: every one that comes with the package can be read, and a key that means nothing is never passed over."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from reasonflux.errors import ConfigError
from training.recipe import Recipe, find_launch, find_recipe, read_recipe, recipe_of

RECIPES = Path(__file__).parents[2] / "training" / "recipes"
NAMES = ("smoke", "laptop", "gpu-1x", "gpu-8x", "domain")


def with_key(table: Any, path: list[str]) -> Any:
    if not path:
        return {**table, "unheard_of": 1}
    return {**table, path[0]: with_key(table[path[0]], path[1:])}


def test_these_recipes_come_with_the_package() -> None:
    assert sorted(path.stem for path in RECIPES.glob("*.yaml")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_recipe_can_be_read(name: str) -> None:
    recipe = read_recipe(find_recipe(name))
    assert recipe.name == name
    assert recipe.about
    if recipe.launch is not None:
        assert find_launch(recipe.launch, RECIPES).is_file()


@pytest.mark.parametrize("name", NAMES)
def test_unknown_keys_are_refused_at_every_depth(name: str) -> None:
    table = yaml.safe_load((RECIPES / f"{name}.yaml").read_text("utf-8"))
    for path in [[], *[[key] for key, value in table.items() if isinstance(value, dict)]]:
        with pytest.raises(ConfigError, match=r"unheard_of in .* is unknown"):
            recipe_of(with_key(table, path), name)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"planner": None}, "planner"),
        ({"model": []}, "names no model"),
        ({"model": 3}, "model"),
        ({"dpo": {"beta": "0.1"}}, "dpo.beta"),
        ({"trajectories": {"number": 0}}, "trajectories.number"),
        ({"problems": {"train_file": "a"}}, "go together"),
        ({"problems": {"train_file": "a", "held_out_file": "b", "train": 3}}, "not both"),
        ({"problems": {"templates": 3, "among": ["a"]}}, "exclude one another"),
        ({"name": "a/b"}, "name"),
    ],
)
def test_values_that_can_not_be_meant_are_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        recipe_of({"name": "a", "planner": "p", **change}, "r.yaml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: a\nplanner: p\nname: b\n", "'name' stands twice"),
        ("- a\n", "no table"),
        ("a: [\n", "no YAML"),
        ("name: !!python/object:os.system x\n", "no YAML"),
    ],
)
def test_files_that_are_no_recipe_are_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "r.yaml").write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=told):
        read_recipe(tmp_path / "r.yaml")


def test_recipes_and_launches_are_found_by_name_or_path(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: a\nplanner: p\n", "utf-8")
    assert find_recipe(str(tmp_path / "mine.yaml")) == tmp_path / "mine.yaml"
    assert find_launch("mine.yaml", tmp_path) == tmp_path / "mine.yaml"
    with pytest.raises(ConfigError, match="domain, gpu-1x, gpu-8x, laptop, smoke"):
        find_recipe("lapdog")
    with pytest.raises(ConfigError, match="cpu-2, ddp-8, deepspeed-zero3, fsdp-8"):
        find_launch("nothing", tmp_path)


@pytest.mark.parametrize("path", sorted((RECIPES / "accelerate").glob("*.yaml")), ids=lambda path: path.stem)
def test_accelerate_reads_its_configurations(path: Path) -> None:
    from accelerate.commands.config.config_args import ClusterConfig

    config = ClusterConfig.from_yaml_file(yaml_file=str(path))
    assert config.num_processes == (2 if path.stem == "cpu-2" else 8)


def test_defaults_make_a_recipe() -> None:
    assert isinstance(recipe_of({"name": "a", "planner": "p"}, "r"), Recipe)
