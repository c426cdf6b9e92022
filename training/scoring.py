"""Log-probabilities of completions, and how far a policy prefers one over another compared with its reference.

One completion at a time, with logits for its own tokens alone: exact whatever the batch, and small.
"""

from collections.abc import Sequence
from typing import Any

from training.tokenizing import PairTokens


def completion_logp(model: Any, prompt: Sequence[int], completion: Sequence[int]) -> float:
    """Return log π(completion | prompt), summed over the completion's tokens.

    Args:
        model: a causal language model; its device and state (adapter on or off) are used as they are.
        prompt: token ids of the prompt, at least one.
        completion: token ids of the completion, at least one.
    """
    import torch

    device = next(model.parameters()).device
    ids = torch.tensor([[*prompt, *completion]], device=device)
    with torch.no_grad():
        # The logits at a token tell the next one, so those of the last prompt token are needed and the last are not.
        logits = model(input_ids=ids, use_cache=False, logits_to_keep=len(completion) + 1).logits[0, :-1].float()
    wanted = torch.tensor(list(completion), device=device)
    return float(logits.log_softmax(dim=-1).gather(1, wanted[:, None]).sum())


def margins(
    model: Any, rows: Sequence[PairTokens], *, references: Sequence[tuple[float, float]] | None = None
) -> list[float]:
    """Return log-ratio(chosen) − log-ratio(rejected) of each row, log-ratio(y) = log π(y | x) − log π_ref(y | x).

    Args:
        model: the policy; without `references` a PEFT model, whose switched-off state is the reference.
        rows: the pairs.
        references: log π_ref of chosen and rejected of each row.
    """
    was_training = model.training
    model.eval()
    try:
        found = []
        for place, row in enumerate(rows):
            policy = _pair(model, row)
            if references is not None:
                reference = references[place]
            else:
                with model.disable_adapter():
                    reference = _pair(model, row)
            found.append((policy[0] - reference[0]) - (policy[1] - reference[1]))
        return found
    finally:
        model.train(was_training)


def _pair(model: Any, row: PairTokens) -> tuple[float, float]:
    return (
        completion_logp(model, row.prompt_ids, row.chosen_ids),
        completion_logp(model, row.prompt_ids, row.rejected_ids),
    )
