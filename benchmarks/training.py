"""How fast structure fine-tuning and DPO are, and how much memory they take, against a bare TRL script.

Both do the same: load the model, tokenize the rows, look at the held-out ones, train a LoRA adapter with the same
settings, look again, save the adapter. The bare script gives TRL the rows as they stand; ours checks them, seals its
checkpoints and writes a card besides. Each measurement is a process of its own, ours and the bare one in turn, so that
whatever else the machine does falls on both; importing is not counted. Processor time is told too: it says more on a
machine that has other work.

Usage: python benchmarks/training.py [--model FOLDER_OR_NAME] [--pairs 5] [--steps 8] [--batch 4] [--kind structure|dpo]
Targets: the interval of the paired ratio of speeds reaches 0.95; peak memory is at most 1.05 times the bare one's.
"""

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SPEED_TARGET, MEMORY_TARGET = 0.95, 1.05
LENGTH, RATE, RANK = 512, 1e-4, 16
KINDS = ("structure", "dpo")
# Two-sided 97.5% points of Student's t for 1 to 9 degrees of freedom.
T_POINTS = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


def rows_of(kind: str, number: int) -> list[dict[str, Any]]:
    """Return rows made of the seed library: its structure, or the right scope against another template's."""
    from library.seeding import seed_templates
    from training.structure import structure_row

    made = [structure_row(template) for template in seed_templates()]
    rows = []
    for place in range(number):
        row, other = made[place % len(made)], made[(place * 7 + 3) % len(made)]
        turns = {"prompt": row.model_dump(mode="json")["prompt"]}
        told = row.model_dump(mode="json")["completion"]
        if kind == "structure":
            rows.append(turns | {"completion": told})
        else:
            rows.append(turns | {"chosen": told, "rejected": other.model_dump(mode="json")["completion"]})
    return rows


def ours(kind: str, model: Path, rows: list[dict[str, Any]], held: list[dict[str, Any]], steps: int, out: Path) -> None:
    """Run our job."""
    from training.records import Placed, PreferenceRow, SftRow
    from training.starting import find_start

    chosen: dict[str, Any] = {"batch_size": len(rows) // steps, "max_steps": steps, "learning_rate": RATE}
    chosen |= {"max_length": LENGTH, "lora_rank": RANK, "merge": False, "patience": 0, "warmup": 0.0}
    start = find_start(str(model), None, out, method="lora")
    if kind == "structure":
        from training.settings import SftSettings
        from training.sft import train_sft

        sides = [[Placed(str(n), SftRow.model_validate(row)) for n, row in enumerate(part)] for part in (rows, held)]
        train_sft(start, *sides, SftSettings.model_validate(chosen), out / "ours")
    else:
        from training.dpo import train_dpo
        from training.settings import DpoSettings

        pairs = [
            [Placed(f"{name}:{n}", PreferenceRow.model_validate(row)) for n, row in enumerate(part)]
            for name, part in (("train", rows), ("held", held))
        ]
        train_dpo(start, *pairs, DpoSettings.model_validate(chosen), out / "ours")


def bare(kind: str, model: Path, rows: list[dict[str, Any]], held: list[dict[str, Any]], steps: int, out: Path) -> None:
    """Run what a script of TRL's documentation does, with the same settings."""
    import torch
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

    settings: dict[str, Any] = {
        "output_dir": str(out / "bare"),
        "max_steps": steps,
        "per_device_train_batch_size": len(rows) // steps,
        "per_device_eval_batch_size": 1,
        "learning_rate": RATE,
        "lr_scheduler_type": "cosine",
        "gradient_checkpointing": False,
        "bf16": torch.cuda.is_available(),
        "use_cpu": not torch.cuda.is_available(),
        "logging_steps": 1,
        "eval_strategy": "epoch",
        "save_strategy": "epoch",
        "load_best_model_at_end": True,
        "report_to": "none",
        "max_length": LENGTH,
        "disable_tqdm": True,
    }
    adapter = LoraConfig(r=RANK, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    config, made = (SFTConfig, SFTTrainer) if kind == "structure" else (DPOConfig, DPOTrainer)
    dtype = torch.bfloat16 if torch.cuda.is_available() else torch.float32
    trainer = made(
        model=AutoModelForCausalLM.from_pretrained(model, dtype=dtype),
        args=config(**settings),
        train_dataset=Dataset.from_list(rows),
        eval_dataset=Dataset.from_list(held),
        processing_class=AutoTokenizer.from_pretrained(model),
        peft_config=adapter,
    )
    trainer.evaluate()
    trainer.train()
    trainer.evaluate()
    trainer.save_model(str(out / "adapter"))


def measure(side: str, kind: str, model: Path, steps: int, batch: int) -> dict[str, float]:
    """Run one side in a process of its own; return its seconds, those of the processor, and its peak memory in MiB."""
    arguments = ["--side", side, "--kind", kind, "--model", str(model), "--steps", str(steps), "--batch", str(batch)]
    done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{side} {kind} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def child(side: str, kind: str, model: Path, steps: int, batch: int) -> None:
    """Measure one side in this process and print what was found."""
    import peft  # noqa: F401  # imported before the clock starts
    import trl  # noqa: F401

    rows = rows_of(kind, steps * batch + batch)
    work = ours if side == "ours" else bare
    with tempfile.TemporaryDirectory() as folder:
        started, used = time.perf_counter(), time.process_time()
        work(kind, model, rows[: steps * batch], rows[steps * batch :], steps, Path(folder))
        seconds, cpu = time.perf_counter() - started, time.process_time() - used
    # Kilobytes on Linux.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak}))


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """Return geometric mean and 95% interval (Student's t on logarithms) of paired ratios."""
    logs = [math.log(ratio) for ratio in ratios]
    centre = statistics.fmean(logs)
    spread = T_POINTS[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0.0
    return math.exp(centre), math.exp(centre - spread), math.exp(centre + spread)


def main() -> None:
    """Measure, print one line a kind, and exit with 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--side", choices=("ours", "bare"), help="measure one side here, for the script itself")
    given = parser.parse_args()
    if given.side:
        child(given.side, given.kind, Path(given.model), given.steps, given.batch)
        return
    from reasonflux.commands.settings import weights_dir
    from reasonflux.models.hf_source import find_source

    outer = os.environ.get("REASONFLUX_WEIGHTS")
    model = find_source(given.model, weights_dir(Path(outer) if outer else None)).base
    missed = False
    for kind in [given.kind] if given.kind else KINDS:
        found = []
        for number in range(given.pairs):
            # Whichever runs first may find colder caches; they take turns at it.
            order = ("ours", "bare") if number % 2 == 0 else ("bare", "ours")
            found.append({side: measure(side, kind, model, given.steps, given.batch) for side in order})
        speed, work = (
            interval([pair["bare"][name] / pair["ours"][name] for pair in found]) for name in ("seconds", "cpu")
        )
        memory = statistics.median(pair["ours"]["peak"] / pair["bare"]["peak"] for pair in found)
        seconds = [statistics.median(pair[side]["seconds"] for pair in found) for side in ("ours", "bare")]
        print(
            f"{kind}: {seconds[0]:.1f} s against {seconds[1]:.1f} s, speed ratio {speed[0]:.3f} "
            f"({speed[1]:.3f} to {speed[2]:.3f}), the same in processor time {work[0]:.3f} ({work[1]:.3f} to "
            f"{work[2]:.3f}), peak memory ratio {memory:.3f}",
            flush=True,
        )
        missed = missed or speed[2] < SPEED_TARGET or memory > MEMORY_TARGET
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
