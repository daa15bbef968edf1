// Names on marks. A dot or bar of a figure has a title, "name: values". Pointing at one, or walking
// there by arrow keys, says it in a label and lights all marks of that name in the figure; so does
// a name typed into the box beneath a figure with many.
"use strict";
(() => {
  const MANY = 15;
  const label = document.createElement("div"); // unseen while it is empty
  label.className = "mark-says";
  label.setAttribute("role", "status");
  document.body.append(label);
  let current = null, walked = false;

  const whole = (part) => part.closest(".measures.explore") || part.closest(".measures.drawing");
  const parts = (mark) => mark.dataset.says.split(": ");

  // The marks in sight, in the order of the drawing. The browser is not to show titles as well.
  function marks(part) {
    for (const title of part.querySelectorAll("svg title")) {
      title.parentNode.dataset.says = title.textContent;
      title.remove();
    }
    return [...part.querySelectorAll("[data-says]")].filter((mark) => mark.checkVisibility());
  }

  // Marks are lit by copies on top of all others.
  function light(figure, name) {
    figure.querySelectorAll(".lit").forEach((old) => old.remove());
    const same = name ? marks(figure).filter((mark) => parts(mark)[0] === name) : [];
    for (const mark of same) {
      const copy = mark.cloneNode();
      copy.removeAttribute("data-says");
      copy.setAttribute("class", "lit");
      copy.style.fill = getComputedStyle(mark).fill;
      mark.ownerSVGElement.append(copy);
    }
    return same;
  }

  function hide() {
    label.textContent = "";
    if (current) light(whole(current), whole(current).dataset.found);
    current = null;
  }

  function say(text, part) {
    label.textContent = text;
    label.style.left = label.style.top = 0;
    const at = part.getBoundingClientRect(), own = label.getBoundingClientRect();
    const room = document.documentElement.clientWidth - own.width - 4;
    const above = at.top - own.height - 6;
    const top = above > 4 ? above : Math.min(at.bottom + 6, innerHeight - own.height - 4);
    const left = Math.max(4, Math.min(at.left + (at.width - own.width) / 2, room));
    label.style.left = `${left + scrollX}px`;
    label.style.top = `${top + scrollY}px`;
  }

  function show(mark) {
    if (mark === current) return;
    hide();
    current = mark;
    say(mark.dataset.says, mark);
    light(whole(mark), parts(mark)[0]);
  }

  function nearest(canvas, x, y, reach) {
    let found;
    for (const mark of marks(canvas)) {
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      const beside = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
      const far = beside + Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) / 99;
      if (far < reach) [found, reach] = [mark, far];
    }
    return found;
  }

  function point({ target, type, pointerType, clientX, clientY }) {
    const down = type === "pointerdown", canvas = target.closest(".measures .canvas");
    if (pointerType === "touch" && !down) return;
    const mark = canvas && nearest(canvas, clientX, clientY, down ? 24 : 14);
    if (mark) {
      walked = false;
      show(mark);
    } else if (down || (!canvas && !walked)) hide();
  }
  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.altKey || !event.target.matches(".measures .canvas")) return;
    const all = marks(event.target), at = all.indexOf(current);
    if (!all.length) return;
    event.preventDefault();
    walked = true;
    const mark = all[at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length];
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    show(mark);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("focusin", ({ target }) => {
    const count = target.matches(".measures .canvas:focus-visible") && marks(target).length;
    if (count) say(`Arrow keys name ${count} marks.`, target);
  });

  document.querySelectorAll("figure.measures").forEach((figure, number) => {
    const names = () => [...new Set(marks(figure).map((mark) => parts(mark)[0]))].sort();
    if (whole(figure) !== figure || names().length <= MANY) return;
    const line = document.createElement("p");
    line.className = "find";
    line.innerHTML = `<label>Find a name in ${figure.querySelector(".number")?.textContent || "it"}
      <input type="search" list="names-${number}"></label> <span role="status"></span>
      <datalist id="names-${number}"></datalist>`;
    const [input, status, list] = line.querySelectorAll("input, span, datalist");
    list.append(...names().map((name) => new Option(name)));
    figure.insertBefore(line, figure.querySelector(":scope > .files"));
    figure.addEventListener("input", () => {
      const typed = input.value.trim().toLowerCase();
      const fit = names().filter((name) => name.toLowerCase().includes(typed));
      const one = fit.length === 1 ? fit[0] : fit.find((name) => name.toLowerCase() === typed);
      figure.dataset.found = (typed && one) || "";
      const lit = light(figure, figure.dataset.found).map((mark) => parts(mark)[1]);
      status.textContent = typed && (one ? `${one}: ${lit.join("; ")}` : `${fit.length} names fit.`);
    });
  });
})();
