"""From scores to what the papers ask of them, one idea a file.

``correlation`` and ``families`` compare rankings of systems; ``predictivity`` and ``bootstrap`` ask
how they hold up on other topics, ``incomplete`` with fewer judgements; ``significance`` tells
systems apart, ``impact`` topics.
"""
