"""`reasonflux doctor`: what is installed, what is missing, and what to run next."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from reasonflux.commands import console, settings
from reasonflux.errors import ReasonFluxError

if TYPE_CHECKING:
    from reasonflux.commands.assemble import Resolved


EPILOG = console.examples(
    "reasonflux doctor",
    "reasonflux doctor --weights /mnt/weights --json",
)


def doctor(
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Say whether problems can be solved here, and what to run next. Exit code 0 if they can."""
    import typer

    with console.reporting(debug=debug):
        from reasonflux.commands.assemble import Choices, resolve

        resolved = resolve(Choices(library=library, home=home, weights=weights))
        report = examine(resolved)
        if json:
            console.write_json(report)
        else:
            for line in _told(report):
                console.write(console.clean(line))
        raise typer.Exit(console.EXIT_DONE if report["able"] else console.EXIT_FAILED)


def examine(resolved: "Resolved") -> dict[str, Any]:
    """Return the report as JSON values; every byte of the weights that are here is hashed."""
    packages = _packages()
    models = _models(resolved)
    troubles = [*_home_troubles(resolved), *_model_troubles(resolved)]
    report: dict[str, Any] = {
        "system": _system(),
        "packages": packages,
        "home": str(resolved.home),
        "troubles": troubles,
        "weights": {"folder": str(resolved.weights), "models": models},
        "library": _library(resolved),
        "sandbox": _sandbox(),
        "model": resolved.model,
        "strategy": resolved.settings.strategy,
    }
    lacking = [name for name, model in models.items() if model["needed"] and model["state"] != "intact"]
    missing = [name for name, version in packages.items() if version is None]
    steps = []
    if missing:
        steps.append(f"pip install {' '.join(missing)}")
    if lacking:
        steps.append(f"reasonflux models pull {' '.join(lacking)}")
    if resolved.plans and report["library"]["state"] == "missing" and not report["library"]["default"]:
        steps.append(f"reasonflux library init --library {resolved.library}")
    able = not steps and not troubles and (report["library"]["state"] != "unusable" or not resolved.plans)
    if able:
        steps.append('reasonflux solve "Find the remainder when 7^100 is divided by 13."')
    return report | {"able": able, "next": steps}


def _home_troubles(resolved: "Resolved") -> list[str]:
    """Say whether runs can't be recorded under the home folder."""
    import os

    existing = next(folder for folder in (resolved.home, *resolved.home.parents) if folder.exists())
    if existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
        return []
    why = "can't be written" if existing.is_dir() else "is no folder"
    return [f"The home folder {resolved.home} can't be used: {existing} {why}; give another one with --home."]


def _model_troubles(resolved: "Resolved") -> list[str]:
    """Say which of the models can't be had for a reason other than weights that are yet to be fetched."""
    from reasonflux.models import catalogue_name, load_model, split_spec
    from reasonflux.models.catalogue import catalogue
    from reasonflux.models.hf_source import find_source
    from reasonflux.models.weights import resolve_model

    troubles = []
    for spec in dict.fromkeys((resolved.model, resolved.planner or resolved.model)):
        needed = catalogue_name(spec)
        if needed is not None and catalogue()[needed].kind == "chat":
            continue
        kind, name = split_spec(spec)
        try:
            if kind == "llamacpp":
                resolve_model(name, resolved.weights)
            elif kind == "hf":
                # Loading it would take as long as a run's start.
                find_source(name, resolved.weights)
            else:
                load_model(spec, weights_dir=resolved.weights).close()
        except ReasonFluxError as error:
            troubles.append(f"The model {spec} can't be used: {error}")
    return troubles


