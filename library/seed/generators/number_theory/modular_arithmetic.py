"""Problems on remainders."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def multiplied_out(base: int, exponent: int, modulus: int) -> int:
    """Multiply by the base again and again, keeping remainders."""
    remainder = 1 % modulus
    for _ in range(exponent):
        remainder = remainder * base % modulus
    return remainder


@generator("Reduce a power modulo n with a cycle of residues", check=multiplied_out)
def power_remainder(rng: Random, difficulty: int) -> Draw | None:
    modulus = rng.randint(*((5, 9), (10, 20), (21, 60))[difficulty - 1])
    base = rng.randint(2, modulus - 1)
    exponent = rng.randint(20, (60, 400, 3000)[difficulty - 1])
    answer = pow(base, exponent, modulus)
    if answer in (0, 1):
        return None
    power = f"${base}^{{{exponent}}}$"
    problem = rng.choice(
        (
            f"What is the remainder when {power} is divided by ${modulus}$?",
            f"Find the smallest non-negative integer $r$ for which {power} and $r$ leave the same remainder modulo "
            f"${modulus}$.",
            f"{person(rng)} packs {power} beads into boxes of {modulus} until fewer than {modulus} are left. How many "
            "beads are left over?",
        )
    )
    return Draw(problem, str(answer), {"base": base, "exponent": exponent, "modulus": modulus})
