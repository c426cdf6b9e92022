"""Line charts as SVG text, drawn here so that a report is one file which loads nothing.

Every text is escaped; colours follow the page's light or dark scheme through its style sheet.
"""

import html
import math
from collections.abc import Callable, Mapping, Sequence

Point = tuple[float, float]
_WIDTH, _HEIGHT = 520, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 12, 34
_TICKS = 4
MOST_POINTS = 400
"""Points drawn of one line; of a longer one every n-th and the last."""


def line_chart(title: str, lines: Mapping[str, Sequence[Point]], *, across: str = "step") -> str:
    """Return a chart of some named lines with its caption, or nothing where no line has a finite point.

    Args:
        title: what is measured.
        lines: points (x, y) of each line, in the order of x.
        across: what x counts.
    """
    kept = {name: _finite(points) for name, points in lines.items()}
    kept = {name: points for name, points in kept.items() if points}
    if not kept:
        return ""
    xs = [x for points in kept.values() for x, _ in points]
    ys = [y for points in kept.values() for _, y in points]
    (left, right), (low, high) = _span(xs, pad=0.0), _span(ys, pad=0.06)

    def place(point: Point) -> Point:
        x = _LEFT + (point[0] - left) / (right - left) * (_WIDTH - _LEFT - _RIGHT)
        y = _HEIGHT - _BOTTOM - (point[1] - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)
        return round(x, 1), round(y, 1)

    parts = [_grid(left, right, low, high, across, place)]
    for number, points in enumerate(kept.values()):
        parts.append(_line([place(point) for point in points], number))
    legend = " ".join(f'<span class="key line{number}">{html.escape(name)}</span>' for number, name in enumerate(kept))
    said = html.escape(title)
    return (
        f'<figure><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{said}">{"".join(parts)}</svg>'
        f"<figcaption>{said} {legend}</figcaption></figure>"
    )


def _finite(points: Sequence[Point]) -> list[Point]:
    found = [(float(x), float(y)) for x, y in points if math.isfinite(x) and math.isfinite(y)]
    every = max(1, -(-len(found) // MOST_POINTS))
    return [*found[:-1:every], found[-1]] if found else []


def _span(values: Sequence[float], *, pad: float) -> Point:
    low, high = min(values), max(values)
    if low == high:
        return low - 0.5, high + 0.5
    return low - pad * (high - low), high + pad * (high - low)


def _grid(left: float, right: float, low: float, high: float, across: str, place: Callable[[Point], Point]) -> str:
    drawn = []
    for number in range(_TICKS + 1):
        share = number / _TICKS
        x, y = left + share * (right - left), low + share * (high - low)
        across_at, up_at = place((x, low))[0], place((left, y))[1]
        drawn.append(f'<line class="grid" x1="{_LEFT}" y1="{up_at}" x2="{_WIDTH - _RIGHT}" y2="{up_at}"/>')
        drawn.append(f'<text x="{_LEFT - 6}" y="{up_at + 4}" text-anchor="end">{_number(y)}</text>')
        drawn.append(f'<text x="{across_at}" y="{_HEIGHT - 16}" text-anchor="middle">{_number(x)}</text>')
    drawn.append(f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 2}" text-anchor="end">{html.escape(across)}</text>')
    return "".join(drawn)


def _line(points: Sequence[Point], number: int) -> str:
    if len(points) == 1:
        x, y = points[0]
        return f'<circle class="line{number}" cx="{x}" cy="{y}" r="3"/>'
    path = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline class="line{number}" points="{path}"/>'


def _number(value: float) -> str:
    return f"{value:.3g}"
