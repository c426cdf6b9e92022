"""Equivalence of answers, and the processes that decide it."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from reasonflux import grading
from reasonflux.grading import Grader, self_check

RIGHT, WRONG, UNDECIDED = True, False, None
ENDLESS = "9^{9^{9^{9}}}"


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(limit_seconds=20) as one:
        yield one


NUMBERS = [
    ("1234", "1,234", RIGHT),
    ("1234", "1{,}234", RIGHT),
    ("1234", r"1\,234", RIGHT),
    ("1234", "1 234", RIGHT),
    ("1234", r"\boxed{1\,234}", RIGHT),
    ("1000000", r"1\,000\,000", RIGHT),
    ("235", r"1\,234", WRONG),
    ("24", "1 23", WRONG),
    ("-5", "−5", RIGHT),
    ("-5", "–5", RIGHT),
    ("-5", r"\boxed{−5}", RIGHT),
    ("5", "-5", WRONG),
    ("12", "１２", RIGHT),
    ("1500", "1.5e3", RIGHT),
    ("1500", r"1.5\times 10^3", RIGHT),
    ("1500", "1.5 × 10³", RIGHT),
    ("1/6", r"0.1\overline{6}", RIGHT),
    ("1234.5", "1,234.50", RIGHT),
    ("3.14", "3,14", WRONG),
    ("3.14", r"\pi", WRONG),
    ("1/3", "0.333", WRONG),
    ("1/3", "0.33333333333", WRONG),
    ("1/2", "0.5", RIGHT),
    ("3/4", "6/8", RIGHT),
    (r"\dfrac{9}{7}", r"\boxed{\frac{9}{7}}", RIGHT),
    (r"0.\overline{3}", r"\frac13", RIGHT),
    (r"\frac{14}{3}", r"4\frac{2}{3}", RIGHT),
    (r"\frac{14}{3}", "4 2/3", RIGHT),
    ("0", "-0", RIGHT),
    ("4", "004", RIGHT),
    (r"-\frac{1}{2}", "-1/2", RIGHT),
    ("9" * 8000, "9" * 8000, RIGHT),
    ("7", "9" * 8000, WRONG),
    ("9" * 8000, "9" * 7999 + "8", WRONG),
]
SHAPES = [
    ("2,3", r"\boxed{2} and \boxed{3}", RIGHT),
    ("2,3", "3,2", RIGHT),
    ("2,3", "2", WRONG),
    ("2,3", "2,4", WRONG),
    (r"\{1,2\}", r"\{2,1\}", RIGHT),
    ("(1,2)", "(2,1)", WRONG),
    ("(1,2)", "(1,2)", RIGHT),
    ("(1,2)", r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", RIGHT),
    ("[1,2)", "(1,2]", WRONG),
    ("(1,2)", "[1,2]", WRONG),
    (r"\left(\frac{2}{7},5\right]", "(2/7, 5]", RIGHT),
    (r"(5,\infty)", "x > 5", RIGHT),
    ("[-2,7]", r"-2 \le x \le 7", RIGHT),
    (r"x \in [-2,7]", "[-2,7]", RIGHT),
    (r"(-\infty,2)\cup(3,\infty)", "x<2 or x>3", RIGHT),
    (r"\{1\pm\sqrt{5},-2\}", r"\{-2, 1+\sqrt5, 1-\sqrt5\}", RIGHT),
    (r"1\pm\sqrt{19}", r"1+\sqrt{19}", WRONG),
    ("-2,1", "x = -2 or x = 1", RIGHT),
    ("-2,1", "[-2, 1]", RIGHT),
    ("100, 200, 300", "100,200,300", RIGHT),
    (r"\begin{pmatrix} -1/3 \\ 2 \end{pmatrix}", r"\begin{pmatrix} -\frac13 \\ 2 \end{pmatrix}", RIGHT),
    (r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", "Matrix([[1, 0], [0, 1]])", RIGHT),
    (r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", r"\begin{pmatrix} 0 & 1 \\ 1 & 0 \end{pmatrix}", WRONG),
    ("3:2", "2:3", WRONG),
]
UNITS_AND_WORDS = [
    (r"10\text{ cm}", "10", RIGHT),
    (r"10\text{ cm}", "10 centimeters", RIGHT),
    (r"10\text{ cm}", "10 m", WRONG),
    (r"100\text{ cm}", "1 m", RIGHT),
    (r"15\mbox{ cm}^2", "15 square cm", RIGHT),
    (r"15\mbox{ cm}^2", "15 cm", WRONG),
    (r"\$18.90", "18.9", RIGHT),
    (r"\$18.90", "$18.90", RIGHT),
    (r"5\%", "5", RIGHT),
    (r"5\%", "0.05", RIGHT),
    (r"5\%", "0.5", WRONG),
    (r"90^\circ", "90", RIGHT),
    (r"\frac{270}7\text{ degrees}", r"\frac{270}{7}", RIGHT),
    ("72", "72 apples", RIGHT),
    (r"\text{(C)}", "C", RIGHT),
    (r"\text{(C)}", "(C) 12", RIGHT),
    (r"\text{(C)}", "B", WRONG),
    (r"\text{Mei}", "mei", RIGHT),
    (r"\text{even}", "odd", WRONG),
    ("5", "banana", WRONG),
    ("314_5", "314", RIGHT),
    ("314_5", "314_6", WRONG),
    ("314_5", "84", WRONG),
    ("foo", "foo", UNDECIDED),
    ("7", "", WRONG),
    ("7", r"\boxed{}", WRONG),
    ("", "7", UNDECIDED),
]
ALGEBRA = [
    (r"5\ln 3", "5*log(3)", RIGHT),
    (r"5\ln 3", r"5\log 3", RIGHT),
    (r"\log_{10} 2", "log(2)", RIGHT),
    (r"\ln 2", r"\log_{10} 2", WRONG),
    (r"\log_2 3", "log(3, 2)", RIGHT),
    (r"\log_3 2", "log(3, 2)", WRONG),
    (r"\ln 2+\log 3", "log(2)+log(3)", WRONG),
    ("3*x-1*y+13=0", "3x + 4y + 14=0", WRONG),
    ("3x-y+13=0", "y=3x+13", RIGHT),
    ("3x-y+13=0", "6x-2y+26=0", RIGHT),
    ("y = 2x+3", "2x+3", RIGHT),
    ("x=5", "5", RIGHT),
    ("x=5", "y=5", WRONG),
    ("x^2+2x+1=0", "(x+1)^2=0", RIGHT),
    ("x^2-1", "(x-1)(x+1)", RIGHT),
    ("x+1", "y+1", WRONG),
    ("3R^2", "3r^2", WRONG),
    ("6+9i", "6 + 9*I", RIGHT),
    ("6+9i", "6-9i", WRONG),
    (r"\frac{\sqrt{21}}{5}", "sqrt(21)/5", RIGHT),
    (r"11\sqrt2", r"\sqrt{242}", RIGHT),
    (r"\sqrt{2}", "1.41421356", WRONG),
    (r"12\pi", "12*pi", RIGHT),
    (r"12\pi", "37.699", WRONG),
    (r"\cot x", r"\frac{\cos x}{\sin x}", RIGHT),
    ("e^{-50}", "e^{-60}", WRONG),
    (r"(3, \frac{\pi}{2})", "(3, pi/2)", RIGHT),
    ("2^{10}", "1024", RIGHT),
    ("7", "7 + [", WRONG),
]


@pytest.mark.parametrize(("gold", "answer", "correct"), NUMBERS + SHAPES + UNITS_AND_WORDS + ALGEBRA)
def test_policy(grader: Grader, gold: str, answer: str, correct: bool | None) -> None:
    assert grader.grade(gold, answer).correct is correct


def test_a_name_is_dropped_with_a_note_unless_the_question_asks_for_another(grader: Grader) -> None:
    verdict = grader.grade("3", r"\boxed{y=3}")

    assert verdict.correct is True
    assert "y" in verdict.note
    assert grader.grade("3", r"\boxed{y=3}", question="Find x.").correct is False
    assert grader.grade("3", "y=3", question="Solve x + y = 5 for y.").correct is True


def test_a_base_is_left_out_of_the_gold_only_where_the_question_names_it(grader: Grader) -> None:
    assert grader.grade("314", "314_5").correct is False
    assert grader.grade("314", "314_5", question="Write 84 in base 5.").correct is True


SHAPES_OF_GOLDS = [
    "11", "-3", "2.75", "31,\\! 070", r"\frac{4}{9}", r"\frac7{11}", r"-\frac{5}{12}", r"3\sqrt{7}", r"5\sqrt3",
    r"\frac{\sqrt{15}}{4}", "-2x+9", "x^3+2x-5", "y = 4x - 1", "x=8", r"(2,-7,0,31)",
    r"\left( 4, \frac{\pi}{3} \right)",
    r"\left(\frac{1}{5},\frac{9}{2}\right]", r"(-\infty, 1) \cup (6, \infty)", r"\{2\pm\sqrt{7},-4\}",
    r"2 \pm \sqrt{11}",
    r"\begin{pmatrix} 2/7 \\ -5/7 \end{pmatrix}", r"\begin{pmatrix} 0 & -3 \\ 3 & 0 \end{pmatrix}", "352_7", "4-7i",
    r"65^\circ", r"\$42.50", r"30\%", r"8\text{ cm}", r"7.2 \text{ cents}", r"21\mbox{ m}^2", r"\text{(D)}",
    r"\text{Omar}",
    r"\text{odd}", r"\tan x", "7R^3", "-3,4", r"16 \pi", r"12 \frac{3}{4}", r"\frac{300}7\text{ degrees}", r"\log_2 5",
]  # fmt: skip


@pytest.mark.parametrize("gold", SHAPES_OF_GOLDS)
def test_golds_equal_themselves_and_not_their_neighbours(grader: Grader, gold: str) -> None:
    assert self_check(gold, grader)
    assert grader.grade(gold, f"{gold}+1").correct is not True
    if r"\text{" not in gold or gold[0].isdigit():
        assert grader.grade(gold, f"-({gold})").correct is not True


def test_the_text_grader_compares_words(grader: Grader) -> None:
    assert grader.grade("Löwe", " LÖWE ", grader="text").correct is True
    assert grader.grade("foo", r"\text{foo}", grader="text").correct is True
    assert grader.grade("1/2", "0.5", grader="text").correct is False
    assert self_check("foo", grader, kind="text")


def test_the_same_verdict_from_eight_threads(grader: Grader) -> None:
    def work(number: int) -> tuple[bool | None, bool | None]:
        plain = grader.grade("$2$", "$2$").correct
        return plain, grader.grade(f"(x+{number})^2", f"x^2+{2 * number}x+{number**2}").correct

    with ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(work, range(100)))

    assert verdicts == [(True, True)] * 100


def test_a_slow_request_times_out_alone() -> None:
    with Grader(limit_seconds=3) as grader, ThreadPoolExecutor(20) as pool:
        slow = pool.submit(grader.grade, "7", ENDLESS)
        quick = [pool.submit(grader.grade, f"{n}(x+1)", f"{n}x+{n}") for n in range(2, 21)]

        assert [one.result().correct for one in quick] == [True] * 19
        verdict = slow.result()
        assert verdict.correct is None
        assert "too long" in verdict.note
        assert grader.grade("x+x", "2x").correct is True


def test_a_dead_grader_is_undecided_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading.sys, "executable", os.devnull)

    with Grader() as grader:
        verdict = grader.grade("x+x", "2x")

    assert verdict.correct is None
    assert "process" in verdict.note


def test_a_killed_child_is_undecided_and_replaced() -> None:
    with Grader(limit_seconds=60) as grader:
        assert grader.grade("x+x", "2x").correct is True
        results: list[bool | None] = []
        thread = threading.Thread(target=lambda: results.append(grader.grade("7", ENDLESS).correct))
        thread.start()
        for child in _workers():
            while child.is_running() and child.cpu_times().user == 0:
                pass
            child.kill()
        thread.join(60)

        assert results == [None]
        assert grader.grade("x+x", "2x").correct is True


def test_code_in_an_answer_is_not_run(grader: Grader, tmp_path: os.PathLike[str]) -> None:
    marker = os.path.join(tmp_path, "ran")
    grader.grade("x+1", f"__import__('os').mkdir('{marker}')")
    grader.grade("x+1", f"__import__('os').mkdir('{marker}') + x")

    assert not os.path.exists(marker)


def test_long_or_deep_answers_are_undecided(grader: Grader) -> None:
    assert grader.grade("7", "x+" * 15_000).correct is None
    assert grader.grade("x" * 30_000, "x" * 30_000).correct is True
    assert grader.grade("x+1", "(" * 5_000 + "x" + ")" * 5_000).correct is None


def test_close_leaves_no_process_and_later_gradings_are_undecided() -> None:
    grader = Grader()
    assert grader.grade("x+x", "2x").correct is True
    mine = grader._pool._all
    pids = [child._process.pid for child in mine]
    grader.close()
    grader.close()

    assert pids
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert grader.grade("x+x", "2x").correct is None
    assert grader.grade("2", "2").correct is True


def test_nothing_is_left_when_the_interpreter_ends_without_close() -> None:
    program = (
        "from reasonflux.grading import Grader\ng = Grader()\nassert g.grade('x+x', '2x').correct\n"
        "print([c._process.pid for c in g._pool._all][0])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)

    assert not psutil.pid_exists(int(done.stdout))


def test_exact_answers_start_no_process() -> None:
    with Grader() as grader:
        for gold, answer, _ in NUMBERS:
            if r"\pi" not in answer:
                grader.grade(gold, answer)

        assert not grader._pool._all


def _workers() -> list[psutil.Process]:
    return [p for p in psutil.Process().children() if "reasonflux.grading_worker" in p.cmdline()]


@pytest.mark.parametrize("gold", [r"\frac{1", "{", "?"])
def test_a_gold_that_only_matches_itself_letter_for_letter_is_no_gold(gold: str, grader: Grader) -> None:
    assert not self_check(gold, grader)
    assert "UnreadableGold" not in grader.grade(gold, "3").note
