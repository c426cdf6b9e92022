"""The frozen migrations leave behind what the classes describe, and each is all or nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import inspect

from library import migrations
from library.database import Database, create_file
from library.schema import LibraryTable
from library.search import TemplateSearch
from library.store import Library
from library.template import Example
from tests.library.hashing_embedder import HashingEmbedder, template

EXAMPLES = (
    Example(problem="Shown é", answer="1"),
    Example(problem="Kept back", answer="1", role="probe"),
    Example(problem="Shown again", answer="1"),
)


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


def first_schema(path: Path, filled: Path) -> None:
    """Make a database as the first migration leaves it, with the rows of a library of today."""

    def build(building: Path) -> None:
        database = Database(building)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:1])
            migrations.apply_pending(database.write)
        with database.read() as connection:
            tables = [
                (
                    str(row[0]),
                    [str(column[1]) for column in connection.exec_driver_sql(f'PRAGMA table_info("{row[0]}")')],
                )
                for row in connection.exec_driver_sql(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                )
            ]
        database.close()
        raw = sqlite3.connect(building)
        raw.execute("ATTACH ? AS filled", (str(filled),))
        for name, columns in tables:
            if name != "schema_migrations":
                listed = ", ".join(f'"{column}"' for column in columns)
                raw.execute(f"INSERT OR REPLACE INTO {name} ({listed}) SELECT {listed} FROM filled.{name}")
        raw.commit()
        raw.close()

    create_file(path, build)


def words_of(path: Path) -> list[tuple[object, ...]]:
    raw = sqlite3.connect(path)
    raw.execute("INSERT INTO template_text (template_text) VALUES ('integrity-check')")
    rows = raw.execute("SELECT rowid, * FROM template_text ORDER BY rowid").fetchall()
    raw.close()
    return rows


def test_a_library_of_the_first_schema_gets_its_words(library: Library, tmp_path: Path) -> None:
    names = ("Löwe", "Straße [1]", "数列の和", "No tags")
    new = [
        template(name, tags=() if name == "No tags" else ("Série", "b"), examples=() if name == "No tags" else EXAMPLES)
        for name in names
    ]
    library.add_many(new, embedder=HashingEmbedder(), who="me")
    old = tmp_path / "old.db"
    first_schema(old, library.path)
    with Library.open(old) as opened:
        assert [item.template for item in opened.list()] == [item.template for item in library.list()]
        assert words_of(old) == words_of(library.path)
        (hit,) = TemplateSearch(opened, None).find("lowe", mode="bm25").nearest
        assert hit.name == "Löwe"
        opened.add(template("New"), embedder=HashingEmbedder(), who="me")
    assert len(words_of(old)) == 5


_OPEN = """
import sys, time
from pathlib import Path
from library import database
from library.store import Library
seen = []
def slow(text):
    seen.append(text)
    if len(seen) == 700:
        print("filling", flush=True)
        time.sleep(600)
    return text
database.search_text = slow
Library.open(Path(sys.argv[1])).close()
"""


@pytest.mark.skipif(os.name != "posix", reason="kills a process with a signal")
def test_a_migration_that_is_killed_is_done_anew(library: Library, tmp_path: Path) -> None:
    library.add_many([template(f"T {number}") for number in range(300)], embedder=HashingEmbedder(), who="me")
    old = tmp_path / "old.db"
    first_schema(old, library.path)
    process = subprocess.Popen(
        [sys.executable, "-c", _OPEN, str(old)], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "filling\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    raw = sqlite3.connect(old)
    assert raw.execute("SELECT name FROM schema_migrations").fetchall() == [("0001_templates",)]
    assert raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'template_text'").fetchall() == []
    assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    raw.close()
    with Library.open(old) as opened:
        assert opened.count() == 300
    assert words_of(old) == words_of(library.path)
