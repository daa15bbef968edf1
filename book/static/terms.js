// Escape hides the meaning of a word of the glossary, until the mouse or the focus goes elsewhere.
"use strict";
const hidden = (now) => document.documentElement.classList.toggle("meanings-hidden", now);
document.addEventListener("keydown", (event) => event.key === "Escape" && hidden(true));
document.addEventListener("focusin", () => hidden(false));
document.addEventListener("mouseover", (event) => {
  const word = event.target.closest(".term");
  if (!word || !word.contains(event.relatedTarget)) hidden(false);
});
