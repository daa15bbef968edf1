// What other scripts share, and what a page does by itself: it brings what comes into sight, stacks
// tables on phones, levels titles, and is light on paper.
"use strict";
(() => {
  // For other scripts: what a browser may refuse, an element, a script that is loaded when asked for.
  window.tried = (act) => { try { return act(); } catch { return null; } };
  window.make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const data = document.documentElement.dataset, loaded = {};
  window.loadOnce = (name) => loaded[name] ??= new Promise((onload) => {
    document.head.append(make("script", { onload, src: `${data.content_root}_static/${name}` }));
  });

  const all = (css) => document.querySelectorAll(css);
  // What was not in sight comes from its noscript, a drawing in place of its frame.
  const bring = (root, which) => {
    root.querySelectorAll(`${which} noscript.later`).forEach((e) => {
      if (e.previousElementSibling?.matches("svg")) e.previousElementSibling.remove();
      e.outerHTML = e.textContent;
    });
    stack();
  };
  // Rows of words or intervals are blocks on phones, and of six columns below 1,200 px; cells name these.
  const [phone, narrow] = ["576px", "1199px"].map((width) => matchMedia(`(max-width: ${width})`));
  const stack = () => all("article table:has(thead):not(.ledger)").forEach((table) => {
    const blocks = phone.matches ? /"wordy|<td[^/]*\[[+−\d.]/.test(table.outerHTML)
      : narrow.matches && table.matches(".wordy:has(td:nth-child(6):not(.text-right))");
    if (!table.classList.toggle("as-rows", blocks)) return;
    const { cells } = [...table.tHead.rows].at(-1);
    table.querySelectorAll("td").forEach((e) => { e.dataset.head = cells[e.cellIndex].textContent; });
  });
  // All titles of a control are as high: beneath them nothing moves.
  const level = () => all(".explore").forEach((figure) => {
    const titles = [...figure.querySelectorAll(".panels strong")];
    const set = (height) => titles.forEach(({ style }) => { style.minHeight = height; });
    set("");
    set(`${Math.max(...titles.map((title) => title.offsetHeight))}px`);
  });
  level();
  addEventListener("resize", level);
  const inSight = () => bring(document, ".panels > :not([hidden]) .canvas");
  inSight();
  [phone, narrow].forEach((one) => one.addEventListener("change", inSight));
  document.addEventListener("input", inSight);
  addEventListener("hashchange", inSight);
  document.addEventListener("toggle", ({ target }) => {
    if (target.open) bring(target, ":scope >");
    dispatchEvent(new Event("resize")); // the theme lets keys scroll it
  }, true);

  addEventListener("load", () => {
    level();
    inSight();
  });

  // On paper a page is light.
  let theme;
  addEventListener("beforeprint", () => {
    theme = data.theme;
    data.theme = "light";
  });
  addEventListener("afterprint", () => { data.theme = theme; });
})();
