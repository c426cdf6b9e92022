"""The settings of what comes before DPO: sampling trajectories, following them, and choosing pairs.

Small flat models; unknown keys are refused and nothing here does I/O.
"""

from typing import Any, Literal

from pydantic import Field

from reasonflux.config import InstantiatorSettings, PlannerSettings, Settings, SolveSettings


class FollowSettings(Settings):
    """How a trajectory is followed: templates fixed, no assessment, no revision.

    Attributes:
        follow_mode: a call a step, or the whole trajectory in a single call.
        follow_tokens: completion tokens of one call.
        follow_budget: completion tokens of one run, all calls together.
        follow_repairs: times a failing program goes back to the model.
        follow_temperature: temperature of the first try; a repair is drawn at the instantiator's own.
        follow_tools: whether the model may run Python in the sandbox.
        follow_seed: seed of the sampler, the same for every trajectory and problem.
        limit_seconds: wall-clock seconds after which a run is given up; its outcome is then not known.
    """

    follow_mode: Literal["steps", "single"] = "steps"
    follow_tokens: int = Field(default=480, ge=16)
    follow_budget: int = Field(default=2048, ge=16)
    follow_repairs: int = Field(default=1, ge=0, le=2)
    follow_temperature: float = Field(default=0.0, ge=0.0, le=5.0)
    follow_tools: bool = True
    follow_seed: int = Field(default=0, ge=0)
    limit_seconds: float = Field(default=600.0, gt=0)

    def follow_key(self) -> dict[str, Any]:
        """Return what shapes an outcome, as JSON values; the time limit does not, it only keeps one from being known.

        The seed stands apart in an outcome's key.
        """
        names = ("mode", "tokens", "budget", "repairs", "temperature", "tools")
        return {name: getattr(self, f"follow_{name}") for name in names}

    def solve_settings(self) -> SolveSettings:
        """Return the settings of the runs that follow."""
        return SolveSettings(
            budget=self.follow_budget,
            seed=self.follow_seed,
            temperature=self.follow_temperature,
            instantiator=InstantiatorSettings(
                max_tokens=self.follow_tokens, max_repairs=self.follow_repairs, tools=self.follow_tools
            ),
        )


class TrajectorySettings(FollowSettings):
    """How trajectories are sampled; those of `FollowSettings` are for keeping the ones that lead to the answer.

    Attributes:
        number: distinct valid trajectories a problem.
        draws: plans drawn at most for a problem; None for four times `number`.
        constrained: whether plans are drawn under the JSON schema.
        plan_tokens: completion tokens of one plan.
        shortlist: templates shown to a planner that chooses (closed planning).
        keep: trajectories a problem kept of those that lead to its answer.
        hints: whether a problem without any gets one try with its answer as a hint.
    """

    number: int = Field(default=4, ge=1, le=64)
    draws: int | None = Field(default=None, ge=1)
    planning: Literal["open", "closed"] = "open"
    temperature: float = Field(default=0.9, ge=0.0, le=5.0)
    top_p: float = Field(default=0.95, gt=0.0, le=1.0)
    constrained: bool = True
    plan_tokens: int = Field(default=400, ge=16)
    max_steps: int = Field(default=6, ge=1, le=6)
    shortlist: int = Field(default=6, ge=1, le=50)
    seed: int = Field(default=0, ge=0)
    keep: int = Field(default=2, ge=1)
    hints: bool = True

    @property
    def most_draws(self) -> int:
        """Plans drawn at most for a problem."""
        return self.draws if self.draws is not None else 4 * self.number

    def plan_settings(self) -> SolveSettings:
        """Return the settings of the runs that plan, one plan a run."""
        return SolveSettings(
            budget=self.plan_tokens,
            temperature=self.temperature,
            planner=PlannerSettings(
                mode=self.planning,
                shortlist=self.shortlist,
                max_steps=self.max_steps,
                max_repairs=0,
                max_tokens=self.plan_tokens,
                open_max_tokens=self.plan_tokens,
            ),
        )


class RewardSettings(FollowSettings):
    """How R(T) is measured.

    Attributes:
        similar: where X_sim comes from: training problems, generators, or half of it from each.
        k: problems of X_sim.
        templates: how many of the templates retrieved for x problems are drawn for, at most.
        difficulty: of the problems drawn.
        seed: of the problems drawn.
    """

    similar: Literal["problems", "generators", "both"] = "generators"
    k: int = Field(default=4, ge=1, le=256)
    templates: int = Field(default=2, ge=1, le=20)
    difficulty: int = Field(default=2, ge=1, le=3)
    seed: int = Field(default=0, ge=0)


class PairSettings(Settings):
    """Which pairs are kept.

    Attributes:
        gap: least R(T⁺) − R(T⁻).
        decided: least number of problems of X_sim on which the two differ; all have to favour T⁺.
        per_problem: most pairs of one problem.
        balance: how far the share of pairs whose chosen text is the longer may lie from one half.
        balance_cost: largest share of the pairs that may be dropped for that.
        alike: cosine similarity from which two problems are of one family.
        held_out: share of the families held out.
        seed: of the split.
    """

    gap: float = Field(default=0.5, ge=0, le=1)
    decided: int = Field(default=3, ge=1)
    per_problem: int = Field(default=2, ge=1)
    balance: float = Field(default=0.2, ge=0, le=0.5)
    balance_cost: float = Field(default=0.25, ge=0, le=1)
    alike: float = Field(default=0.85, gt=0, le=1)
    held_out: float = Field(default=0.1, ge=0, lt=1)
    seed: int = Field(default=0, ge=0)
