"""Lint rules about one template's wording and shape. Heuristics that may err are warnings."""

import re
from collections.abc import Iterator

from library.checking import spelled
from library.lint_rule import Hit, Options, Rule
from library.template import Template, name_key
from library.wording import same_order, words

_TOPIC_OPENING = re.compile(
    r"(?:an? |the )?(?:introduction to|overview of|basics of|fundamentals of|theory of|properties of|types of"
    r"|definition of|concepts? of|notes on|about)\b",
    re.IGNORECASE,
)
_TOPIC_NOUNS = frozenset(
    words(
        "algebra analysis arithmetic basics calculus combinatorics concepts equations exercises expressions formula"
        " formulas formulae functions fundamentals geometry inequalities integrals logarithms matrices numbers"
        " polynomials probability problems progressions properties queries questions sequences series sets statistics"
        " theorem theorems theory topics triangles trigonometry vectors"
    )
)
_METHOD_VERBS = frozenset(
    words(
        "add apply bound break build bring chain change check choose combine compare complete compute"
        " construct convert count cut decide derive determine differentiate distribute divide draw eliminate"
        " estimate evaluate expand express factor factorise find fit follow get group guess integrate isolate"
        " join let list look map match measure model move multiply optimise pair place prove read rearrange"
        " recognise reduce replace rewrite rotate row scale search set shift simplify solve split square start"
        " subtract substitute sum swap take telescope test track transform translate try turn unroll use work"
        " write"
    )
)
_TOPIC_WORDS = 4
_EMPTY_WORDS = frozenset(
    words(
        "a an and are by describes describing explains explaining for from how in is it method of on solve solving"
        " technique template that the this to use used using way with you"
    )
)
_LEAD = re.compile(r"^(?:(?:first|then|next|now|finally|lastly|also|and|so|carefully|just|simply|please)\b[ ,]*)+")
_FILLER = re.compile(
    r"""(?:
        (?:read|re-?read|understand|analy[sz]e|consider|look\ at|think\ about|study|identify)
            (?:\ (?:the|this|your))?\ (?:given\ )?(?:problem|question|task|statement|situation)
            (?:\ (?:statement|carefully|again))*
      | (?:solve|do|answer|finish|tackle|complete)(?:\ (?:it|this|the\ (?:problem|question|task|rest)))?
      | (?:set\ (?:it\ |everything\ )?up|simplify|calculate|compute|evaluate|conclude|proceed|continue|repeat|think)
      | (?:double-?check|check|verify|review|validate)
            (?:\ (?:it|everything|that\ the\ answer\ is\ correct
            |(?:your|the)\ (?:final\ )?(?:work|answer|results?|solution)))?
      | (?:find|get|obtain|give|state|write(?:\ down)?|report|present|return|output)
            \ (?:the|your|a|an)\ (?:final\ |correct\ )?(?:answer|result|solution)
      | think\ (?:carefully|hard|step\ by\ step|about\ it)
      | (?:use|apply|choose|select|pick)\ (?:the|an|a|some)
            \ (?:appropriate|right|suitable|relevant|correct|proper|known)
            \ (?:formulas?|methods?|techniques?|approach|theorems?|strategy|tools?|rules?)(?:\ to\ .{0,60})?
      | be\ careful | do\ the\ (?:maths?|algebra|calculations?) | and\ so\ on | etc | proceed\ as\ (?:usual|before)
      | plug\ (?:it|them|everything|the\ values|the\ numbers)\ in
      | use\ (?:logic|algebra|maths?|reasoning|common\ sense)
    )""",
    re.VERBOSE,
)
_OWN_NUMBER = re.compile(r"(?:step\s*)?\(?\d{1,2}\s*[.):](?:\s|$)", re.IGNORECASE)
_NO_ANSWER = frozenset(("?", "??", "???", "-", "--", "—", "…", "...", "tbd", "todo", "see solution", "see above"))
_NO_NUMBER = frozenset(("n/a", "na", "nan", "null", "unknown"))
_MIN_STEP_WORDS = 3
_MAX_TAG_WORDS = 4
_MAX_TAG_CHARACTERS = 40


def _topic_name(template: Template, options: Options) -> Iterator[Hit]:
    name = words(template.name)
    opening = _TOPIC_OPENING.match(template.name)
    short = 0 < len(name) <= _TOPIC_WORDS and name[-1] in _TOPIC_NOUNS
    if opening or (short and name[0] not in _METHOD_VERBS and not name[0].endswith("ing")):
        yield "name", "reads like a topic; name the method, as in an instruction"


