// Code is folded; the button at the top opens or folds all of a page's, and of the next page's.
// The side bar shows the book's title and the search, where the page's own entry is in sight too.
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

  // What was not in sight at first comes from its noscript, a drawing in the place of its frame.
  const bring = (root, which) => root.querySelectorAll(`${which} noscript.later`).forEach((e) => {
    if (e.previousElementSibling?.matches("svg")) e.previousElementSibling.remove();
    e.outerHTML = e.textContent;
  });
  const inSight = () => bring(document, ".panels > :not([hidden]) .canvas");
  inSight();
  document.addEventListener("input", inSight);
  addEventListener("hashchange", inSight);
  document.addEventListener("toggle", (e) => e.target.open && bring(e.target, ":scope >"), true);

  addEventListener("load", () => {
    inSight();
    const bar = document.querySelector(".bd-sidebar-primary"), here = bar?.querySelector(".current.active");
    if (here && here.getBoundingClientRect().bottom + bar.scrollTop < innerHeight) bar.scrollTop = 0;
  });

  // On paper a page is light; what is folded, print.css opens.
  let theme;
  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
  });
  addEventListener("afterprint", () => { document.documentElement.dataset.theme = theme; });
})();
