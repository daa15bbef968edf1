"""Chapter 6, was your run in the pool: its tables, figures, numbers and claims."""