def _long_name(template: Template, options: Options) -> Iterator[Hit]:
    if len(template.name) > options.limits.max_name_characters:
        yield "name", f"has {len(template.name)} characters, more than {options.limits.max_name_characters}"


def _repeated_name(template: Template, options: Options) -> Iterator[Hit]:
    name, description = set(words(template.name)), words(template.description)
    own = [word for word in description if word not in name and word not in _EMPTY_WORDS]
    if name.intersection(description) and len(own) <= len(description) // 5:
        yield "description", "repeats the name; say what the method does and why it works"


def _short_description(template: Template, options: Options) -> Iterator[Hit]:
    number = len(words(template.description))
    if number < options.limits.min_description_words:
        yield "description", f"has {number} words, fewer than {options.limits.min_description_words}"


def _no_scope(template: Template, options: Options) -> Iterator[Hit]:
    if not words(template.scope):
        yield "scope", "is missing; say when the method applies and when it does not"


def _short_scope(template: Template, options: Options) -> Iterator[Hit]:
    number = len(words(template.scope))
    if 0 < number < options.limits.min_scope_words:
        yield "scope", f"has {number} words, fewer than {options.limits.min_scope_words}"


def _few_steps(template: Template, options: Options) -> Iterator[Hit]:
    if len(template.steps) < options.limits.min_steps:
        yield "steps", f"are {len(template.steps)}, fewer than {options.limits.min_steps}"


def _many_steps(template: Template, options: Options) -> Iterator[Hit]:
    if len(template.steps) > options.limits.max_steps:
        yield "steps", f"are {len(template.steps)}, more than {options.limits.max_steps}"


def _is_filler(step: str) -> bool:
    plain = " ".join(step.casefold().replace("’", "'").split()).rstrip(" .!;:,")
    return _FILLER.fullmatch(_LEAD.sub("", plain)) is not None


def _filler_steps(template: Template, options: Options) -> Iterator[Hit]:
    for position, step in enumerate(template.steps):
        if len(step) <= 200 and _is_filler(step):
            yield spelled(("steps", position)), f'"{step}" fits every method; say what is done to what'


def _short_steps(template: Template, options: Options) -> Iterator[Hit]:
    for position, step in enumerate(template.steps):
        number = len(words(step))
        if number < _MIN_STEP_WORDS and not _is_filler(step):
            yield spelled(("steps", position)), f"has {number} words; say what is done to what"


def _long_steps(template: Template, options: Options) -> Iterator[Hit]:
    limit = options.limits.max_step_characters
    for position, step in enumerate(template.steps):
        if len(step) > limit:
            yield spelled(("steps", position)), f"has {len(step)} characters, more than {limit}; split it"


def _repeated_steps(template: Template, options: Options) -> Iterator[Hit]:
    seen: dict[tuple[str, ...], int] = {}
    for position, step in enumerate(template.steps):
        first = seen.setdefault(tuple(words(step)), position)
        if first != position:
            yield spelled(("steps", position)), f"says the same as {spelled(('steps', first))}"


def _numbered_steps(template: Template, options: Options) -> Iterator[Hit]:
    for position, step in enumerate(template.steps):
        if _OWN_NUMBER.match(step):
            yield spelled(("steps", position)), "carries a number of its own; steps are numbered by their order"


def _tag_count(template: Template, options: Options) -> Iterator[Hit]:
    limits = options.limits
    if not limits.min_tags <= len(template.tags) <= limits.max_tags:
        yield "tags", f"are {len(template.tags)}, not {limits.min_tags} to {limits.max_tags}"


def _tag_case(template: Template, options: Options) -> Iterator[Hit]:
    for position, tag in enumerate(template.tags):
        if tag != tag.lower():
            yield spelled(("tags", position)), f'"{tag}" has capital letters; tags are written in lower case'


def _long_tags(template: Template, options: Options) -> Iterator[Hit]:
    for position, tag in enumerate(template.tags):
        if len(words(tag)) > _MAX_TAG_WORDS or len(tag) > _MAX_TAG_CHARACTERS:
            yield spelled(("tags", position)), f'"{tag}" is a phrase; a tag is a word or two that templates share'


