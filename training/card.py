"""The card of a trained model: what it stands on, what it learned from, how, and what was measured."""

from pathlib import Path
from typing import Any

from training.job import Curve
from training.settings import TrainSettings
from training.starting import Start

_SHOWN_CHECKS = 40


def card_text(
    title: str,
    start: Start,
    settings: TrainSettings,
    data: dict[str, Any],
    curve: Curve,
    figures: dict[str, Any] | None = None,
) -> str:
    """Return the card, in Markdown with the front matter that model pages read.

    Args:
        title: what kind of training this is.
        start: the model it started from.
        settings: the job's settings.
        data: counts and digests of the rows.
        curve: what was measured.
        figures: what was measured besides.
    """
    import yaml

    front: dict[str, Any] = {
        "library_name": "transformers" if settings.method == "full" else "peft",
        "tags": ["reasonflux", "planner", "trl"],
        "pipeline_tag": "text-generation",
    }
    # A model page refuses a base that is no name of the Hub.
    if not Path(start.spec).expanduser().exists():
        front["base_model"] = start.spec
    stands = f"It stands on the base `{start.spec}` (weights `{start.base_sha256}`)"
    if start.adapter is not None:
        stands += f" with the adapter `{start.adapter}` merged in before (base and adapter: `{start.sha256}`)"
    parts = [
        f"---\n{yaml.safe_dump(front, allow_unicode=True, sort_keys=False)}---",
        f"# {title}",
        f"A planner for ReasonFlux, which reasons with a library of thought templates. {stands}.",
        _table("Data", data),
        _table("Settings", settings.model_dump(mode="json")),
        _measured(curve),
        _checks(curve),
        _table("Held-out pairs", figures) if figures else "",
        "Use the merged model with `reasonflux solve --planner hf:FOLDER`, the adapter with "
        "`--planner hf:BASE+FOLDER`.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(title: str, values: dict[str, Any]) -> str:
    rows = "\n".join(f"| {name} | {_shown(value)} |" for name, value in values.items())
    return f"## {title}\n\n| | |\n|---|---|\n{rows}"


def _measured(curve: Curve) -> str:
    said = f"## Measured\n\n{curve.steps} steps; the weights are those of step {curve.best_step}."
    names = [name for name in curve.before if name in curve.after]
    if not names:
        return said + " Nothing was held out."
    rows = "\n".join(f"| {name} | {curve.before[name]:.4f} | {curve.after[name]:.4f} |" for name in names)
    return f"{said}\n\n| on held-out rows | before | after |\n|---|---|---|\n{rows}"


def _checks(curve: Curve) -> str:
    checks = [entry for entry in curve.history if "eval_loss" in entry]
    if not checks:
        return ""
    losses = {entry["step"]: entry["loss"] for entry in curve.history if "loss" in entry}
    shown = checks[:: max(1, -(-len(checks) // _SHOWN_CHECKS))]
    rows = "\n".join(
        f"| {entry['step']} | {_shown(losses.get(entry['step'], ''))} | {entry['eval_loss']:.4f} |" for entry in shown
    )
    return f"| step | loss of the batch | held-out loss |\n|---|---|---|\n{rows}"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " to ".join(_shown(part) for part in value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value).replace("|", "\\|").replace("\n", " ")
