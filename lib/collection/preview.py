"""A collection as a notebook shows it: its size, how deep it was judged, and a small picture."""

import html

import numpy as np

from lib.collection.relevance import Relevance

WIDTH, HEIGHT = 300, 60  # of the picture, in pixels
DEPTHS = (10, 100)  # down to which the share of unjudged documents is told


def as_html(title: str, hits: Relevance) -> str:
    """Return a collection as HTML that takes the colours of the page it stands in.

    Examples
    --------
    >>> from lib import load
    >>> as_html("TREC-8", load("trec8").relevance())[:60]
    '<div class="measures collection"><strong>TREC-8</strong>: 12'
    """
    relevant, (topics, systems) = hits.relevant[:, 0], hits.retrieved.shape
    said = (
        f"{systems:,} systems, {topics:,} topics, {relevant.sum():,} relevant documents; lists of "
        f"up to {hits.retrieved.max(initial=0):,}; {_depth(hits)}."
    )
    return (
        f'<div class="measures collection"><strong>{html.escape(title)}</strong>: {said}\n'
        f"{_picture(relevant)}</div>\n"
    )


def _depth(hits):
    """Say how deep the lists were judged."""
    if hits.nonrelevant is None:
        return "how deep they were judged is not known"
    shares = []
    for depth in DEPTHS:
        unjudged, documents = hits.unjudged(depth)
        shares.append(f"{unjudged.sum() / max(documents.sum(), 1):.1%} down to rank {depth}")
    return f"unjudged: {', '.join(shares)}"


def _picture(relevant):
    """Draw the relevant documents of each topic, most first: a bar a topic."""
    if not relevant.sum():
        return ""
    heights = HEIGHT * np.sort(relevant)[::-1] / relevant.max()
    step = WIDTH / len(heights)
    bars = "".join(
        f"M{i * step:.1f} {HEIGHT}V{HEIGHT - height:.1f}H{(i + 0.8) * step:.1f}V{HEIGHT}z"
        for i, height in enumerate(heights)
        if height
    )
    text = (
        f"Relevant documents per topic: from {relevant.max():,} to {relevant.min():,}, "
        f"half of the topics have {np.median(relevant):,.0f} or more"
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{text}" '
        f'style="display:block;width:{WIDTH}px;max-width:100%;margin:.4em 0 0;color:inherit">'
        f'<path d="{bars}" fill="currentColor" fill-opacity=".75"/></svg>\n'
        f'<small style="display:block">{text}.</small>'
    )
