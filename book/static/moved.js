// An old address leads to where its text is now: #moved has the places of this page that are elsewhere.
"use strict";
(() => {
  const list = document.getElementById("moved");
  if (!list) return;
  const places = JSON.parse(list.textContent);
  const go = () => {
    const [, place, setting] = location.hash.match(/^#?([^:]*)(:.*)?$/s);
    if (place && document.getElementById(place)) return;
    const now = places[place] ?? places[""];
    if (now) location.replace(now + (setting ?? ""));
  };
  addEventListener("hashchange", go);
  go();
})();
