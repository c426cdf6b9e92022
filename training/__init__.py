"""How we improve: structure fine-tuning, trajectory rewards and DPO for the planner."""
