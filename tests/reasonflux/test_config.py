import pytest

from reasonflux.config import SolveSettings, read_settings_table
from reasonflux.errors import ConfigError


def test_the_defaults_are_read_from_an_empty_table() -> None:
    assert read_settings_table({}) == SolveSettings()


def test_nested_tables_and_whole_numbers_for_decimals_are_read() -> None:
    settings = read_settings_table({"budget": 500, "temperature": 1, "planner": {"max_steps": 3}})
    assert (settings.budget, settings.temperature, settings.planner.max_steps) == (500, 1.0, 3)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"budgte": 1}, "budgte"),
        ({"budget": True}, "budget"),
        ({"budget": "500"}, "budget"),
        ({"budget": 0}, "budget"),
        ({"planner": {"max_steps": 7}}, "planner.max_steps"),
        ({"assess": {"nothing": 1}}, "assess.nothing"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(table: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        read_settings_table(table)
