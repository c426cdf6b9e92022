"""Problems on data."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import counted, listed, person


def mean_of_list(values: list[int], weights: list[int], mean: list[int]) -> str:
    """Write the list out value by value; a weight or value of -1 is tried upwards until the mean is right."""
    from fractions import Fraction

    unknown = 0
    while True:
        tried = [unknown if weight == -1 else weight for weight in weights]
        items = [unknown if value == -1 else value for value, n in zip(values, tried, strict=True) for _ in range(n)]
        average = Fraction(sum(items), len(items))
        if not mean:
            return str(average)
        if average == Fraction(mean[0], mean[1]):
            return str(unknown)
        unknown += 1


@generator("Weight each value by how often or how much it counts", check=mean_of_list)
def weighted_mean(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    if difficulty < 3 and rng.random() < 0.6:
        number = 3 if difficulty == 1 else rng.randint(4, 5)
        start = rng.randint(0, 3)
        values = list(range(start, start + number))
        weights = [rng.randint(1, 5 if difficulty == 1 else 9) for _ in values]
        average = Fraction(sum(v * w for v, w in zip(values, weights, strict=True)), sum(weights))
        if len(set(weights)) == 1 or average.denominator > 5 or average == Fraction(sum(values), number):
            return None
        table = [(v, w) for v, w in zip(values, weights, strict=True)]
        story, unit, ask = rng.choice(
            (
                ("A football team keeps a list of its matches:", ("match", "matches", "goal"), "goals per match"),
                (f"{name} asks households how many pets they have:", ("household", "households", "pet"),
                 "pets per household"),
                (f"{name} counts the peas in pods:", ("pod", "pods", "pea"), "peas in a pod"),
                ("A librarian notes how many books visitors borrow:", ("visitor", "visitors", "book"),
                 "books per visitor"),
            )
        )  # fmt: skip
        lines = [
            f"{counted(w, unit[0], unit[1])} with {counted(v, unit[2]) if v else f'no {unit[2]}s'}" for v, w in table
        ]
        hidden = rng.randrange(number) if difficulty == 2 else -1
        if hidden >= 0 and average != values[hidden] and average.denominator in (1, 2, 4, 5):
            shown = average.numerator if average.denominator == 1 else float(average)
            known = [line for place, line in enumerate(lines) if place != hidden]
            value = counted(values[hidden], unit[2]) if values[hidden] else f"no {unit[2]}s"
            problem = (
                f"{story} {listed([*known, f'some {unit[1]} with {value}'])}. The mean is exactly {shown} {ask}. How "
                f"many {unit[1]} have {value}?"
            ).replace("matches have", "matches were there with")
            given = [average.numerator, average.denominator]
            masked = [-1 if place == hidden else w for place, w in enumerate(weights)]
            return Draw(problem, str(weights[hidden]), {"values": values, "weights": masked, "mean": given})
        problem = f"{story} {listed(lines)}. What is the mean number of {ask}?"
        return Draw(problem, str(average), {"values": values, "weights": weights, "mean": []})
    number = 2 if difficulty == 1 else rng.randint(3, 4)
    weights = [rng.choice((10, 15, 20, 25, 30, 35, 40)) for _ in range(number - 1)]
    weights.append(100 - sum(weights))
    values = [rng.randint(50, 99) for _ in weights]
    if difficulty == 1:
        values = [10 * (value // 10) for value in values]
        weights = rng.choice(([20, 80], [30, 70], [40, 60], [80, 20], [70, 30]))
    total = sum(v * w for v, w in zip(values, weights, strict=True))
    if weights[-1] < 15 or total % 100 or len(set(values)) < 2 or len(set(weights)) == 1:
        return None
    mark = total // 100
    parts = {2: ["homework", "exam"], 3: ["homework", "project", "exam"], 4: ["homework", "oral mark", "test", "exam"]}
    if rng.random() < 0.5:
        parts = {2: ["speed", "style"], 3: ["speed", "style", "technique"], 4: ["start", "speed", "style", "technique"]}
    labels = parts[number]
    subject = rng.choice(("In a physics course", "In a history course", "For a language diploma"))
    if "speed" in labels:
        subject = rng.choice(("In a skating contest", "At a ski competition"))
    rule = f"{subject} " + listed([f"the {label} counts {w}%" for label, w in zip(labels, weights, strict=True)])
    if difficulty == 3 or (difficulty == 2 and rng.random() < 0.5):
        hidden = rng.randrange(number)
        got = [f"{v} points for the {label}" for place, (v, label) in enumerate(zip(values, labels, strict=True))
               if place != hidden]  # fmt: skip
        problem = (
            f"{rule} of the final mark. {name} has {listed(got)}. How many points for the {labels[hidden]} does "
            f"{name} need for a final mark of exactly {mark}?"
        )
        masked = [-1 if place == hidden else v for place, v in enumerate(values)]
        return Draw(problem, str(values[hidden]), {"values": masked, "weights": weights, "mean": [mark, 1]})
    got = [f"{v} points for the {label}" for v, label in zip(values, labels, strict=True)]
    problem = f"{rule} of the final mark. {name} gets {listed(got)}. What is {name}'s final mark?"
    return Draw(problem, str(mark), {"values": values, "weights": weights, "mean": []})


def written_out(values: list[int], counts: list[int], asked: str) -> str:
    """Write out the sorted list of all data and strike out from both ends."""
    from fractions import Fraction

    data = sorted(value for value, count in zip(values, counts, strict=True) for _ in range(count))

    def median(row: list[int]) -> Fraction:
        while len(row) > 2:
            row = row[1:-1]
        return Fraction(sum(row), len(row))

    half = len(data) // 2
    if asked == "quartiles":
        return str(median(data[-half:]) - median(data[:half]))
    if asked == "gap":
        return str(abs(Fraction(sum(data), len(data)) - median(data)))
    return str(median(data))


@generator("Count up the frequencies to the middle place", check=written_out)
def median_of_frequencies(rng: Random, difficulty: int) -> Draw | None:
    number = (3, rng.randint(4, 6), rng.randint(5, 7))[difficulty - 1]
    start = rng.randint(0, 3)
    story, template, what = rng.choice(
        (
            ("A shop notes the sizes of the shoes it sells.", "size {v} was sold {n}", "sizes sold"),
            ("A spinner with numbered fields is spun many times.", "the number {v} came up {n}", "numbers spun"),
            ("A dentist lists how many fillings each patient has.", "the number {v} stands in the list {n}",
             "numbers of fillings"),
            ("A referee shows marks with numbered cards.", "mark {v} was shown {n}", "marks shown"),
            ("An ornithologist counts the eggs in nests.", "a nest with {v} eggs was found {n}", "numbers of eggs"),
        )
    )  # fmt: skip
    if "sizes" in story:
        start = rng.randint(34, 40)
    elif "spinner" in story:
        start = 1
    elif "eggs" in story:
        start = rng.randint(2, 4)
    values = [start + place for place in range(number)]
    counts = [rng.randint(2, (5, 14, 24)[difficulty - 1]) for _ in values]
    total = sum(counts)
    ordered = sorted(v for v, n in zip(values, counts, strict=True) for _ in range(n))
    half = total // 2
    middle = Fraction(ordered[half] + ordered[~half], 2)
    asked = "median"
    answer = middle
    if difficulty == 2 and middle == Fraction(values[0] + values[-1], 2):
        return None
    question = f"What is the median of the {what}?"
    if difficulty == 3:
        asked = rng.choice(("quartiles", "gap"))
        if asked == "gap":
            answer = abs(Fraction(sum(ordered), total) - middle)
            if not answer or answer.denominator > 60:
                return None
            question = f"By how much do the mean and the median of the {what} differ?"
        else:
            upper, lower = ordered[-half:], ordered[:half]
            answer = Fraction(upper[half // 2] + upper[~(half // 2)] - lower[half // 2] - lower[~(half // 2)], 2)
            if not answer:
                return None
            question = (
                f"Find the interquartile range of the {what}, that is the median of the upper half minus the median "
                "of the lower half of the sorted data"
                + (" (the middle one of all data belongs to neither half)." if total % 2 else ".")
            )
    order = list(zip(values, counts, strict=True))
    if rng.random() < 0.4:
        rng.shuffle(order)
    lines = [template.format(v=v, n=counted(n, "time")) for v, n in order]
    sentence = listed(lines)
    problem = f"{story} {sentence[0].upper()}{sentence[1:]}. {question}"
    return Draw(problem, str(answer), {"values": values, "counts": counts, "asked": asked})
