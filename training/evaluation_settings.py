"""The settings of an evaluation; unknown keys are refused and nothing here does I/O."""

from typing import Literal

from pydantic import Field

from reasonflux.config import PlannerSettings, SolveSettings
from training.rollout_settings import RewardSettings, TrajectorySettings

Planning = Literal["open", "closed"]


class EvaluationSettings(RewardSettings):
    """How planners are compared; those of `RewardSettings` say how a trajectory is scored.

    Attributes:
        plan_tokens: completion tokens of one plan.
        max_steps: most steps of a valid plan.
        shortlist: templates shown to a planner that chooses (closed planning).
        rewards: whether trajectories are scored; without it plans alone are judged.
        solve: problems that each planner's plans are solved with, from plan to answer; 0 for none.
        solve_budget: completion tokens of one such run.
    """

    plan_tokens: int = Field(default=400, ge=16)
    max_steps: int = Field(default=6, ge=1, le=6)
    shortlist: int = Field(default=6, ge=1, le=50)
    rewards: bool = True
    solve: int = Field(default=0, ge=0)
    solve_budget: int = Field(default=2048, ge=16)

    def free(self, mode: Planning) -> TrajectorySettings:
        """Return the settings of a plan that is written greedily and with nothing to keep it in form."""
        return TrajectorySettings(
            number=1,
            draws=1,
            planning=mode,
            temperature=0.0,
            top_p=1.0,
            constrained=False,
            plan_tokens=self.plan_tokens,
            max_steps=self.max_steps,
            shortlist=self.shortlist,
            seed=self.seed,
        )

    def solving(self, mode: Planning) -> SolveSettings:
        """Return the settings of a run from plan to answer."""
        planner = PlannerSettings(
            mode=mode,
            shortlist=self.shortlist,
            max_steps=self.max_steps,
            max_tokens=self.plan_tokens,
            open_max_tokens=self.plan_tokens,
        )
        solved = self.solve_settings()
        return solved.model_copy(update={"planner": planner, "budget": self.solve_budget})
