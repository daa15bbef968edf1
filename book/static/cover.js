// The cover: the line beneath the squares says the row of the one that is pointed at, by arithmetic;
// with the keyboard by arrows, one stop a block. Its texts are loaded when first asked for.
"use strict";
(() => {
  const cover = document.querySelector(".cover"), line = cover?.querySelector(".stated");
  if (!line) return;
  const PITCH = 17, SIDE = 14;
  const at = new Map();  // which square of a block the line speaks of

  async function tell(block, number) {
    await loadOnce("cover-rows.js");
    const rows = window.coverRows[block.dataset.paper];
    const i = Math.max(0, Math.min(rows.length - 1, number));
    const [title, what, numbers, overTopics, kind, cause, tone, address] = rows[i];
    at.set(block, i);
    const texts = line.querySelectorAll("span > :is(b, span)");
    [title, what, numbers, overTopics, kind, cause].forEach((text, j) => { texts[j].textContent = text; });
    texts[4].className = `${tone}-word`;
    block.href = line.querySelector("a").href = `ledger.html#${address}`;
    ring(block, i);
  }
  // The square that the line speaks of has a ring.
  function ring(block, i) {
    cover.querySelectorAll(".ring").forEach((one) => one.remove());
    for (const svg of block.querySelectorAll("svg")) {
      const lines = Number(svg.dataset.lines), side = SIDE + 3;
      const corner = [Math.floor(i / lines), i % lines].map((n) => n * PITCH - 1.5);
      const [x, y] = svg.matches(".wide") ? corner : corner.reverse();
      svg.insertAdjacentHTML("beforeend", `<rect class="ring" x="${x}" y="${y}" width="${side}" height="${side}"/>`);
    }
  }
  function pointed(event) {
    const svg = event.target.closest("svg"), block = event.target.closest(".block");
    if (!svg || !block) return null;
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const cell = (from, to) => Math.max(0, Math.floor(((to - from) * scale + (PITCH - SIDE) / 2) / PITCH));
    const [x, y] = [cell(box.left, event.clientX), cell(box.top, event.clientY)];
    const lines = Number(svg.dataset.lines);
    return [block, svg.matches(".wide") ? x * lines + Math.min(y, lines - 1) : y * lines + Math.min(x, lines - 1)];
  }
  // On touch a tap fills the line, whose link is large enough; a mouse follows the square.
  for (const [type, pointer] of [["pointermove", "mouse"], ["click", "touch"]]) {
    cover.addEventListener(type, (event) => {
      const found = event.pointerType === pointer && pointed(event);
      if (!found) return;
      if (type === "click") event.preventDefault();
      tell(...found);
    });
  }
  cover.addEventListener("keydown", (event) => {
    const block = event.target.closest(".block");
    const shown = block && [...block.querySelectorAll("svg")].find((svg) => svg.checkVisibility());
    if (!shown) return;
    const lines = Number(shown.dataset.lines), wide = shown.matches(".wide");
    const [across, down] = wide ? [lines, 1] : [1, lines];
    const step = { ArrowRight: across, ArrowLeft: -across, ArrowDown: down, ArrowUp: -down }[event.key];
    if (step) { event.preventDefault(); tell(block, (at.get(block) ?? -step) + step); }
  });
  cover.addEventListener("focusin", (event) => {
    const block = event.target.closest(".block");
    if (block && event.target.matches(":focus-visible")) tell(block, at.get(block) ?? 0);
  });
})();
