// The cover: the line beneath the squares says the row of the one that is pointed at, by arithmetic;
// with the keyboard by arrows, one stop a block. Its texts are loaded when first asked for.
"use strict";
(() => {
  const cover = document.querySelector(".cover"), line = cover?.querySelector(".stated");
  if (!line) return;
  const PITCH = 17, SIDE = 14;
  let loading;
  const load = () => (loading ??= new Promise((done) => {
    const script = document.createElement("script");
    script.src = "../_static/cover-rows.js";
    script.onload = () => done(window.coverRows);
    document.head.append(script);
  }));
  const at = new Map();  // which square of a block the line speaks of

  async function tell(block, number) {
    const rows = (await load())[block.dataset.paper];
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
      const lines = Number(svg.dataset.lines), wide = svg.matches(".wide");
      const [long, short] = [Math.floor(i / lines) * PITCH, (i % lines) * PITCH];
      const rect = document.createElementNS(svg.namespaceURI, "rect");
      rect.setAttribute("class", "ring");
      for (const [name, value] of Object.entries({
        x: (wide ? long : short) - 1.5, y: (wide ? short : long) - 1.5, width: SIDE + 3, height: SIDE + 3,
      })) rect.setAttribute(name, value);
      svg.append(rect);
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
  cover.addEventListener("pointermove", (event) => {
    const found = event.pointerType === "mouse" && pointed(event);
    if (found) tell(...found);
  });
  // On touch a tap fills the line, whose link is large enough to be hit; a mouse follows the square.
  cover.addEventListener("click", (event) => {
    const found = event.pointerType === "touch" && pointed(event);
    if (found) { event.preventDefault(); tell(...found); }
  });
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
