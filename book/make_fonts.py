"""Cut the fonts of the pages from packages of @fontsource: ``python book/make_fonts.py FOLDER``.

FOLDER holds what ``npm pack`` gives of @fontsource-variable/source-serif-4,
@fontsource/ibm-plex-sans and @fontsource/stix-two-math, each unpacked into a folder of that last
name. The cuts stand in book/static/fonts and are committed: a build asks no network. Needs
fontTools with brotli.

The licence (SIL Open Font License 1.1) lets only the whole fonts have their makers' names, so the
cuts have names of their own; whose work they are stays in them, and in book/static/fonts.txt.
"""

import argparse
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

TARGET = Path(__file__).parent / "static" / "fonts"
FAMILY_NAMES = (1, 3, 4, 6, 16, 17, 25)  # family, id, full name, name for PostScript and their kin
KEPT_NAMES = (0, 7, 13, 14)  # whose it is, trademark, licence and its address

LETTERS = "".join(map(chr, range(0x20, 0x7F)))
TEXT = LETTERS + "\N{NO-BREAK SPACE}§©°±²³·½×ÁÄÉÖÜßáâäçèéêëíîñóôöøúü–—‘’“”…′−↑↓"
# What the others lack, and all of formulas: letters in italics, Greek, relations, squares.
SIGNS = "\u202f¯ϕϵ₀₁₂∅⊘ΔΣΦΠαβγδεθκλμνπρστφχω½⅓¼ℎ†‡•→←↔⇒∈∋∏∑√∞∩∪≈≠≤≥⌈⌉⌊⌋✓✗□■▲▼◆●○▸▾△▽◇⊥∝∣∥⋅⋯"
MATHEMATICAL = "".join(map(chr, [*range(0x1D434, 0x1D468), *range(0x1D6FC, 0x1D716)]))

SERIF = "source-serif-4/files/source-serif-4-latin-opsz-{}.woff2"
SANS = "ibm-plex-sans/files/ibm-plex-sans-latin-{}-normal.woff2"
MATH = "stix-two-math/files/stix-two-math-latin-400-normal.woff2"
# Name of the cut: the font, its place on each axis that varies, the characters.
CUTS = {
    "serif-400": (SERIF.format("normal"), {"opsz": 16, "wght": 400}, TEXT),
    "serif-400i": (SERIF.format("italic"), {"opsz": 16, "wght": 400}, TEXT),
    "serif-600": (SERIF.format("normal"), {"opsz": 16, "wght": 600}, TEXT),
    "display-480": (SERIF.format("normal"), {"opsz": 60, "wght": 480}, TEXT),
    "sans-400": (SANS.format(400), {}, TEXT),
    "sans-600": (SANS.format(600), {}, TEXT),
    "math": (MATH, {}, LETTERS + "±·×′−" + SIGNS + MATHEMATICAL),
}


def cut(source: Path, name: str, axes: dict[str, float], characters: str) -> TTFont:
    """Return a font with only these characters, at one place of its axes, under another name."""
    font = TTFont(source, recalcTimestamp=False)
    if axes:
        instancer.instantiateVariableFont(font, axes, inplace=True)
    options = subset.Options(name_IDs=[*KEPT_NAMES, *FAMILY_NAMES], notdef_outline=True)
    options.layout_features += ["tnum", "lnum"]
    cutter = subset.Subsetter(options)
    cutter.populate(text=characters)
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in FAMILY_NAMES:
            record.string = f"Book-{name}"
    font.flavor = "woff"  # which fontTools reads without more, as tests do
    return font


def main():
    """Write every cut."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the unpacked packages")
    folder = parser.parse_args().folder
    TARGET.mkdir(exist_ok=True)
    for name, (source, axes, characters) in CUTS.items():
        cut(folder / source, name, axes, characters).save(TARGET / f"{name}.woff")


if __name__ == "__main__":
    main()
