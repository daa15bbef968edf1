"""From scores to what the papers ask of them, one idea a file.

``correlation``, ``rank_overlap`` and ``families`` compare rankings of systems; ``predictivity`` and
``bootstrap`` ask how they hold up on other topics, ``incomplete`` and ``budget`` with fewer
judgements; ``significance`` and ``discrimination`` tell systems apart, ``impact`` topics.  Each
module's ``__all__`` is what other folders may use.
"""
