"""Chapter 8, how to spend judgements: what a budget buys, and a planner."""
