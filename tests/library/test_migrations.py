"""The frozen migrations leave behind what the classes describe, and each is all or nothing."""

from pathlib import Path

import pytest
from sqlalchemy import inspect

from library import migrations
from library.database import Database, create_file
from library.schema import LibraryTable
from library.store import Library


def test_migrations_and_classes_agree(library: Library) -> None:
    database = Database(library.path)
    with database.read() as connection:
        found = inspect(connection)
        described_elsewhere = {"schema_migrations", "sqlite_sequence", "template_words"}
        ordinary = {name for name in found.get_table_names() if not name.startswith("template_text")}
        assert ordinary - described_elsewhere == set(LibraryTable.metadata.tables)
        for name, table in LibraryTable.metadata.tables.items():
            described = {column.name: bool(column.nullable) for column in table.columns if not column.primary_key}
            columns = {column["name"]: bool(column["nullable"]) for column in found.get_columns(name)}
            key = set(found.get_pk_constraint(name)["constrained_columns"])
            assert key == {column.name for column in table.primary_key}, name
            assert {column: null for column, null in columns.items() if column not in key} == described, name
            references = {
                (key["constrained_columns"][0], key["referred_table"]) for key in found.get_foreign_keys(name)
            }
            assert references == {
                (column.name, foreign.column.table.name) for column in table.columns for foreign in column.foreign_keys
            }, name
    database.close()


def test_a_failing_migration_leaves_nothing(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = migrations.MIGRATIONS
    broken = ("0998_broken", ("CREATE TABLE half (a)", "CREATE TABLE half (a)"))
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, broken))
    with pytest.raises(Exception, match="half"):
        Library.open(library.path)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*whole, ("0999_whole", ("CREATE TABLE half (a)",))))
    with Library.open(library.path) as again:
        assert again.count() == 0
    database = Database(library.path)
    with database.read() as connection:
        assert migrations.applied(connection) == [*(name for name, _ in whole), "0999_whole"]
    database.close()


def test_migrating_again_does_nothing(tmp_path: Path) -> None:
    names: list[list[str]] = []

    def build(path: Path) -> None:
        database = Database(path)
        names.append(migrations.apply_pending(database.write))
        names.append(migrations.apply_pending(database.write))
        database.close()

    create_file(tmp_path / "x.db", build)
    assert names == [[name for name, _ in migrations.MIGRATIONS], []]
