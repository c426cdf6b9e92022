"""The rules between modules that no single module can keep."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("library", "reasonflux", "training", "cli")
STAGES = ("planner", "retrieval", "instantiator", "assess")
HEAVY = (
    "torch", "transformers", "faiss", "sentence_transformers", "sympy", "math_verify", "sqlmodel", "sqlalchemy",
    "openai", "jinja2", "pydantic", "xllamacpp", "huggingface_hub", "requests", "httpx", "numpy", "yaml", "rich",
    "platformdirs", "psutil", "filelock", "pyarrow", "peft", "trl", "accelerate", "datasets", "llguidance",
    "ray",
)  # fmt: skip


def modules() -> list[Path]:
    found = [path for layer in LAYERS[:-1] for path in sorted((ROOT / layer).rglob("*.py"))]
    return [*found, ROOT / "cli.py"]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield each imported module and name with whether the import is at the top level, outside TYPE_CHECKING."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = set(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node in top
        elif isinstance(node, ast.ImportFrom):
            package = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, *([node.module] if node.module else [])])
            for alias in node.names:
                yield f"{base}.{alias.name}", node in top


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    own = LAYERS.index(name_of(path).partition(".")[0])
    above = LAYERS[own + 1 :]
    wrong = [name for name, _ in imports(path) if name.partition(".")[0] in above]
    assert wrong == []


@pytest.mark.parametrize("stage", STAGES)
def test_stages_do_not_know_one_another(stage: str) -> None:
    others = {f"reasonflux.{other}" for other in (*STAGES, "reasoner") if other != stage}
    named = {".".join(name.split(".")[:2]) for name, _ in imports(ROOT / "reasonflux" / f"{stage}.py")}
    assert named & others == set()


def test_commands_are_known_to_the_front_door_alone() -> None:
    for path in modules():
        if "commands" in path.parts or path.name == "cli.py":
            continue
        assert [name for name, _ in imports(path) if name.startswith("reasonflux.commands")] == [], name_of(path)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_nothing_prints(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_print(node.func)]
    assert calls == []


def _is_print(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id == "print"


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_holds_one_idea(path: Path) -> None:
    # A topic's generators are content, like its file of templates, and stand together however many there are.
    if "generators" not in path.parts:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    assert path.stem not in ("utils", "helpers", "misc", "common")


@pytest.mark.parametrize(
    ("args", "by_typer"),
    [
        (["--help"], set()),
        (["library", "--help"], {"pydantic"}),
        (["train", "dpo", "--help"], {"pydantic"}),
        (["solve", "--help"], {"pydantic"}),
        (["solve", "--jsno"], {"pydantic"}),
    ],
)
def test_help_and_usage_errors_import_nothing_heavy(args: list[str], by_typer: set[str]) -> None:
    program = (
        "import sys, cli\n"
        "try:\n    cli.app(sys.argv[1:])\n"
        "except SystemExit as end:\n    code = end.code\n"
        "sys.stderr.write('\\nLOADED ' + ' '.join(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, cwd=ROOT, timeout=60)
    loaded = set(done.stderr.rpartition("LOADED ")[2].split())
    assert "typer" in loaded
    assert "reasonflux.commands.solve" in loaded
    assert loaded & set(HEAVY) - by_typer == set()


def test_heavy_imports_stand_in_functions() -> None:
    """The tables are SQLModel classes, so that their module, which only the store imports, can't do without it."""
    allowed = {"pydantic", "filelock", "psutil"}
    tables = {"library.schema": {"sqlmodel", "sqlalchemy"}}
    for path in modules():
        top = {name.partition(".")[0] for name, at_top in imports(path) if at_top}
        assert top & set(HEAVY) - allowed - tables.get(name_of(path), set()) == set(), name_of(path)
