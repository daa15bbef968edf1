"""How to spend judgements: who loses outside the pool, what a budget buys, and a planner."""
