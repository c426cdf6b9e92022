"""Chat models: one protocol, the backends behind it, and the function that makes one of a spec string."""

import re
from collections.abc import Callable
from pathlib import Path

from reasonflux.errors import UsageError
from reasonflux.models.base import ChatModel

SPEC_KINDS = ("llamacpp:NAME_OR_PATH", "openai:MODEL[@BASE_URL]", "scripted:FILE", "hf:REPO_OR_PATH[+ADAPTER]")


def load_model(
    spec: str,
    *,
    weights_dir: Path,
    slots: int = 1,
    context_tokens: int | None = None,
    threads: int | None = None,
    message: Callable[[str], None] = lambda text: None,
) -> ChatModel:
    """Return the chat model that `spec` names.

    Args:
        spec: one of `SPEC_KINDS`; a bare name is a llamacpp one.
        weights_dir: folder of the model weights.
        slots: requests that a local model serves at once.
        context_tokens: tokens of context a slot; None picks what fits.
        threads: compute threads of a local model; None takes the physical cores.
        message: told what takes long before the model answers.

    Raises:
        UsageError: the spec is of no known kind, lacks its name, or names nothing that exists.
        WeightsError: the named weights are not here.
        ModelUnavailable: the model can't be loaded.
    """
    kind, name = split_spec(spec)
    if not name.strip():
        raise UsageError(f"The model spec {spec!r} names no model; write {' or '.join(SPEC_KINDS)}.")
    if kind == "llamacpp":
        return _load_llamacpp(name, weights_dir, slots=slots, context_tokens=context_tokens, threads=threads)
    if kind == "openai":
        return _load_openai(name)
    if kind == "scripted":
        from reasonflux.models.scripted import ScriptedModel

        return ScriptedModel.from_file(Path(name))
    if kind == "hf":
        from reasonflux.models.hf import HFModel

        return HFModel(
            name, weights_dir=weights_dir, slots=slots, context_tokens=context_tokens, threads=threads, message=message
        )
    raise UsageError(f"The model spec {spec!r} is of an unknown kind; write {' or '.join(SPEC_KINDS)}.")


def split_spec(spec: str) -> tuple[str, str]:
    """Return the kind and the name of a spec; a bare name or a path with a drive letter is a llamacpp one."""
    kind, separator, name = spec.partition(":")
    return (kind, name) if separator and len(kind) > 1 else ("llamacpp", spec)


def catalogue_name(spec: str) -> str | None:
    """Return the name of the catalogue whose weights `spec` needs, None where it needs none."""
    from reasonflux.models.catalogue import catalogue

    kind, name = split_spec(spec)
    if kind == "hf":
        from reasonflux.models.hf_source import split_adapter

        name, _ = split_adapter(name)
    return name if kind in ("llamacpp", "hf") and name in catalogue() else None


def _load_openai(name: str) -> ChatModel:
    from reasonflux.models.openai import OpenAIModel

    model, scheme, address = name.partition("@http")
    _, _, bare_address = model.rpartition("@")
    if not scheme and re.match(r"[\w.-]+:\d+(/|$)", bare_address) and bare_address != model:
        raise UsageError(f"The base URL in openai:{name} needs its scheme; write @http://{bare_address}.")
    return OpenAIModel(model, f"http{address}" if scheme else None)


def _load_llamacpp(
    name: str, weights_dir: Path, *, slots: int, context_tokens: int | None, threads: int | None
) -> ChatModel:
    from reasonflux.models.catalogue import catalogue
    from reasonflux.models.llamacpp import LlamaCppModel
    from reasonflux.models.weights import resolve_model

    path = resolve_model(name, weights_dir)
    entry = catalogue().get(name)
    return LlamaCppModel(
        path,
        spec=f"llamacpp:{name}",
        weights_sha256=entry.sha256 if entry is not None else None,
        slots=slots,
        context_tokens=context_tokens,
        threads=threads,
    )
