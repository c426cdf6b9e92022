"""A run's report as one page: no script, nothing loaded from elsewhere, and every text that is shown escaped."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from training.charts import Point, line_chart

_STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--faint:#d8dee4;--soft:#f6f8fa;--a:#0b62c4;--b:#c2410c}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--faint:#30363d;--soft:#161b22;--a:#6cb6ff;
--b:#ffa657}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:68rem;margin:2rem auto;
padding:0 1rem}
table{border-collapse:collapse;margin:.8rem 0;display:block;overflow-x:auto}
th,td{border-bottom:1px solid var(--faint);padding:.25rem .7rem;text-align:left;vertical-align:top}
.curves,.plans{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr))}
figure{margin:0}svg{width:100%;height:auto}svg text{font-size:11px;fill:currentColor}
.grid{stroke:var(--faint)}polyline{fill:none;stroke-width:1.6}
polyline.line0,circle.line0{stroke:var(--a);fill:none}polyline.line1,circle.line1{stroke:var(--b);fill:none}
.key{padding-left:.6rem;font-weight:600}.key.line0{color:var(--a)}.key.line1{color:var(--b)}
article{border-top:1px solid var(--faint);padding-top:.6rem;margin-top:1rem}
.plans>div{background:var(--soft);padding:.2rem .8rem .6rem;border-radius:.4rem;overflow-wrap:anywhere}
.problem{white-space:pre-wrap}ol{padding-left:1.2rem}small{opacity:.75}
""".replace("\n", "")
_NOT_SHOWN = ("planners", "comparisons", "pairs", "about")
_ENTRY_COLUMNS = (
    ("planner", "planner"),
    ("mode", "planning"),
    ("valid_plans", "valid plans"),
    ("precision", "template precision"),
    ("reward", "mean reward"),
    ("reward_interval", "its 95 % interval"),
    ("reward_problems", "problems"),
    ("accuracy", "solved"),
    ("accuracy_interval", "its 95 % interval"),
    ("tokens", "tokens a problem"),
    ("solved_problems", "problems"),
)
_COMPARISON_COLUMNS = (
    ("first", "from"),
    ("second", "to"),
    ("gain", "gain in reward"),
    ("interval", "95 % interval"),
    ("problems", "problems"),
    ("accuracy_gain", "gain in problems solved"),
    ("accuracy_interval", "95 % interval"),
)


def page(
    document: Mapping[str, Any],
    curves: Sequence[tuple[str, Mapping[str, Sequence[Point]]]],
    plans: Sequence[Mapping[str, Any]],
) -> str:
    """Return the page.

    Args:
        document: the report's figures, as `training.report.figures` gives them.
        curves: title and lines of each chart; a chart without points is left out.
        plans: problems with their plans under `before` and `after`, as `side_by_side` gives them.
    """
    drawn = "".join(line_chart(title, lines) for title, lines in curves)
    parts = [
        "<h1>Training report</h1>",
        _pairs_of({name: value for name, value in document.items() if name not in _NOT_SHOWN}),
        _section("Planners", _table(document.get("planners", ()), _ENTRY_COLUMNS)),
        _section("Compared, problem by problem", _table(document.get("comparisons", ()), _COMPARISON_COLUMNS)),
        _section("Curves", f'<div class="curves">{drawn}</div>' if drawn else ""),
        _section("Plans side by side", "".join(_plan_pair(number, plan) for number, plan in enumerate(plans, 1))),
        _section("What became of the pairs", _pairs_of(document.get("pairs", {}))),
        _section("About this run", _pairs_of(document.get("about", {}))),
    ]
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Training report</title><style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _section(title: str, body: str) -> str:
    return f"<h2>{_text(title)}</h2>{body}" if body else ""


def _pairs_of(values: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><th>{_text(name.replace('_', ' '))}</th><td>{_shown(value)}</td></tr>" for name, value in values.items()
    )
    return f"<table>{rows}</table>" if rows else ""


def _table(entries: Iterable[Mapping[str, Any]], columns: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f"<tr>{''.join(f'<td>{_shown(entry.get(key))}</td>' for key, _ in columns)}</tr>" for entry in entries
    )
    heads = "".join(f"<th>{_text(title)}</th>" for _, title in columns)
    return f"<table><tr>{heads}</tr>{rows}</table>" if rows else ""


def _plan_pair(number: int, entry: Mapping[str, Any]) -> str:
    sides = "".join(_plan(title, entry[name]) for name, title in (("before", "Before DPO"), ("after", "After DPO")))
    return (
        f'<article><p class="problem"><b>{number}.</b> {_text(str(entry["problem"]))}</p>'
        f'<div class="plans">{sides}</div></article>'
    )


def _plan(title: str, row: Mapping[str, Any]) -> str:
    steps = "".join(
        f"<li>{_text(str(step['name']) or 'no template')}: {_text(str(step['goal']))}<br>"
        f"<small>{_text(str(step['template'] or 'matched nothing'))}</small></li>"
        for step in row.get("steps", ())
    )
    valid = "valid" if row.get("valid") else f"not valid: {row.get('trouble') or 'unknown'}"
    reward = row.get("reward")
    judged = f"reward {_number(reward)}" if reward is not None else "no reward"
    return f"<div><h3>{_text(title)}</h3><p>{_text(valid)}; {judged}</p><ol>{steps}</ol></div>"


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return _pairs_of(value)
    if isinstance(value, list | tuple):
        joint = " to " if len(value) == 2 and all(isinstance(part, int | float) for part in value) else ", "
        return joint.join(_shown(part) for part in value)
    if isinstance(value, float):
        return _number(value)
    return _text(str(value))


def _number(value: float) -> str:
    return f"{value:.4g}"


def _text(value: str) -> str:
    return html.escape(value)
