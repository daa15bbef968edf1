// Squares: the line beneath the cover's says the row of the one that is pointed at, by arithmetic.
// Each opens as a card, with the keyboard the first of a block, and so does a row of the ledger;
// arrows walk from card to card. What they are and say is loaded when first asked for.
"use strict";
(() => {
  const article = document.querySelector("article"), line = article.querySelector(".stated");
  const PITCH = 17, SIDE = 14;
  let rows, at, card;  // what is told, in the order in which one walks; the one told of

  async function load() {
    await loadOnce("squares-rows.js");
    if (rows) return;
    const order = [...article.querySelectorAll("tr[id]")].map(({ id }) => id);
    const known = new Map(told.rows.map((row) => [row.at(-1), row]));
    rows = order.length ? order.map((id) => known.get(id)) : told.rows;
  }
  const numberOf = (address) => rows.findIndex((row) => row.at(-1) === address);
  // The numbers of a drawing's first and last square.
  function ends(svg) {
    const group = svg.closest("details"), id = group ? group.querySelector("tr[id]").id : svg.closest("a").hash.slice(1);
    return [numberOf(id), numberOf(id) + Number(svg.dataset.count) - 1];
  }
  const within = (number, [first, last]) => Math.max(first, Math.min(last, number));

  function tell(number) {
    at = (number + rows.length) % rows.length;
    const [title, what, printed, ours, over, kind, cause, address] = rows[at];
    if (!line) return;
    const says = [title, what, ours && `printed ${printed}, ours ${ours}`, over, kind, cause];
    const texts = line.querySelectorAll("span > :is(b, span)");
    says.forEach((text, j) => { texts[j].textContent = text; });
    texts[4].className = `${told.squares[kind][0]}-word`;
    line.querySelector("a").href = `ledger.html#${address}`;
    // The square that the line speaks of has a ring.
    article.querySelectorAll(".ring").forEach((one) => one.remove());
    for (const svg of article.querySelectorAll("svg[data-lines]")) {
      if (within(at, ends(svg)) !== at) continue;
      const i = at - ends(svg)[0], { lines } = svg.dataset, side = SIDE + 3;
      const corner = [Math.floor(i / lines), i % lines].map((n) => n * PITCH - 1.5);
      const [x, y] = svg.matches(".narrow") ? corner.reverse() : corner;
      svg.insertAdjacentHTML("beforeend", `<rect class="ring" x="${x}" y="${y}" width="${side}" height="${side}"/>`);
    }
  }
  // The number of the square beneath a pointer.
  function pointed(svg, { clientX, clientY }) {
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const cell = (way) => Math.max(0, Math.floor((way * scale + (PITCH - SIDE) / 2) / PITCH));
    const place = [cell(clientX - box.left), cell(clientY - box.top)];
    const [along, across] = svg.matches(".narrow") ? place.reverse() : place;
    const lines = Number(svg.dataset.lines);
    return within(ends(svg)[0] + along * lines + Math.min(across, lines - 1), ends(svg));
  }

  function build() {
    card = make("dialog", { className: "statement", innerHTML: told.card });
    card.setAttribute("aria-labelledby", "card-says");
    article.append(card);
    const walk = (step) => step && open(at + Number(step));
    card.addEventListener("keydown", ({ key }) => walk({ ArrowLeft: -1, ArrowRight: 1 }[key]));
    card.addEventListener("click", ({ target }) => (/^Copy /.test(target.textContent) ? copy(target) : walk(target.value)));
    card.addEventListener("close", () => {
      if (line) history.replaceState(null, "", location.pathname);
      else location.replace(`#${rows[at].at(-1)}`);
    });
  }
  function open(number) {
    tell(number);
    if (!card) build();
    const [title, what, printed, ours, over, kind, cause, address] = rows[at];
    const [tone, shape] = told.squares[kind], mark = card.querySelector("path");
    const why = [over && `over topics ${over}`, cause].filter(Boolean).join("; ");
    const says = [title, `${at + 1} of ${rows.length}`, what, printed, ours || "–", kind, why];
    card.querySelectorAll("[data-says]").forEach((part, i) => { part.textContent = says[i]; });
    card.querySelector(".kind").className = `kind ${tone}-word`;
    mark.setAttribute("class", tone);
    mark.setAttribute("d", `M0 0${shape}`);
    card.querySelector("a").href = `ledger.html#${address}`;
    history.replaceState(null, "", `#${address}`);
    if (!card.open) card.showModal();
  }
  function copy(button) {
    const [title, what] = rows[at], before = button.textContent;
    const cited = /citation/.test(before) ? `${told.cited} The ledger: ${title}, ${what}. ` : "";
    navigator.clipboard?.writeText(cited + location.href);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = before; }, 1200);
  }

  // A mouse that moves fills the line; a click or a tap opens the card, and so does Enter.
  article.addEventListener("pointermove", async (event) => {
    const drawn = event.target.closest(".cover svg[data-lines]");
    if (!drawn) return;
    await load();
    tell(pointed(drawn, event));
  });
  article.addEventListener("click", async (event) => {
    const [drawn, row, block] = ["svg[data-lines]", "tr .headerlink", ".block"].map((css) => event.target.closest(css));
    if (!drawn && !row && !(block && !event.detail)) return;
    event.preventDefault();
    await load();
    open(drawn ? pointed(drawn, event) : numberOf((row ?? block).hash.slice(1)));
  });
  // An address of the cover that is a row's opens its card.
  async function visit() {
    const id = location.hash.slice(1);
    if (!line || !id || document.getElementById(id)) return;
    await load();
    const number = numberOf(id);
    if (number >= 0) open(number);
  }
  addEventListener("hashchange", visit);
  visit();
})();
