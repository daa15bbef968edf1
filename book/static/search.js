// Search: sections whose title, heading or sentences have all words, while one types; Enter leads to
// the first. What is looked through (local_search.py) is loaded at the first letter.
"use strict";
(() => {
  const ROOT = document.documentElement.dataset.content_root;

  const has = (text, words) => words.filter((word) => text.includes(word)).length;
  // Words of the heading count most, then those of the page's title, then those of sentences.
  function matches(words) {
    const found = [];
    for (const [page, sections] of Object.entries(window.sections)) {
      const title = sections[0]?.[1] ?? "";
      for (const [place, heading, text] of sections) {
        const [head, top, body] = [heading, title, text].map((part) => part.toLowerCase());
        if (has(`${head} ${top} ${body}`, words) < words.length) continue;
        const phrase = [head, body].filter((part) => part.includes(words.join(" "))).length;
        const score = 9 * has(head, words) + 2 * has(top, words) + has(body, words) + 5 * phrase;
        found.push({ score, page, place, title, heading, text });
      }
    }
    return found.sort((one, other) => other.score - one.score);
  }

  // The sentence with most of the words, which are marked.
  function excerpt(text, words) {
    const sentences = text.split(/\n|(?<=[.?!]) (?=[A-Z])/);
    const count = (sentence) => has(sentence.toLowerCase(), words);
    const [best] = sentences.sort((one, other) => count(other) - count(one));
    const escaped = words.map((word) => word.replace(/[^\w\s]/g, "\\$&"));
    const parts = best.split(new RegExp(`(${escaped.join("|")})`, "i"));
    return make("p", {}, ...parts.map((part, i) => (i % 2 ? make("mark", {}, part) : part)));
  }

  async function show(input, list) {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) await loadOnce("sections.js");
    if (input.value.toLowerCase().split(/\s+/).filter(Boolean).join() !== words.join()) return;
    const found = words.length ? matches(words) : [];
    list.replaceChildren(...found.slice(0, 100).map(({ page, place, title, heading, text }) => {
      const name = heading === title ? title : `${title} · ${heading}`;
      const link = make("a", { href: `${ROOT}${page}.html#${place}` }, name);
      return make("li", {}, link, excerpt(text, words));
    }));
    list.previousElementSibling.textContent = words.length ? `${found.length} sections` : "";
  }

  for (const form of document.querySelectorAll("form.bd-search")) {
    const list = make("ol", { className: "found-sections" }), input = form.querySelector("input");
    form.parentElement.append(make("p", { role: "status" }), list);
    input.addEventListener("input", () => show(input, list));
    list.addEventListener("click", () => form.closest("dialog").close());  // the place may be here
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      list.querySelector("a")?.click();
    });
  }
})();
