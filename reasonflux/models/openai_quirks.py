"""What one server was found not to take, and the request fields that follow from it."""

from dataclasses import dataclass, field
from typing import Any

from reasonflux.models.base import SamplingParams
from reasonflux.models.openai_replies import Rejection


@dataclass
class Quirks:
    """Learnt from refusals; each is learnt at most once, so that learning ends."""

    fold_roles: bool = False
    new_limit_name: bool = False
    completion_cap: int | None = None
    dropped: set[str] = field(default_factory=set)
    _notes: list[str] = field(default_factory=list)

    def learn(self, rejection: Rejection) -> bool:
        """Change what the next request looks like; return whether anything was learnt."""
        if rejection.about_roles:
            return self._fold()
        if rejection.status not in (400, 415, 422):
            return False
        if "max_completion_tokens" in rejection.message and not self.new_limit_name:
            self.new_limit_name = True
            return True
        cap = rejection.completion_cap
        if cap is not None and cap >= 1 and (self.completion_cap is None or cap < self.completion_cap):
            self.completion_cap = cap
            self._notes.append(f"The server allows at most {cap} completion tokens a call.")
            return True
        return self._drop(rejection)

    def sampling(self, params: SamplingParams) -> dict[str, Any]:
        """Return the request fields of `params` that the server takes."""
        fields: dict[str, Any] = {
            "max_completion_tokens" if self.new_limit_name else "max_tokens": self.limit(params),
            "temperature": params.temperature,
            "top_p": params.top_p,
            "seed": params.seed,
        }
        if params.stop:
            fields["stop"] = list(params.stop)
        if params.n > 1:
            fields["n"] = params.n
        if params.json_schema is not None:
            fields["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": params.json_schema, "strict": True},
            }
        return {name: value for name, value in fields.items() if name not in self.dropped}

    def limit(self, params: SamplingParams) -> int:
        """Return the most completion tokens to ask for."""
        return min(params.max_tokens, self.completion_cap or params.max_tokens)

    def stream_options(self) -> dict[str, Any]:
        """Return the request field that asks for usage at a stream's end, where the server takes it."""
        return {} if "stream_options" in self.dropped else {"stream_options": {"include_usage": True}}

    def take_notes(self) -> list[str]:
        """Return what was learnt since the last time, a sentence each."""
        notes, self._notes = self._notes, []
        return notes

    def _fold(self) -> bool:
        if self.fold_roles:
            return False
        self.fold_roles = True
        self._notes.append(
            "The server's chat template refuses the roles: system text goes into the first user turn and neighbours "
            "of one role are joined."
        )
        return True

    def _drop(self, rejection: Rejection) -> bool:
        for name, words in _DROPPABLE.items():
            if name not in self.dropped and (rejection.param == name or rejection.mentions(*words)):
                self.dropped.add(name)
                self._notes.append(f"The server does not take {name}; it was left out.")
                return True
        return False


_DROPPABLE = {
    "response_format": ("response_format", "json_schema", "guided_json"),
    "stream_options": ("stream_options",),
    "seed": ("seed",),
    "temperature": ("temperature",),
    "top_p": ("top_p",),
    "n": ("'n'", "parameter n", "n > 1"),
}