def _unknown_tags(template: Template, options: Options) -> Iterator[Hit]:
    if options.vocabulary is None:
        return
    known = {name_key(tag) for tag in options.vocabulary}
    for position, tag in enumerate(template.tags):
        if name_key(tag) not in known:
            yield spelled(("tags", position)), f'"{tag}" is not in the vocabulary{_meant(tag, known)}'


def _meant(tag: str, known: set[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name_key(tag), sorted(known), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def _no_answer(template: Template, options: Options) -> Iterator[Hit]:
    for position, example in enumerate(template.examples):
        answer = example.answer.casefold()
        if answer in _NO_ANSWER or (example.grader == "math" and answer in _NO_NUMBER):
            yield spelled(("examples", position, "answer")), f'"{example.answer}" is no answer; give the exact one'


def _no_check(template: Template, options: Options) -> Iterator[Hit]:
    for position, example in enumerate(template.examples):
        if not example.check:
            yield spelled(("examples", position)), "has no check, so nothing derives its answer another way"


def _no_program(template: Template, options: Options) -> Iterator[Hit]:
    shown = [example for example in template.examples if example.role == "index"]
    if shown and not any(example.program for example in shown):
        yield "examples", "show no program that carries the steps out"


def _no_solution(template: Template, options: Options) -> Iterator[Hit]:
    shown = [example for example in template.examples if example.role == "index"]
    if shown and not any(example.solution for example in shown):
        yield "examples", "show no solution in words"


def _no_index(template: Template, options: Options) -> Iterator[Hit]:
    if not any(example.role == "index" for example in template.examples):
        yield "examples", "hold no `index` example, so that no problem leads to the template"


def _no_probe(template: Template, options: Options) -> Iterator[Hit]:
    if not any(example.role == "probe" for example in template.examples):
        yield "examples", "hold no `probe` example, so that finding the template can't be measured"


def _near_probe(template: Template, options: Options) -> Iterator[Hit]:
    indexed = [(at, words(e.problem)) for at, e in enumerate(template.examples) if e.role == "index"]
    for position, example in enumerate(template.examples):
        if example.role != "probe":
            continue
        probe = words(example.problem)
        for at, problem in indexed:
            alike = same_order(probe, problem)
            if alike > options.limits.probe_similarity:
                yield (
                    spelled(("examples", position, "problem")),
                    f"is a probe that reads like {spelled(('examples', at, 'problem'))} ({alike:.2f})",
                )


SHAPE_RULES = (
    Rule("NAM01", "warning", "The name is a topic, not a method.", _topic_name),
    Rule("NAM02", "warning", "The name is long.", _long_name),
    Rule("DES01", "error", "The description repeats the name.", _repeated_name),
    Rule("DES02", "warning", "The description is short.", _short_description),
    Rule("SCO01", "error", "The scope is missing.", _no_scope),
    Rule("SCO02", "warning", "The scope is short.", _short_scope),
    Rule("STP01", "error", "There are too few steps.", _few_steps),
    Rule("STP02", "warning", "There are too many steps.", _many_steps),
    Rule("STP03", "error", "A step is filler that fits every method.", _filler_steps),
    Rule("STP04", "warning", "A step has hardly any words.", _short_steps),
    Rule("STP05", "warning", "A step is long.", _long_steps),
    Rule("STP06", "error", "A step is there twice.", _repeated_steps),
    Rule("STP07", "warning", "A step carries a number of its own.", _numbered_steps),
    Rule("TAG01", "warning", "There are too few or too many tags.", _tag_count),
    Rule("TAG02", "warning", "A tag has capital letters.", _tag_case),
    Rule("TAG03", "warning", "A tag is a phrase.", _long_tags),
    Rule("TAG04", "error", "A tag is not in the vocabulary given.", _unknown_tags),
    Rule("EXA01", "error", "An example's answer is no answer.", _no_answer),
    Rule("EXA02", "warning", "An example has no check.", _no_check),
    Rule("EXA03", "warning", "No index example has a program.", _no_program),
    Rule("EXA04", "warning", "No index example has a solution.", _no_solution),
    Rule("EXA05", "error", "There is no index example.", _no_index),
    Rule("EXA06", "warning", "There is no probe example.", _no_probe),
    Rule("EXA07", "error", "A probe reads like an index example of its template.", _near_probe),
)
