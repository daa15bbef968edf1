// Pointing at a mark, or walking there by arrow keys, says its title ("name: values") in a label and
// lights all of its name.
"use strict";
(() => {
  const CANVAS = ".measures .canvas";
  const box = (part) => part.getBoundingClientRect();
  const on = (type, act) => document.addEventListener(type, act);
  const label = make("div", { className: "mark-says", role: "status" });
  document.body.append(label);
  let current = null, walked = false;

  const whole = (part) => part.closest(".explore") || part.closest(".drawing");
  const parts = (mark) => mark.dataset.says.split(": ");

  // The marks in sight; the browser is not to show titles as well.
  function marks(part) {
    for (const title of part.querySelectorAll("svg title")) {
      title.parentNode.dataset.says = title.textContent;
      title.remove();
    }
    return [...part.querySelectorAll("[data-says]")].filter((mark) => mark.checkVisibility({ visibilityProperty: true }));
  }

  function light(figure, name) {
    figure.querySelectorAll(".lit").forEach((old) => old.remove());
    const same = name ? marks(figure).filter((mark) => parts(mark)[0] === name) : [];
    for (const mark of same) {
      const copy = mark.cloneNode();
      delete copy.dataset.says;
      copy.setAttribute("class", "lit");
      copy.style.fill = getComputedStyle(mark).fill;
      mark.ownerSVGElement.append(copy);
    }
    return same;
  }

  function hide() {
    label.textContent = "";
    if (current) light(whole(current));
    current = null;
  }

  function say(text, part) {
    label.textContent = text;
    label.style = "left:0;top:0";
    const at = box(part), own = box(label);
    const room = document.documentElement.clientWidth - own.width - 4;
    const left = Math.max(4, Math.min(at.left + (at.width - own.width) / 2, room));
    const above = at.top - own.height - 6;
    const top = above > 4 ? above : Math.min(at.bottom + 6, innerHeight - own.height - 4);
    label.style = `left:${left + scrollX}px;top:${top + scrollY}px`;
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
      const { left, right, top, bottom } = box(mark);
      const beside = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
      const far = beside + Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) / 99;
      if (far < reach) [found, reach] = [mark, far];
    }
    return found;
  }

  function point({ target, type, clientX, clientY }) {
    const down = type === "pointerdown", canvas = target.closest(CANVAS);
    const mark = canvas && nearest(canvas, clientX, clientY, down ? 24 : 14);
    if (mark) show(mark);
    else if (down || !(canvas || walked)) hide();
    walked &&= !mark;
  }
  on("pointermove", point);
  on("pointerdown", point);

  on("keydown", (event) => {
    if (event.key === "Escape") hide();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.altKey || !event.target.matches(CANVAS)) return;
    const all = marks(event.target), count = all.length, at = all.indexOf(current);
    if (!count) return;
    event.preventDefault();
    walked = true;
    const mark = all[(Math.max(at, step < 0 ? 0 : -1) + step + count) % count];
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    show(mark);
  });
  on("focusout", hide);
  on("focusin", ({ target }) => {
    const count = target.matches(`${CANVAS}:focus-visible`) && marks(target).length;
    if (count) say(`Arrow keys name ${count} marks.`, target);
  });
})();
