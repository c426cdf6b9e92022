"""Which tokens are learned: exactly the completion and its end, or the job stops before the model is loaded."""

import re
from pathlib import Path
from typing import Any

import pytest

from reasonflux.errors import UsageError, WeightsError
from tests.training.tiny import CHATML, END, make_tokenizer, pair_rows, sft_rows
from training.errors import TrainingError
from training.records import Placed, PreferenceRow, SftRow
from training.tokenizing import IGNORED, load_tokenizer, tokenize_pairs, tokenize_sft

THINK = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|><think>\n{% endif %}"
)
PLAIN = (
    "{% for m in messages %}[{{ m['role'] }}]{{ m['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}[assistant]{% endif %}"
)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return make_tokenizer()


def sft(prompt: str, completion: str, where: str = "rows.jsonl:1") -> Placed[SftRow]:
    return Placed(where, SftRow.model_validate({"prompt": prompt, "completion": completion}))


def pair(number: int, prompt: str, chosen: str, rejected: str) -> Placed[PreferenceRow]:
    row = {"prompt": prompt, "chosen": chosen, "rejected": rejected}
    return Placed(f"pairs.jsonl:{number}", PreferenceRow.model_validate(row))


def learned(words: Any, row: Any) -> str:
    return str(words.decode([label for label in row.labels if label != IGNORED]))


@pytest.mark.parametrize("template", [CHATML, PLAIN], ids=["ends its turns", "writes no end"])
def test_exactly_the_completion_and_its_end_are_learned(template: str) -> None:
    words = make_tokenizer(chat_template=template)
    row = tokenize_sft([sft("What is 2+2?", "The answer is 4.")], words, max_length=200).rows[0]
    assert learned(words, row) == "The answer is 4." + END
    assert words.decode(row.input_ids[: row.prompt_length]).endswith(("assistant\n", "[assistant]"))
    assert len(row.labels) == len(row.input_ids)


def test_a_prompt_that_is_no_prefix_stops_the_job_with_both_token_lists() -> None:
    """D5: the generation prompt opens a thought that a finished turn does not have."""
    words = make_tokenizer(chat_template=THINK)
    rows = [sft("What is 2+2?", "The answer is 4.", "rows.jsonl:7")]
    with pytest.raises(TrainingError) as caught:
        tokenize_sft(rows, words, max_length=200)
    said = str(caught.value)
    asked = words.apply_chat_template(
        [{"role": "user", "content": "What is 2+2?"}], add_generation_prompt=True, tokenize=True, return_dict=True
    )["input_ids"]
    assert "rows.jsonl:7" in said
    lists = re.findall(r"\[([\d, ]+)\]", said)
    assert [int(number) for number in lists[0].split(",")] == list(asked)
    assert len(lists) == 2
    with pytest.raises(TrainingError, match=r"pairs\.jsonl:3 is not a token prefix"):
        tokenize_pairs([pair(3, "What?", "yes", "no")], words, max_length=200)


def test_a_template_that_closes_an_empty_thought_in_both_is_taken() -> None:
    """D5: the documented form with an empty think block, rendered alike in prompt and finished turn."""
    same = THINK.replace(
        "{% for m in messages %}<|{{ m['role'] }}|>",
        "{% for m in messages %}<|{{ m['role'] }}|>{% if m['role'] == 'assistant' %}<think>\n\n</think>\n{% endif %}",
    ).replace("<think>\n{% endif %}", "<think>\n\n</think>\n{% endif %}")
    words = make_tokenizer(chat_template=same)
    row = tokenize_sft([sft("What is 2+2?", "The answer is 4.")], words, max_length=200).rows[0]
    assert learned(words, row) == "The answer is 4." + END


def test_a_token_that_spans_prompt_and_completion_stops_the_job() -> None:
    """D5's kind: "answer" and "s" are two texts, yet may be tokens that neither of them ends with."""
    template = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    words = make_tokenizer(chat_template=template)
    with pytest.raises(TrainingError, match="not a token prefix"):
        tokenize_sft([sft("What is the answ", "er? 4")], words, max_length=200)


def test_latex_survives_unchanged(tokenizer: Any) -> None:
    text = r"Use \(a_n\), $\frac{1}{2}$ and \boxed{x_{1}} — 数列" + "\n  then {{ stop }} {% x %}"
    row = tokenize_sft([sft(text, text)], tokenizer, max_length=500).rows[0]
    assert learned(tokenizer, row) == text + END
    assert text in tokenizer.decode(row.input_ids[: row.prompt_length])


def test_a_template_that_changes_the_completion_stops_the_job() -> None:
    template = CHATML.replace("m['content'] }}<|im_end|>", "m['content'] | upper }}<|im_end|>")
    words = make_tokenizer(chat_template=template)
    with pytest.raises(TrainingError, match=r"changes the completion of rows\.jsonl:1"):
        tokenize_sft([sft("Q", "The answer")], words, max_length=200)


def test_a_template_that_refuses_a_row_is_named_with_the_row() -> None:
    refusing = "{{ raise_exception('no system role') }}"
    words = make_tokenizer(chat_template=refusing)
    with pytest.raises(TrainingError, match=r"can't render rows\.jsonl:1: no system role"):
        tokenize_sft([sft("Q", "A")], words, max_length=200)


def test_a_text_with_a_special_token_is_refused(tokenizer: Any) -> None:
    with pytest.raises(TrainingError, match=r"rows\.jsonl:1 holds '<\|im_end\|>'"):
        tokenize_sft([sft("Q", f"A{END} more")], tokenizer, max_length=200)


