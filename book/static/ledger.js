// The ledger as a tool: rows are filtered by paper, verdict, evidence and words; the address keeps
// by what, and each group counts what it shows. Without it every table opens by itself.
"use strict";
(() => {
  const form = document.getElementById("ledger-filter");
  const groups = [...document.querySelectorAll("article details:has(table.ledger)")];
  const rows = groups.flatMap((group) => [...group.querySelectorAll("tbody tr")]);
  const KEYS = {
    paper: ["Paper", (row) => row.closest("section").querySelector("h2").firstChild.data],
    verdict: ["Verdict", (row) => row.dataset.kind.split(" (")[0]],
    rests: ["Rests on", (row) => row.querySelector(".rests")?.textContent || "nothing computed"],
  };
  const lists = Object.entries(KEYS).map(([key, [label, of]]) => {
    const options = [...new Set(rows.map(of))].map((value) => `<option>${value}</option>`);
    return `<label>${label}<select name="${key}"><option value="">all</option>${options.join("")}</select></label>`;
  });
  form.innerHTML = `${lists.join("")}<label>Words<input type="search" name="q"></label>
    <button type="reset">Show all</button><p role="status">${rows.length} rows.</p>`;

  function matches(row) {
    const said = (row.id + row.textContent).toLowerCase();
    return form.q.value.toLowerCase().split(/\s+/).every((word) => said.includes(word)) &&
      Object.entries(KEYS).every(([key, [, of]]) => ["", of(row)].includes(form[key].value));
  }
  const counted = (all) => {
    const left = all.filter((row) => !row.hidden).length;
    return left < all.length ? `${left} of ${all.length}` : `${left}`;
  };
  function show() {
    const asked = [...new FormData(form)].filter(([, value]) => value);
    for (const row of rows) row.hidden = !matches(row);
    for (const group of groups) {
      group.open = asked.length > 0;
      group.querySelector(".count").textContent = counted(rows.filter((row) => group.contains(row)));
    }
    form.querySelector("p").textContent = `${counted(rows)} rows.`;
    history.replaceState(null, "", `?${new URLSearchParams(asked)}`);
  }
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  for (const [key, value] of new URLSearchParams(location.search)) if (form[key]) form[key].value = value;
  if (location.search) show();
  // A row that the address names is in sight below the head of its table.
  const visit = () => {
    const row = rows.find(({ id }) => `#${id}` === location.hash);
    if (!row) return;
    row.closest("details").open = true;
    row.scrollIntoView();
  };
  addEventListener("hashchange", visit);
  visit();
})();
