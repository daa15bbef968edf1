"""How many words the built book has: `python tests/words.py`, page by page and section by section.

Its articles count, but for tables, code and figures, for what is no sentence (buttons, summaries,
links to headings), for what the fields of answers say of themselves, for what is not shown at first
(other settings of a control, replies to a guess, a meaning that the glossary has already), for the
box of the running case and all take-aways, which repeat what chapters said, for a chapter's goals,
which repeat the kits, for the API page, for what was registered of the law, which keeps its bytes,
and for the bibliography. The ledger's rows are a table.
"""

import sys

from built import PAGES, name, parsed

NOT_TEXT = (
    "noscript, button, summary, a.headerlink, datalist, [data-at][hidden], .meaning, "
    ".answers-note, .answers-said, .citation-list, .case, .goals, .take-aways, .guess .reply"
)
APART = {"book/api.html", "book/registration-law.html"}
COUNTED = [page for page in PAGES if page.parent.name in {"book", "chapters"}]


def words_of(page):
    """Return how many words each section of a page's article has, the first without a heading."""
    article = parsed(page, "table", "pre", "svg", "script", "style").select_one("article")
    for word in article.select(".term > button"):
        word.unwrap()
    for tag in article.select(NOT_TEXT):
        tag.extract()
    sections = {}
    for section in article.select("section > section:not(section > section section)"):
        title = section.find(["h2", "h3"]).get_text(" ", strip=True)
        sections[title] = len(section.extract().get_text(" ").split())
    return {"": len(article.get_text(" ").split())} | sections


def words_of_the_book():
    """Return how many words each page that counts has."""
    return {name(p): sum(words_of(p).values()) for p in COUNTED if name(p) not in APART}


if __name__ == "__main__":
    for page in COUNTED:
        sections = words_of(page)
        print(f"{sum(sections.values()):7,}  {name(page)}{' (apart)' * (name(page) in APART)}")
        if "--sections" in sys.argv:
            print(*(f"{count:15,}  {title}" for title, count in sections.items()), sep="\n")
    print(f"{sum(words_of_the_book().values()):7,}  the book")
