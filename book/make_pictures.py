"""Draws what a link to the cover, to a chapter or to a claim shows where it is shared.

``python book/make_pictures.py PAGES`` reads the built pages and writes a picture for each of these
into PAGES/_static/pictures; the pages name them in their heads (``og:image``).  A claim is a place
on the cover, and a place has no head: a page in PAGES/_static/claims has it, and leads there.
"""

import re
import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from PIL import Image, ImageDraw, ImageFont

STATIC = Path(__file__).with_name("static")
SIZE, FINER, EDGE = (1200, 630), 2, 60  # pixels; drawn finer, so that edges are smooth
LOOK = dict(
    re.findall(r"--([\w-]+): light-dark\((#\w+)", (STATIC / "look.css").read_text(encoding="utf-8"))
)
TONES = {"out": "out", "inc": "inc", "dif": "dif", "def": "muted", "non": "outline"}


def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font of the book in a size."""
    return ImageFont.truetype(str(STATIC / "fonts" / f"{name}.woff"), size * FINER)


def write(draw: ImageDraw.ImageDraw, text: str, at: tuple[int, int], letters, colour: str) -> int:
    """Write a text in lines as wide as the picture; return where the next line begins."""
    x, y = (place * FINER for place in at)
    lines, wide = [""], (SIZE[0] - EDGE) * FINER - x
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if letters.getlength(longer) <= wide else [lines[-1], word]
    high = 1.25 * letters.size
    for number, line in enumerate(lines):
        draw.text((x, y + number * high), line, LOOK[colour], letters)
    return round((y + len(lines) * high) / FINER)


def contours(shape: str) -> Iterable[list[tuple[float, float]]]:
    """Return the corners of each contour of a path."""
    pen = RecordingPen()
    parse_path(shape, pen)
    for step, points in pen.value:
        if step == "moveTo":
            corners = [*points]
        elif step == "lineTo":
            corners += points
        elif len(corners) > 1:
            yield corners


def draw_squares(draw: ImageDraw.ImageDraw, drawing, at: tuple[float, float], scale: float) -> None:
    """Draw the squares of a drawing: the second contour of each is cut out of the first."""

    def place(corner: tuple[float, float]) -> tuple[float, float]:
        x, y = ((start + way * scale) * FINER for start, way in zip(at, corner))
        return x, y

    for path in drawing.select("path"):
        for square in path["d"].split("M")[1:]:
            for number, corners in enumerate(contours(f"M{square}")):
                tone = "paper" if number == 1 else TONES[path["class"][0]]
                draw.polygon([*map(place, corners)], LOOK[tone])


def picture(page: BeautifulSoup) -> Image.Image:
    """Return the picture of a page: its title, what it says of itself, and its squares."""
    image = Image.new("RGB", tuple(side * FINER for side in SIZE), LOOK["paper"])
    draw = ImageDraw.Draw(image)
    rule = [EDGE, EDGE - 10, SIZE[0] - EDGE, EDGE - 6]
    draw.rectangle([place * FINER for place in rule], LOOK["ink"])
    said = {one.get("property"): one["content"] for one in page.select("meta[property]")}
    walls = page.select(".cover svg.wide")
    y = write(draw, said["og:title"], (EDGE, 80), font("display-480", 76 if walls else 64), "ink")
    if not walls:
        write(draw, said["og:description"], (EDGE, y + 24), font("serif-400", 34), "ink")
    left, units = EDGE, [float(wall["viewbox"].split()[2]) for wall in walls]
    for wall, wide in zip(walls, units):
        scale = (SIZE[0] - 2 * EDGE - 40 * (len(units) - 1)) / sum(units)
        draw_squares(draw, wall, (left, y + 40), scale)
        left += wide * scale + 40
    write(draw, said["og:site_name"], (EDGE, 560), font("sans-600", 24), "ink")
    return image.resize(SIZE, Image.Resampling.LANCZOS)


CLAIM = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8">
<title>{title}</title>
{tags}
<meta http-equiv="refresh" content="0; url=../../book/intro.html#{place}">
<a href="../../book/intro.html#{place}">{title}</a>
</html>
"""


def claim_page(claim, cover: BeautifulSoup) -> str:
    """Return the page that stands for a claim of the cover where it is shared."""
    said = {one["property"]: one["content"] for one in cover.select("meta[property]")}
    said["og:title"] = claim.strong.get_text()
    claim.select_one(".headerlink").decompose()
    word, at = (claim.select_one(part).get_text(", ", strip=True) for part in (".verdict", ".at"))
    whom = claim("p")[-1].get_text().partition(". ")[0].removesuffix(".")
    said["og:description"] = f"{word.capitalize()}: {at}. {whom}."
    if image := said.get("og:image"):
        said["og:image"] = image.replace("intro.png", f"{claim['id']}.png")
        said["og:url"] = image.replace("pictures/intro.png", f"claims/{claim['id']}.html")
    tags = "\n".join(
        f'<meta property="{name}" content="{escape(text)}">' for name, text in said.items()
    )
    return CLAIM.format(title=escape(said["og:title"]), tags=tags, place=claim["id"])


def write_claims(folder: Path) -> None:
    """Write a page for each claim that the cover says was found."""
    cover = BeautifulSoup((folder / "book" / "intro.html").read_text("utf-8"), "html.parser")
    target = folder / "_static" / "claims"
    target.mkdir(exist_ok=True)
    for claim in cover.select(".found .claim"):
        text = claim_page(claim, cover)
        (target / f"{claim['id']}.html").write_text(text, encoding="utf-8")


def main(folder: Path) -> None:
    """Write the pictures of the cover, of its claims and of all chapters."""
    target = folder / "_static" / "pictures"
    target.mkdir(exist_ok=True)
    write_claims(folder)
    claims = sorted((folder / "_static" / "claims").glob("*.html"))
    cover = folder / "book" / "intro.html"
    for path in [cover, *claims, *sorted((folder / "chapters").glob("*.html"))]:
        text = path.read_text(encoding="utf-8")
        head = text.partition("</head>")[0] if path.parent.name == "chapters" else text
        page = BeautifulSoup(head, "html.parser")
        if page.select("meta[property]"):  # an old address has none
            few = picture(page).quantize(128, Image.Quantize.FASTOCTREE)
            few.save(target / f"{path.stem}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