def _system() -> dict[str, Any]:
    import platform

    import psutil

    memory = psutil.virtual_memory()
    return {
        "reasonflux": _version("reasonflux"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": psutil.cpu_count(logical=False) or psutil.cpu_count(),
        "memory_bytes": memory.total,
        "memory_free_bytes": memory.available,
    }


def _packages() -> dict[str, str | None]:
    """Return the version of each package this one requires; None for one that is missing."""
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    needed = [Requirement(text) for text in requires("reasonflux") or []]
    return {
        requirement.name: _version(requirement.name)
        for requirement in needed
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    }


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _models(resolved: "Resolved") -> dict[str, dict[str, Any]]:
    from reasonflux.commands.assemble_library import EMBEDDER
    from reasonflux.models import catalogue_name
    from reasonflux.models.weights import catalogue, is_present, verify

    wanted = {catalogue_name(resolved.model), catalogue_name(resolved.planner or resolved.model)}
    if resolved.plans:
        wanted.add(EMBEDDER)
    models = {}
    for name, entry in catalogue().items():
        problems: list[str] = []
        if not is_present(name, resolved.weights):
            state = "missing"
        else:
            problems = verify(name, resolved.weights)
            state = "damaged" if problems else "intact"
        models[name] = {
            "state": state,
            "problems": problems,
            "bytes": entry.size,
            "needed": name in wanted,
        }
    return models


def _library(resolved: "Resolved") -> dict[str, Any]:
    from library.errors import LibraryError

    path = settings.library_path(resolved.library, resolved.home)
    default = path == settings.library_path(None, resolved.home)
    report: dict[str, Any] = {
        "path": str(path),
        "default": default,
        "state": "missing",
        "templates": None,
        "digest": None,
        "index": None,
    }
    if not path.exists():
        return report | {"note": "solve makes it from the seed templates" if default else "no such file"}
    try:
        from library.store import Library

        with Library.open(path) as library:
            report |= {"state": "ready", "templates": library.count(), "digest": library.digest()}
            return report | {"index": _index(library)}
    except LibraryError as error:
        return report | {"state": "unusable", "note": str(error)}


def _index(library: Any) -> str:
    from library.index import TemplateIndex

    with library.reading() as reader:
        embedder = reader.embedder()
        if embedder is None:
            return "no vectors yet"
        snapshot = TemplateIndex(library).from_file(reader, embedder)
    return "built on the next search" if snapshot is None else f"current, {snapshot.size} vectors"


def _sandbox() -> dict[str, Any]:
    try:
        from reasonflux.tools.sandbox import sandbox_features

        return asdict(sandbox_features())
    except (ImportError, ReasonFluxError) as error:
        return {"sufficient": False, "why": str(error)}


def _told(report: dict[str, Any]) -> list[str]:
    from rich.filesize import decimal

    system, library, sandbox = report["system"], report["library"], report["sandbox"]
    missing = [name for name, version in report["packages"].items() if version is None]
    features = [name for name, value in sandbox.items() if value is True and name != "sufficient"]
    lines = [
        f"ReasonFlux {system['reasonflux']}, Python {system['python']}, {system['platform']}",
        f"  {system['cores']} cores, {decimal(system['memory_bytes'])} of memory "
        f"({decimal(system['memory_free_bytes'])} free)",
        f"Packages: {', '.join(missing)} missing" if missing else f"Packages: all {len(report['packages'])} installed",
        *(f"  {name} {version}" for name, version in report["packages"].items() if version is not None),
        f"Home: {report['home']}",
        f"Weights: {report['weights']['folder']}",
    ]
    for name, model in report["weights"]["models"].items():
        needed = ", needed" if model["needed"] else ""
        lines.append(f"  {name}: {model['state']} ({decimal(model['bytes'])}{needed})")
        lines.extend(f"    {problem}" for problem in model["problems"])
    lines.append(f"Library: {library['path']}")
    if library["state"] == "ready":
        lines.append(f"  {library['templates']} active templates, index {library['index']}")
    else:
        lines.append(f"  {library['state']}: {library['note']}")
    lines.append(f"Python tool: {'on' if sandbox['sufficient'] else 'off'}")
    lines.append(f"  {', '.join(features) or 'none of the means'} available")
    if sandbox["why"]:
        lines.append(f"  {sandbox['why']}")
    lines.append(f"Model: {report['model']}, strategy {report['strategy']}")
    lines.extend(report["troubles"])
    lines.append("Ready to solve." if report["able"] else "Not ready to solve.")
    if report["next"]:
        lines.append("Run next:")
        lines.extend(f"  {step}" for step in report["next"])
    return lines
