"""A reader of the PDF files that Chromium prints: which text is on a page, and in which colour.

It knows what Chromium writes and no more: text in glyphs of Identity-H fonts with a ToUnicode map,
matrices, and rectangles that clip.
"""

import re
import unicodedata
import zlib
from functools import cache

STREAM = re.compile(rb">>\s*stream\r?\n(.*?)\r?\nendstream", re.S)
OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj", re.S)
TOKEN = re.compile(rb"<[0-9A-Fa-f]*>|/?[\w.+-]+\*?|[\[\]]")
OPERAND = frozenset(b"<./+-0123456789")
UNIT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Pdf:
    """A PDF file, with the pieces of text on its pages.

    Parameters
    ----------
    data : bytes
        The file.
    """

    def __init__(self, data):
        self.objects = {int(n): body for n, body in OBJECT.findall(data)}
        self.pages = [body for body in self.objects.values() if re.search(rb"/Type /Page\b", body)]

    def stream(self, number):
        """Return the stream of an object."""
        return zlib.decompressobj().decompress(STREAM.search(self.objects[number]).group(1))

    @cache  # noqa: B019  A test holds one file at a time.
    def letters(self, font):
        """Return the letter of each glyph of a font."""
        number = int(re.search(rb"/ToUnicode (\d+) 0 R", self.objects[font]).group(1))
        text, found = self.stream(number), {}
        for block in re.findall(rb"beginbfrange\n(.*?)endbfrange", text, re.S):
            for low, high, letter in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", block):
                for i in range(int(low, 16), int(high, 16) + 1):
                    found[i] = chr(int(letter, 16) + i - int(low, 16))
        for block in re.findall(rb"beginbfchar\n(.*?)endbfchar", text, re.S):
            for glyph, letters in re.findall(rb"<(\w+)> <(\w+)>", block):
                found[int(glyph, 16)] = bytes.fromhex(letters.decode()).decode("utf-16-be")
        return found

    @cache  # noqa: B019
    def glyphs(self, page):
        """Return the letter and the colour of every glyph that can be seen on a page."""
        return list(self._glyphs(page))

    def _glyphs(self, page):
        box = [float(x) for x in re.search(rb"/MediaBox \[(.*?)\]", page).group(1).split()]
        fonts = {name: int(n) for name, n in re.findall(rb"/(F\d+) (\d+) 0 R", page)}
        content = self.stream(int(re.search(rb"/Contents (\d+) 0 R", page).group(1)))
        state = UNIT, box, (0.0, 0.0, 0.0)  # matrix, what clips, colour
        saved, operands, line, font, path = [], [], UNIT, {}, None
        for token in TOKEN.findall(content):
            if token[0] in OPERAND:
                operands.append(token)
                continue
            matrix, clip, colour = state
            match token:
                case b"q":
                    saved.append(state)
                case b"Q":
                    state = saved.pop()
                case b"cm":
                    state = _times(_matrix(operands), matrix), clip, colour
                case b"rg":
                    state = matrix, clip, tuple(map(float, operands[-3:]))
                case b"re":
                    path = _corners(operands[-4:], matrix)
                case b"m":
                    path = None
                case b"W" | b"W*" if path is not None:
                    state = matrix, _both(clip, path), colour
                case b"Tf":
                    font = self.letters(fonts[operands[-2][1:]])
                case b"Tm":
                    line = _matrix(operands)
                case b"Td":
                    line = _times(_matrix([1, 0, 0, 1, *operands[-2:]]), line)
                case b"Tj":
                    x, y = _times(line, matrix)[4:]
                    if clip[0] <= x <= clip[2] and clip[1] <= y <= clip[3]:
                        for glyph in re.findall(rb"\w{4}", operands[-1]):
                            yield font.get(int(glyph, 16), "\ufffd"), colour
            operands = []

    def text(self):
        """Return all text that can be seen, in the order in which it was drawn."""
        letters = (letter for page in self.pages for letter, _ in self.glyphs(page))
        return unicodedata.normalize("NFKC", "".join(letters))  # ligatures are letters


def _matrix(operands):
    """Return the six numbers of a matrix: what x, y and the origin become."""
    return tuple(map(float, operands[-6:]))


def _times(first, second):
    """Return the matrix that is one after the other."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    across, up = e * g + f * i + k, e * h + f * j + m
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, across, up


def _corners(operands, matrix):
    """Return a rectangle on the page: left, bottom, right, top."""
    x, y, width, height = map(float, operands)
    ends = [_times((1, 0, 0, 1, *at), matrix)[4:] for at in ((x, y), (x + width, y + height))]
    (left, right), (bottom, top) = (sorted(pair) for pair in zip(*ends))
    return left, bottom, right, top


def _both(first, second):
    """Return what two rectangles share."""
    return (*map(max, first[:2], second[:2]), *map(min, first[2:], second[2:]))
