"""One run as a self-contained HTML page. Everything that stands in it is escaped; it runs no script."""

from collections.abc import Iterable
from html import escape

from reasonflux.runs import RunHeader
from reasonflux.types import Event, PlannedStep, Solution

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
pre{background:#f3f4f6;padding:.6rem .8rem;overflow:auto;white-space:pre-wrap;border-radius:4px}
h2{margin:1.6rem 0 .3rem;font-size:1.1rem}.quiet{color:#57606a}.answer{font-size:1.2rem;font-weight:600}
table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0;vertical-align:top}
"""


# Control characters are no HTML, and direction marks make a text look like another; both show as U+FFFD.
_HIDDEN = (*range(0x00, 0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SHOWN = dict.fromkeys(_HIDDEN, "\ufffd")


def trace_page(header: RunHeader, events: Iterable[Event]) -> str:
    """Return the page of a run."""
    body = [f"<h1>Run {escape(header.run_id)}</h1>", _pre(header.problem.text), _facts(header)]
    for event in events:
        body.extend(_event(event))
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Run {escape(header.run_id)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )
    return page.translate(_SHOWN)


def _facts(header: RunHeader) -> str:
    facts = {
        "Started": header.started,
        "Strategy": header.strategy,
        "Model": header.model.spec,
        "Planner": header.planner.spec if header.planner else "none",
        "Library": header.library or "none",
        "Seed": str(header.seed),
    }
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in facts.items())
    return f'<table class="quiet">{rows}</table>'


def _event(event: Event) -> list[str]:
    match event.kind:
        case "plan_proposed":
            return ["<h2>Plan</h2>", _plan(event.trajectory.steps), *(_quiet(text) for text in event.problems)]
        case "template_retrieved":
            match = event.match
            return [_quiet(f"Template for step {match.step + 1}: {match.name or match.template or 'none good enough'}")]
        case "step_started":
            return [f"<h2>Step {event.step + 1}, attempt {event.attempt}</h2>", f"<p>{escape(event.goal)}</p>"]
        case "tool_called":
            call = event.call
            return [_quiet(f"Program run: {call.status}"), _pre(call.program), _pre(call.output + call.detail)]
        case "step_finished":
            return [_pre(event.result.output), *(_quiet(f"Fact: {fact}") for fact in event.result.facts)]
        case "step_assessed":
            return [_quiet(f"Assessment: {event.assessment.verdict}. {event.assessment.reason}")]
        case "plan_revised":
            return [
                f"<h2>Plan revised from step {event.after_step + 1} on</h2>",
                _quiet(event.reason),
                _plan(event.after, event.after_step + 1),
            ]
        case "noticed":
            return [_quiet(f"{event.stage}: {event.message}")]
        case "answer_found":
            return [_quiet(f"Answer found ({event.source}): {event.answer}")]
        case "run_finished":
            return _ending(event.solution)
        case _:
            return []


def _ending(solution: Solution) -> list[str]:
    usage = solution.usage
    said = solution.answer if solution.answer is not None else solution.error or "No answer was found."
    return [
        "<h2>Result</h2>",
        f'<p class="answer">{escape(said)}</p>',
        _quiet(
            f"{solution.status}; {usage.completion_tokens} completion and {usage.prompt_tokens} prompt tokens in "
            f"{usage.calls} calls; {solution.seconds:.1f} s"
        ),
    ]


def _plan(steps: tuple[PlannedStep, ...], first: int = 1) -> str:
    items = "".join(f"<li>{escape(step.goal)} <i>{escape(step.template.name)}</i></li>" for step in steps)
    return f'<ol start="{first}">{items}</ol>'


def _pre(text: str) -> str:
    return f"<pre>{escape(text)}</pre>" if text.strip() else ""


def _quiet(text: str) -> str:
    return f'<p class="quiet">{escape(text)}</p>' if text.strip() else ""
