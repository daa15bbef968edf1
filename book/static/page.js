// The button at the top opens or folds all code, on the next page too.
// The side bar shows its top, where the page's own entry is in sight too.
"use strict";
(() => {
  const KEY = "measures-code";
  const show = (open) => document.querySelectorAll("details.code").forEach((e) => { e.open = open; });
  const stored = () => { try { return localStorage.getItem(KEY) === "shown"; } catch { return false; } };
  window.toggleCode = () => {
    const open = !document.querySelector("details.code[open]");
    show(open);
    try { localStorage.setItem(KEY, open ? "shown" : "folded"); } catch { /* this page alone */ }
  };
  if (stored()) show(true);

  // What was not in sight comes from its noscript, a drawing in place of its frame.
  const bring = (root, which) => {
    root.querySelectorAll(`${which} noscript.later`).forEach((e) => {
      if (e.previousElementSibling?.matches("svg")) e.previousElementSibling.remove();
      e.outerHTML = e.textContent;
    });
    stack();
  };
  // On a phone a row with intervals is a block; its cells name their columns.
  const phone = matchMedia("(max-width: 576px)");
  const stack = () => phone.matches && document.querySelectorAll("article table:not(.ledger)").forEach((table) => {
    if (!table.tHead || !/\[[+\u2212\d.]/.test(table.textContent)) return;
    table.classList.add("as-rows");
    const heads = [...table.tHead.rows].at(-1).cells;
    table.querySelectorAll("td").forEach((e) => { e.dataset.head = heads[e.cellIndex].textContent; });
  });
  const inSight = () => bring(document, ".panels > :not([hidden]) .canvas");
  inSight();
  phone.addEventListener("change", inSight);
  document.addEventListener("input", inSight);
  addEventListener("hashchange", inSight);
  document.addEventListener("toggle", (e) => e.target.open && bring(e.target, ":scope >"), true);

  addEventListener("load", () => {
    inSight();
    const bar = document.querySelector(".bd-sidebar-primary"), here = bar?.querySelector(".current.active");
    if (here && here.getBoundingClientRect().bottom + bar.scrollTop < innerHeight) bar.scrollTop = 0;
  });

  // On paper a page is light.
  let theme;
  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
  });
  addEventListener("afterprint", () => { document.documentElement.dataset.theme = theme; });
})();
