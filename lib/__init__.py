"""The small library behind the book *Measuring the Measures*.

Data flow in one direction::

    runs + qrels --collection--> Collection --measures--> scores --statistics--> tables of a paper
"""

import importlib.util

# What a script of one's own needs, by where it stands; __init__.pyi has it for editors and mypy.
_PLACES = {
    "lib.errors": ("InputError",),
    "lib.intervals": ("Interval",),
    "lib.collection": ("Collection", "derive", "load", "load_scores", "read_qrels", "read_run"),
    "lib.measures": ("Measure", "complete_scores", "evaluate", "export", "means", "scores"),
    "lib.measures.names": ("measure",),
    "lib.statistics.correlation": ("kendall", "rbo", "tau_ap", "tau_matrix"),
    "lib.statistics.law": ("foretell", "law", "lead", "reliability", "validity"),
    "lib.statistics.significance": ("discriminative_power", "permutation_test", "t_test"),
    "lib.statistics.multiplicity": ("holm",),
    "lib.statistics.comparison": ("compare", "leaderboard", "means_with_intervals", "versus"),
    "lib.statistics.power": ("half_width", "needed", "power"),
    "lib.statistics.random_effects": ("random_effects",),
    "lib.estimates": ("Estimate", "without_each_topic"),
    "lib.display.figures": ("Figure",),
    "lib.analysis": ("forest", "phi"),
    "lib.two_judges": ("compare_qrels",),
    "lib.reporting.pair": ("paper_of_runs",),
}
# What others call what we have; more is found by its likeness.
_OTHERS = {
    "paper_of_runs": ("latex", "to_latex"),
    "leaderboard": ("experiment", "report"),
    "evaluate": ("iter_calc", "per_query"),
    "means": ("calc_aggregate", "aggregate"),
    "t_test": ("ttest", "ttest_rel", "paired_t_test"),
    "permutation_test": ("wilcoxon", "fisher", "randomization_test"),
    "holm": ("bonferroni", "fdr", "multipletests"),
    "means_with_intervals": ("bootstrap", "confidence_interval", "ci"),
}
__all__ = sorted(name for names in _PLACES.values() for name in names)
__version__ = "0.1.0"


def __dir__() -> list[str]:
    """Return the public names: what Tab offers."""
    return __all__


def __getattr__(name: str) -> object:
    """Import what is asked for: ``python -m lib`` can so be interrupted from its first moment."""
    for place, names in _PLACES.items():
        if name in names:
            return getattr(importlib.import_module(place), name)
    hint = ""
    if not name.startswith("_") and importlib.util.find_spec(f"{__name__}.{name}") is None:
        from lib.errors import did_you_mean
        from lib.measures.names import as_ours

        ours = [one for one, others in _OTHERS.items() if name.lower() in others]
        ours += [f"scores(collection, {one!r})" for one in [as_ours(name)] if one]
        hint = f"; there is {ours[0]}" if ours else did_you_mean(name, __all__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
