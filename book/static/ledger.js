// The ledger as a tool: rows are filtered by paper, verdict, evidence and words.
// Without it every table opens by itself.
"use strict";
(() => {
  const form = document.getElementById("ledger-filter");
  if (!form) return;
  const rows = [...document.querySelectorAll("table.ledger tbody tr")];
  const text = (cell) => cell.firstChild?.data ?? "";
  const titled = (row) => text(row.closest("section").querySelector("h2"));
  const KEYS = {
    paper: ["Paper", titled],
    verdict: ["Verdict", (row) => row.dataset.kind],
    rests: ["Rests on", (row) => text([...row.cells].pop()) || "nothing computed"],
  };

  const lists = Object.entries(KEYS).map(([key, [label]]) =>
    `<label>${label}<select name="${key}"><option value="">all</option></select></label>`);
  form.innerHTML = `${lists.join("")}<label>Words<input type="search" name="q"></label>
    <p role="status"></p><button type="reset">Show all</button>`;
  for (const [key, [, of]] of Object.entries(KEYS)) {
    form[key].append(...[...new Set(rows.map(of))].map((value) => new Option(value)));
  }
  const words = form.q, status = form.querySelector("p");

  const said = (row) => [row.id, ...[...row.cells].map(text)].join(" ").toLowerCase();
  const searched = new Map(rows.map((row) => [row, said(row)]));
  function matches(row) {
    const asked = words.value.toLowerCase().split(/\s+/);
    return asked.every((word) => searched.get(row).includes(word)) &&
      Object.entries(KEYS).every(([key, [, of]]) => ["", of(row)].includes(form[key].value));
  }
  function show() {
    const asked = [...new FormData(form)].filter(([, value]) => value);
    for (const row of rows) row.hidden = !matches(row);
    for (const table of document.querySelectorAll("article details:has(table.ledger)")) {
      table.hidden = !table.querySelector("tbody tr:not([hidden])");
      table.open = asked.length > 0 && !table.hidden;
    }
    for (const section of new Set(rows.map((row) => row.closest("section")))) {
      section.hidden = !section.querySelector("details:not([hidden])");
    }
    const count = rows.filter((row) => !row.hidden).length;
    status.textContent = `${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}.`;
    const query = asked.length ? `?${new URLSearchParams(asked)}` : location.pathname;
    try {
      history.replaceState(history.state, "", query + location.hash);
    } catch { /* some browsers keep the address of a file as it is */ }
  }
  // The row that the address names is shown, whatever the filter.
  function toRow() {
    const row = rows.find((row) => `#${row.id}` === decodeURIComponent(location.hash));
    if (row?.hidden) form.reset(); // and then again
    else if (row) {
      row.closest("details").open = true;
      row.scrollIntoView({ block: "center" });
    }
  }
  for (const [key, value] of new URLSearchParams(location.search)) {
    if (form[key]) form[key].value = value;
  }
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(() => { show(); toRow(); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  if (location.search) show();
  else status.textContent = `${rows.length} rows.`;
  window.addEventListener("hashchange", toRow);
  toRow();
})();