@pytest.fixture
def cut_rows() -> list[Placed[PreferenceRow]]:
    """D1: row 3 has a prompt longer than anything allowed, row 5 a short and a long completion."""
    rows = [pair(number, f"Solve: {number}", "one", "two") for number in range(1, 9)]
    rows[2] = pair(3, "Solve: " + "x+1 " * 400, r"\boxed{2}", r"\boxed{3}")
    rows[4] = pair(5, "Solve: 5", "abc", "no " * 300)
    return rows


def test_a_row_cut_to_nothing_is_dropped_by_number(tokenizer: Any, cut_rows: list[Placed[PreferenceRow]]) -> None:
    """D1: row 3 is gone before the first step and named; row 5 keeps its chosen tokens; no prompt is cut."""
    found = tokenize_pairs(cut_rows, tokenizer, max_length=128)
    assert [row.where for row in found.rows] == [f"pairs.jsonl:{number}" for number in (1, 2, 4, 5, 6, 7, 8)]
    fifth = found.rows[3]
    assert tokenizer.decode(fifth.chosen_ids) == "abc" + END
    assert len(fifth.prompt_ids) + len(fifth.rejected_ids) == 128
    assert all(row.chosen_ids and row.rejected_ids for row in found.rows)
    assert len(found.dropped) == 1
    assert "pairs.jsonl:3 (its prompt of" in found.dropped[0]
    assert "pairs.jsonl:5 (rejected" in found.cut[0]
    whole = tokenize_pairs(cut_rows, tokenizer, max_length=4000)
    assert [row.prompt_ids for row in whole.rows if row.where != "pairs.jsonl:3"] == [
        row.prompt_ids for row in found.rows
    ]
    assert len(found.notices()) == 2


def test_a_file_whose_rows_are_all_cut_to_nothing_stops(tokenizer: Any, cut_rows: list[Placed[PreferenceRow]]) -> None:
    with pytest.raises(TrainingError, match=r"None of the 1 rows can be learned: pairs\.jsonl:3"):
        tokenize_pairs(cut_rows[2:3], tokenizer, max_length=128)
    with pytest.raises(TrainingError, match="None of the 2 rows"):
        tokenize_sft([sft("long " * 50, "A"), sft("long " * 60, "B")], tokenizer, max_length=20)


def test_a_row_whose_prompt_fills_all_but_nothing_is_dropped(tokenizer: Any) -> None:
    row = sft("Q", "The answer")
    length = tokenize_sft([row], tokenizer, max_length=100).rows[0].prompt_length
    kept = tokenize_sft([row], tokenizer, max_length=length + 1).rows[0]
    assert len(kept.input_ids) == length + 1
    with pytest.raises(TrainingError):
        tokenize_sft([row], tokenizer, max_length=length)


def test_completions_that_differ_only_behind_the_cut_are_dropped(tokenizer: Any) -> None:
    rows = [*pair_rows(2), pair(9, "Q", "same " * 40 + "a", "same " * 40 + "b")]
    found = tokenize_pairs(rows, tokenizer, max_length=60)
    assert len(found.rows) == 2
    assert "pairs.jsonl:9 (chosen and rejected have the same first" in found.dropped[0]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"chat_template": None}, "has no chat template.*--chat-template"),
        ({"pad_token": None}, "has no pad token.*--pad-token"),
        ({"eos_token": None}, "has no end-of-text token"),
    ],
)
def test_a_tokenizer_that_lacks_something_is_refused(tmp_path: Path, values: dict[str, Any], said: str) -> None:
    from training.tokenizing import check_tokenizer

    with pytest.raises(TrainingError, match=said):
        check_tokenizer(make_tokenizer(**values), tmp_path)


def test_what_is_missing_can_be_given(tmp_path: Path) -> None:
    make_tokenizer(chat_template=None, pad_token=None).save_pretrained(tmp_path)
    (tmp_path / "given.jinja").write_text(PLAIN, encoding="utf-8")
    words = load_tokenizer(tmp_path, chat_template=tmp_path / "given.jinja", pad_token="<|endoftext|>")
    assert learned(words, tokenize_sft([sft("Q", "A")], words, max_length=50).rows[0]) == "A" + END
    with pytest.raises(UsageError, match="not in the vocabulary"):
        load_tokenizer(tmp_path, chat_template=tmp_path / "given.jinja", pad_token="<nothing>")
    with pytest.raises(UsageError, match="can't be read"):
        load_tokenizer(tmp_path, chat_template=tmp_path / "missing.jinja")
    (tmp_path / "empty").mkdir()
    with pytest.raises(WeightsError, match="can't be loaded"):
        load_tokenizer(tmp_path / "empty")


def test_our_tokens_are_those_of_trl(tokenizer: Any) -> None:
    """TRL's own reading of the same rows, but for what its template writes behind the end of the turn."""
    from trl.data_utils import _tokenize

    for placed, row in zip(sft_rows(), tokenize_sft(sft_rows(), tokenizer, max_length=500).rows, strict=True):
        turns = [{"role": turn.role, "content": turn.content} for turn in (*placed.row.prompt, *placed.row.completion)]
        theirs = _tokenize(tokenizer, turns)["input_ids"]
        asked = _tokenize(tokenizer, turns[:-1], add_generation_prompt=True)["input_ids"]
        assert theirs[: len(row.input_ids)] == row.input_ids
        assert tokenizer.decode(theirs[len(row.input_ids) :]) == "\n"
        assert asked == row.input_ids[: row.prompt_length]
