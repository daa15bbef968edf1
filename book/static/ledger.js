// The ledger as a tool: rows are filtered by paper, verdict, evidence and words; the address keeps
// by what, and each group counts what it shows. Without it every table opens by itself.
"use strict";
(() => {
  const form = document.getElementById("ledger-filter");
  const rows = [...document.querySelectorAll("table.ledger tbody tr")];
  const groups = [...document.querySelectorAll("article details:has(table.ledger)")];
  const KEYS = {
    paper: ["Paper", (row) => row.closest("section").querySelector("h2").firstChild.data],
    verdict: ["Verdict", (row) => row.dataset.kind.split(" (")[0]],
    rests: ["Rests on", (row) => row.querySelector(".rests")?.textContent || "nothing computed"],
  };
  const known = new Map(rows.map((row) => [row, {
    said: `${row.id} ${row.textContent}`.toLowerCase(),
    ...Object.fromEntries(Object.entries(KEYS).map(([key, [, of]]) => [key, of(row)])),
  }]));

  const lists = Object.entries(KEYS).map(([key, [label]]) => {
    const options = [...new Set(rows.map((row) => known.get(row)[key]))].map((value) => `<option>${value}</option>`);
    return `<label>${label}<select name="${key}"><option value="">all</option>${options.join("")}</select></label>`;
  });
  form.innerHTML = `${lists.join("")}<label>Words<input type="search" name="q"></label>
    <button type="reset">Show all</button><p role="status"></p>`;

  function show() {
    const asked = [...new FormData(form)].filter(([, value]) => value), words = form.q.value.toLowerCase().split(/\s+/);
    const counted = (all) => {
      const left = all.filter((row) => !row.hidden).length;
      return left < all.length ? `${left} of ${all.length}` : `${left}`;
    };
    for (const row of rows) {
      const { said, ...is } = known.get(row);
      row.hidden = !words.every((word) => said.includes(word)) ||
        Object.entries(is).some(([key, value]) => !["", value].includes(form[key].value));
    }
    for (const group of groups) {
      group.open = asked.length > 0;
      group.querySelector(".count").textContent = counted([...group.querySelectorAll("tbody tr")]);
    }
    form.querySelector("p").textContent = `${counted(rows)} rows.`;
    return new URLSearchParams(asked).toString();
  }
  const keep = () => {
    const query = show();
    history.replaceState(null, "", `${location.pathname}${query && `?${query}`}`);
  };
  form.addEventListener("input", keep);
  form.addEventListener("reset", () => setTimeout(keep));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  for (const [key, value] of new URLSearchParams(location.search)) if (form.elements[key]) form.elements[key].value = value;
  show();
  // A row that the address names is open, and in sight below the head of its table.
  const visit = () => {
    const row = document.getElementById(location.hash.slice(1));
    if (!row?.matches(".ledger tr")) return;
    row.closest("details").open = true;
    row.scrollIntoView();
  };
  addEventListener("hashchange", visit);
  visit();
})();
