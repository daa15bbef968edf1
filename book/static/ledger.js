// The ledger as a tool: rows are filtered by paper, verdict, evidence and words.
// Without it every table opens by itself.
"use strict";
(() => {
  const form = document.getElementById("ledger-filter");
  if (!form) return;
  const rows = [...document.querySelectorAll("table.ledger tbody tr")];
  const text = (cell) => cell.firstChild?.data ?? "";
  const KEYS = {
    paper: ["Paper", (row) => text(row.closest("section").querySelector("h2"))],
    verdict: ["Verdict", (row) => row.dataset.kind],
    rests: ["Rests on", (row) => text([...row.cells].pop()) || "nothing computed"],
  };

  const lists = Object.entries(KEYS).map(([key, [label, of]]) => {
    const options = [...new Set(rows.map(of))].map((value) => `<option>${value}</option>`);
    return `<label>${label}<select name="${key}">
      <option value="">all</option>${options.join("")}</select></label>`;
  });
  form.innerHTML = `${lists.join("")}
    <label>Words<input type="search" name="q"></label>
    <button type="reset">Show all</button><p role="status">${rows.length} rows.</p>`;

  function matches(row) {
    const said = (row.id + row.textContent).toLowerCase();
    return form.q.value.toLowerCase().split(/\s+/).every((word) => said.includes(word)) &&
      Object.entries(KEYS).every(([key, [, of]]) => ["", of(row)].includes(form[key].value));
  }
  function show() {
    const asked = [...new FormData(form).values()].some(Boolean);
    for (const row of rows) row.hidden = !matches(row);
    document.querySelectorAll("article details:has(table.ledger)").forEach((e) => { e.open = asked; });
    form.querySelector("p").textContent = `${rows.filter((row) => !row.hidden).length} rows.`;
  }
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
})();
