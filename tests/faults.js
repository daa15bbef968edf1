// What is wrong with a page as it stands now, in the window, theme or print that it has: a list of
// sentences.  tests/pages/test_pages.py says what to do about them.
async (print) => {
  const faults = [];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true });
  const box = (e) => e.getBoundingClientRect();
  const cited = (e) => e.outerHTML.slice(0, 120);
  const fault = (words, e) => faults.push(e ? `${words}: ${cited(e)}` : words);
  await document.fonts.ready;
  // All settled: an animation that another ends is rejected.
  const still = () => Promise.allSettled(document.getAnimations().map((one) => one.finished));

  if (innerWidth === 1400 && /intro.html$/.test(location.pathname)) {
    const playable = document.querySelector(".cover .block svg");
    if (box(playable).top > 0.8 * innerHeight) fault("nothing to play with in sight");
  }

  // What a page of the book does not show at first is not among its elements; a report has all.
  const count = all("*").length;
  if (print && count > 12_000 && document.querySelector(".bd-article")) fault(`${count} elements`);

  if (!print) all("article details").forEach((e) => { e.open = true; });
  await new Promise(requestAnimationFrame); // what is in them is brought
  await still();

  if (document.documentElement.scrollWidth > innerWidth) fault("the page scrolls sideways");
  for (const e of all("article *, main *")) {
    if (box(e).right <= innerWidth + 1 || !shown(e)) continue;
    const within = (e) => !e.matches("article, main") &&
      (getComputedStyle(e).overflowX !== "visible" || within(e.parentElement));
    if (!within(e)) fault("reaches beyond the screen", e);
  }

  // A word of a drawing stands where it was put, however the drawing is stretched.
  for (const text of all(".fills text[x]:not([transform])").filter(shown)) {
    const { a, e } = text.parentElement.getScreenCTM(), { left, right } = box(text);
    const at = { start: left, middle: (left + right) / 2, end: right }[getComputedStyle(text).textAnchor];
    if (Math.abs(a * text.getAttribute("x") + e - at) > 3) fault("a word away from its place", text);
  }

  for (const icon of all(".fa-solid, .fas").filter(shown)) {
    const drawn = /Free/.test(getComputedStyle(icon, "::before").fontFamily) &&
      [...document.fonts].some((font) => /Free/.test(font.family) && font.status === "loaded");
    if (!drawn) fault("an icon that is not drawn", icon);
  }
  for (const e of all("article math").filter(shown)) if (!box(e).width || box(e).height < 6) fault("a formula that is not set", e);

  // A link has the colour of its text, and a line.
  for (const e of all("article p > a:not(.number)").filter(shown)) {
    if (!getComputedStyle(e).textDecorationLine.includes("underline")) fault("a link that looks like text", e);
  }
  for (const e of all("article :is([type=checkbox], [type=radio])").filter(shown)) {
    if (getComputedStyle(e).appearance === "none") fault("a box that does not show its tick", e);
  }

  // A verdict's colour means a verdict.
  const named = (token) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  const rgb = (hex) => `rgb(${[1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(", ")})`;
  const tokens = ["--out", "--inc", "--dif"].flatMap((one) => [named(one), named(`${one}-word`)]);
  const verdicts = tokens.flatMap((one) => one.match(/#\w+/g) ?? []).map(rgb);  // of both themes
  for (const e of all("body *:not(svg *, .good, .bad, [class*=-word], [class*=-word] *)")) {
    const { color, backgroundColor } = getComputedStyle(e);
    if (verdicts.includes(color) || verdicts.includes(backgroundColor)) fault("a verdict's colour", e);
  }

  // A word of the glossary says what it means where it is pressed.
  for (const word of print ? [] : all(".term > button")) {
    word.scrollIntoView({ block: "center" });
    word.click();
    const { left, right, top, bottom } = box(word.nextSibling), at = box(word);
    if (!shown(word.nextSibling) || left < -0.1 || right > innerWidth + 0.1) fault("a meaning out of sight", word);
    if (Math.min(Math.abs(top - at.bottom), Math.abs(at.top - bottom)) > 20) fault("a meaning far from its word", word);
  }
  document.querySelector(".meaning:popover-open")?.hidePopover(); // each closes the one before

  // Tables larger than their place: scrolled to the end, the first column and the head stay.
  const places = all(".measures.scroll, .measures .canvas, .pst-scrollable-table-container");
  const cut = places.filter((e) => shown(e) && e.scrollWidth > e.clientWidth + 1);
  if (print) cut.forEach((e) => fault("cut on paper", e));
  const inBook = (e) => e.closest(".bd-article");
  if (innerWidth >= 1100) {
    cut.filter((e) => !inBook(e)).forEach((e) => fault("cut on a large screen", e));
    for (const place of cut) {
      const heads = all("thead th", place).filter((e) => /^(word|verdict)$/.test(e.textContent.trim()));
      heads.filter((e) => box(e).right > box(place).right).forEach((e) => fault("a verdict out of sight", place));
    }
  }
  const tall = places.filter((e) => shown(e) && e.scrollHeight > e.clientHeight + 1);
  for (const place of new Set([...cut, ...tall])) {
    const table = place.querySelector("table");
    if (!table || !inBook(place) || getComputedStyle(place).overflowX === "visible") continue;
    place.scrollTo(1e6, 1e6);
    const column = [...table.tBodies[0].rows].at(-1).cells[0], head = table.tHead;
    if (Math.abs(box(column).left - box(place).left) > 1) fault("its first column scrolls away", table);
    if (box(head).top < box(place).top - 1) fault("its head scrolls away", table);
    if (box(table).right > box(place).right + 1) fault("its last column is out of reach", table);
    for (const part of [column, head]) {
      if (!/^rgb\(/.test(getComputedStyle(part).backgroundColor)) fault("seen through", part);
    }
    place.scrollTo(0, 0);
  }

  // Words of a drawing: 11 px at least, and none on another. A window of 320 px is one of 1,280 that
  // is magnified four times: there drawings as wide as the window may be smaller.
  if (!print) {
    for (const svg of all(".measures svg").filter(shown)) {
      const scale = svg.getScreenCTM().d;
      const texts = all("text", svg).map((text) => {
        const { left, right, top, bottom } = box(text);
        const size = parseFloat(getComputedStyle(text).fontSize) * scale;
        // Across a line as wide as its font says (look.css): some browsers round that up.
        const way = text.getAttribute("transform") ?? "", wide = (length) => Math.max(0, length - 1.16 * size) / 2;
        const [x, y] = [/^rotate\(-90/.test(way) ? wide(right - left) : 0, way ? 0 : wide(bottom - top)];
        return { text, left: left + x, right: right - x, top: top + y, bottom: bottom - y, size };
      });
      texts.forEach((one, i) => {
        if (one.size < 11 && innerWidth > 320) fault(`a text of ${one.size.toFixed(1)} px`, one.text);
        let frame = one.text.closest(".canvas")?.parentElement;
        while (frame && getComputedStyle(frame).overflowX === "visible") frame = frame.parentElement;
        if (frame && (one.left < box(frame).left - 1 || one.right > box(frame).right + 1)) fault("cut at the margin", one.text);
        for (const { text, left, right, top, bottom, size } of texts.slice(0, i)) {
          const beside = Math.min(one.right, right) - Math.max(one.left, left);
          const over = Math.min(one.bottom, bottom) - Math.max(one.top, top);
          if (beside > 0 && over > 0.25 * Math.min(one.size, size)) fault(`on ${cited(text)}`, one.text);
        }
      });
    }
  }

  if (print) {
    if (document.documentElement.dataset.theme === "dark") fault("paper is dark");
    const head = (e) => parseFloat(getComputedStyle(e, "::after").height);
    all("article :is(h2, h3, h4)").filter(shown).filter((e) => !(head(e) > 40)).forEach((e) => fault("a heading that may end a page", e));
    for (const table of all("article table, main table")) {
      const known = table.closest("[hidden], .measures > details, .solution, .celltag_papers");
      if (!known && !table.checkVisibility()) fault("folded on paper", table);
    }
    all(".files, .pinned, fieldset, details.code, .solution, .worked, .self-check details p").filter(shown).forEach((e) => fault("no use on paper", e));
    const unseen = (e) => !shown(e) || getComputedStyle(e).clipPath !== "none";
    all(".bd-article .explore > .state[id]").filter(unseen).forEach((e) => fault("a setting that is not printed", e));
    const foot = document.querySelector("footer p.project");
    if (document.querySelector("article.bd-article") && !(foot && shown(foot))) {
      fault("paper does not say what it is from, and on what terms");
    }
  }

  // What a figure is painted with, over its ground, as WCAG 2.2 compares colours: words 4.5, marks 3.
  // A heat map is left out, whose cells are on a scale, and gaps, painted in the ground itself.
  const numbers = (text) => text.match(/[\d.]+/g).map(Number);
  const luminance = (colour) => colour
    .map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (...pair) => {
    const [low, high] = pair.map(luminance).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  // A use shows its mark apart from all that stands around: no rule by ancestors reaches it.
  const [mark] = all(".measures svg .mark").map((one) => document.body.appendChild(one.cloneNode()));
  if (mark && getComputedStyle(mark).color !== getComputedStyle(document.body).color) fault("a mark has a colour of its own", mark);
  document.querySelectorAll("body > .mark").forEach((one) => one.remove());
  const pale = new Map();
  for (const svg of all(".measures svg").filter((svg) => !svg.querySelector("image"))) {
    const behind = (e) => getComputedStyle(e).backgroundColor;
    let around = svg;
    while (around && behind(around) === "rgba(0, 0, 0, 0)") around = around.parentElement;
    const ground = around ? numbers(behind(around)).slice(0, 3) : [255, 255, 255];
    for (const part of all("path, use, text", svg)) {
      if (part.closest("defs, clipPath")) continue;
      const style = getComputedStyle(part), found = [];
      let opacity = 1;
      for (let e = part; e !== svg; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
      const word = part.localName === "text";
      for (const kind of word ? ["fill"] : ["fill", "stroke"]) {
        if (style[kind] === "none") continue;
        const [r, g, b, alpha = 1] = numbers(style[kind]);
        const own = alpha * opacity * style[`${kind}Opacity`];
        found.push([r, g, b].map((c, i) => c * own + ground[i] * (1 - own)));
      }
      // Shades of a map, whose lines and labels say the same.
      const shade = style.stroke === "none" && /fill-opacity:0/.test(part.getAttribute("style"));
      const grid = style.strokeOpacity === "0.15";
      const gap = /stroke:var/.test(part.getAttribute("style")) && style.fill === "none";
      const best = Math.max(...found.map((one) => contrast(one, ground)));
      if (found.length && !shade && !grid && !gap && best < (word ? 4.5 : 3)) pale.set(`${found}`, part);
    }
  }
  for (const part of pale.values()) fault("too pale", part);
  return [...new Set(faults)];
}
