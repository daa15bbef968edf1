"""The SVG of a drawing without what a page has no use for: the colours and the font are its own."""

import base64
import hashlib
import re
from collections.abc import Mapping
from xml.etree import ElementTree

from lib.display.marks import give_titles

__all__ = ["FONT", "lean"]

FONT = 9.5  # points, of most texts: the page says it once


def lean(root: ElementTree.Element, said: Mapping[str, list[str]]) -> str:
    """Return what stands within an SVG element, as a page needs it.

    Numbers are rounded to a tenth of a point, black and white become the colours of the page, and
    identifiers that other elements refer to begin with a digest of the drawing.

    Parameters
    ----------
    root : xml.etree.ElementTree.Element
        As matplotlib writes it.
    said : dict of str to list of str
        Identifier of a group of marks to what each says; see :func:`lib.display.marks.titles`.

    Examples
    --------
    >>> lean(ElementTree.fromstring('<svg><metadata/><path d="M 1.04 2.0"/></svg>'), {})
    '<path d="M1 2" />\\n'
    """
    return _named("".join(ElementTree.tostring(part, "unicode") for part in _lean(root, said)))


def _lean(element, said):
    """Return the children of an SVG element as a page needs them, marks with what they say.

    Left out are metadata, matplotlib's style sheet (it would style the whole page), what is not
    painted, and groups that say nothing.
    """
    kept = []
    for child in element:
        child.tag = child.tag.rpartition("}")[2]
        if child.tag in ("metadata", "style") or child.attrib.get("style") == "fill: none":
            continue
        values = {key.rpartition("}")[2]: value for key, value in child.items()}
        child.attrib = {key: _lean_value(key, value) for key, value in values.items()}
        child[:] = _lean(child, said)
        if child.tag not in ("text", "tspan"):
            child.text = None
        child.tail = None if child.tag == "tspan" else "\n"
        if child.tag == "defs":
            for part in child.iter("path"):  # a mark, in the style of what refers to it
                part.attrib.pop("style", None)
        if child.tag == "g":
            name = child.attrib.pop("id", "")
            _share_style(child)
            if name in said:
                give_titles(child, said[name])
            if name.startswith("matplotlib.axis"):
                _trim(child)
            if name.startswith("legend"):
                child.set("class", "key")  # its marks stand for others
        if child.tag == "g" and not child.attrib:
            kept += child
        elif child.tag not in ("g", "defs") or len(child):
            kept.append(child)
    return kept


def _trim(axis):
    """Say once how the ticks of an axis are painted, and draw its grid as one path."""
    for part in axis.iter():
        if part.tag == "use":
            part.attrib.pop("style", None)
        elif "id" in part.attrib:
            part.set("style", "stroke:currentColor")
    grid = axis.findall("path")
    for line in grid[1:]:
        grid[0].set("d", grid[0].get("d") + line.get("d"))
        axis.remove(line)


def _lean_value(name, value):
    """Return the value of an attribute: numbers to a tenth, the colours and font of the page."""
    if name == "style":
        value = re.sub(r"font-family: [^;]*(; )?", "", value).replace("#000000", "currentColor")
        value = value.replace("#ffffff", "var(--pst-color-background, Canvas)")
        value = value.replace(f"font-size: {FONT}px; ", "")
        return value.replace("; ", ";").replace(": ", ":")
    if name in ("d", "x", "y", "width", "height", "transform"):
        value = re.sub(r"-?\d+\.\d+", lambda m: f"{round(float(m.group()), 1) + 0:g}", value)
        return re.sub(r"\s*([MLHVQCz])\s*", r"\1", value.strip()) if name == "d" else value
    return value


def _share_style(group):
    """Move a style that all parts of a group have to the group; not what applies to it as one."""
    styles = {part.get("style") for part in group}
    if len(group) > 1 == len(styles) and None not in styles and "style" not in group.attrib:
        (shared,) = styles
        if not re.search(r"(^|;)opacity:", shared):
            group.set("style", shared)
            for part in group:
                part.attrib.pop("style", None)


def _named(text):
    """Return SVG with identifiers only where they are referred to, unlike any other drawing's."""
    text = re.sub(r' transform="rotate\(-0 [^"]*"| space="preserve"', "", text)
    used = dict.fromkeys(re.findall(r'(?:href="|url\()#([^")]+)', text))

    def renamed(prefix):
        names = {name: f"{prefix}-{number}" for number, name in enumerate(used, start=1)}
        kept = re.sub(
            r' id="([^"]+)"', lambda m: f' id="{names[m[1]]}"' if m[1] in names else "", text
        )
        return re.sub(r'(href="|url\()#([^")]+)', lambda m: f"{m[1]}#{names[m[2]]}", kept)

    # matplotlib names some parts by where they stand in memory: no digest of that.
    digest = base64.b32encode(hashlib.sha256(renamed("").encode()).digest()).decode()
    return renamed(f"f{digest[:5].lower()}")
