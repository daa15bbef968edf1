"""How well colours can be told apart, as WCAG 2.2 defines it."""

import numpy as np

__all__ = ["contrast"]


def contrast(one, other):
    """Return the contrast of two colours of three parts in [0, 1]: from 1, the same, to 21."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return np.dot(linear, [0.2126, 0.7152, 0.0722])
