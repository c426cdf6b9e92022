"""Lint rules about templates side by side: what is there twice, or spelled in two ways."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from library.checking import spelled
from library.lint_rule import CollectionRule, NumberedHit, Options
from library.template import Template, name_key
from library.wording import overlapping, same_order, shared_words, words

_MIN_TYPO_CHARACTERS = 6


def _same_names(templates: Sequence[Template], options: Options) -> Iterator[NumberedHit]:
    seen: dict[str, int] = {}
    for position, template in enumerate(templates):
        first = seen.setdefault(name_key(template.name), position)
        if first != position:
            yield position, "name", f'is the name of "{templates[first].name}" too'


def _near_templates(templates: Sequence[Template], options: Options) -> Iterator[NumberedHit]:
    texts = [method_words(template) for template in templates]
    for one, other in overlapping(texts):
        alike = shared_words(texts[one], texts[other])
        if alike >= options.limits.template_similarity:
            yield other, "", f'says much the same as "{templates[one].name}" ({alike:.2f}); merge them'


def method_words(template: Template) -> list[str]:
    """Return the words that say what a template does: those of its description and its steps."""
    return words("\n".join((template.description, *template.steps)))


def _shared_steps(templates: Sequence[Template], options: Options) -> Iterator[NumberedHit]:
    seen: dict[tuple[str, ...], int] = {}
    for position, template in enumerate(templates):
        for at, step in enumerate(template.steps):
            first = seen.setdefault(tuple(words(step)), position)
            if first != position:
                yield position, spelled(("steps", at)), f'is a step of "{templates[first].name}" too'


def _near_probes(templates: Sequence[Template], options: Options) -> Iterator[NumberedHit]:
    problems = [
        (position, at, example.role, words(example.problem))
        for position, template in enumerate(templates)
        for at, example in enumerate(template.examples)
    ]
    for one, other in overlapping([text for *_, text in problems]):
        for probe, shown in ((problems[one], problems[other]), (problems[other], problems[one])):
            if (probe[2], shown[2]) != ("probe", "index") or probe[0] == shown[0]:
                continue
            alike = same_order(probe[3], shown[3])
            if alike > options.limits.probe_similarity:
                there = f'{spelled(("examples", shown[1]))} of "{templates[shown[0]].name}"'
                where = spelled(("examples", probe[1], "problem"))
                yield probe[0], where, f"is a probe that reads like {there} ({alike:.2f})"


def _tag_spellings(templates: Sequence[Template], options: Options) -> Iterator[NumberedHit]:
    used = Counter(tag for template in templates for tag in template.tags)
    meant = _spelled_alike(used)
    for position, template in enumerate(templates):
        for at, tag in enumerate(template.tags):
            if tag in meant:
                message = f'"{tag}" looks like another spelling of "{meant[tag]}"; use one of them'
                yield position, spelled(("tags", at)), message


def _spelled_alike(used: Counter[str]) -> dict[str, str]:
    """Return, for each tag that another one differs from by spelling alone, the other: the one used more."""
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for tag in used:
        key = "".join(words(tag))
        singular = key[:-1] if len(key) > 3 and key.endswith("s") and not key.endswith("ss") else key
        groups[singular].add(tag)
        if len(key) >= _MIN_TYPO_CHARACTERS:
            # Two words are one letter apart where they share what is left of them without one letter.
            for gap in range(len(key)):
                groups["-" + key[:gap] + key[gap + 1 :]].add(tag)
            groups["-" + key].add(tag)
    meant: dict[str, str] = {}
    for label, group in groups.items():
        ranked = sorted(group, key=lambda tag: (-used[tag], tag))
        for tag in ranked[1:]:
            best = ranked[0]
            one, other = "".join(words(tag)), "".join(words(best))
            if name_key(tag) == name_key(best) or (label.startswith("-") and not _is_typo(one, other)):
                continue
            meant.setdefault(tag, best)
    return meant


def _is_typo(one: str, other: str) -> bool:
    """Tell whether a letter is missing or two are swapped; another letter makes another word, as does a digit."""
    from rapidfuzz.distance import OSA

    if [c for c in one if c.isdigit()] != [c for c in other if c.isdigit()]:
        return False
    return OSA.distance(one, other) <= 1 and (len(one) != len(other) or sorted(one) == sorted(other))


COLLECTION_RULES = (
    CollectionRule("LIB01", "error", "Two templates have one name.", _same_names),
    CollectionRule("LIB02", "warning", "Two templates say much the same.", _near_templates),
    CollectionRule("LIB03", "warning", "Two templates share a step.", _shared_steps),
    CollectionRule("LIB04", "warning", "A probe reads like an index example of another template.", _near_probes),
    CollectionRule("TAG05", "warning", "Two tags differ by their spelling alone.", _tag_spellings),
)
