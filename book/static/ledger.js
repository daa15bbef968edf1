// The ledger as a tool: rows are filtered by paper, verdict, evidence and words, and kept as CSV.
// Without it every table opens by itself.
(function () {
  var form = document.getElementById("ledger-filter");
  if (!form) { return; }
  var rows = Array.from(document.querySelectorAll("table.ledger tbody tr"));
  function section(row) { return row.closest("section"); }
  function texts(row) {
    return Array.from(row.cells).map(function (c) { return c.firstChild ? c.firstChild.data : ""; });
  }
  function titled(s) { return s.querySelector("h2").firstChild.data; }
  var KEYS = {
    paper: ["Paper", function (row) { return titled(section(row)); }],
    verdict: ["Verdict", function (row) { return row.dataset.kind; }],
    rests: ["Rests on", function (row) { return texts(row).pop() || "nothing computed"; }]
  };

  function add(name, into, values) {
    return Object.assign(into.appendChild(document.createElement(name)), values);
  }
  function control(key, label, name) {
    var around = add("label", form, { textContent: label });
    return add(name, around, { name: key });
  }
  Object.keys(KEYS).forEach(function (key) {
    var list = control(key, KEYS[key][0], "select");
    add("option", list, { value: "", textContent: "all" });
    new Set(rows.map(KEYS[key][1])).forEach(function (v) {
      add("option", list, { value: v, textContent: v });
    });
  });
  var words = control("q", "Words", "input");
  words.type = "search";
  var said = add("p", form, {});
  said.setAttribute("role", "status");
  var file = add("button", form, { type: "button", textContent: "These rows as CSV" });
  add("button", form, { type: "reset", textContent: "Show all" });

  var searched = rows.map(function (row) {
    return (row.id + " " + texts(row).join(" ")).toLowerCase();
  });
  function matches(row, i) {
    return Object.keys(KEYS).every(function (key) {
      return !form[key].value || KEYS[key][1](row) === form[key].value;
    }) && words.value.toLowerCase().split(/\s+/).every(function (w) {
      return searched[i].includes(w);
    });
  }
  function asked() {
    var query = new URLSearchParams();
    new FormData(form).forEach(function (v, key) { if (v) { query.set(key, v); } });
    return query.toString();
  }
  function show() {
    var query = asked(), found = 0;
    rows.forEach(function (row, i) {
      row.hidden = !matches(row, i);
      found += !row.hidden;
    });
    document.querySelectorAll("article details:has(table.ledger)").forEach(function (d) {
      d.hidden = !d.querySelector("tbody tr:not([hidden])");
      d.open = !!query && !d.hidden;
    });
    new Set(rows.map(section)).forEach(function (s) {
      s.hidden = !s.querySelector("details:not([hidden])");
    });
    document.querySelectorAll("table.ledger").forEach(function (t) {
      for (var i = 3; i <= t.rows[0].cells.length; i++) {  // columns in which nothing stands
        var filled = "tbody tr:not([hidden]) > :nth-child(" + i + "):not(:empty)";
        t.classList.toggle("no" + i, !t.querySelector(filled));
      }
    });
    said.textContent = found.toLocaleString("en") + (found === 1 ? " row." : " rows.");
    file.disabled = !found;
    try {
      history.replaceState(history.state, "", (query ? "?" + query : location.pathname) + location.hash);
    } catch (e) { /* some browsers keep the address of a file as it is */ }
  }
  function quoted(s) { return /[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s; }
  function csv() {
    var head = Array.from(document.querySelectorAll("table.ledger thead tr")[0].cells);
    var lines = [["paper", "place"].concat(head.map(function (c) { return c.textContent; }))];
    rows.forEach(function (row) {
      if (row.hidden) { return; }
      var place = row.closest("details").querySelector(".sd-summary-text").textContent;
      lines.push([titled(section(row)), place.replace(/: .*/, "")].concat(texts(row)));
    });
    return lines.map(function (line) { return line.map(quoted).join(",") + "\n"; }).join("");
  }
  file.addEventListener("click", function () {
    var url = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
    add("a", form, { href: url, download: "ledger-rows.csv", hidden: true }).click();
    form.lastChild.remove();
    setTimeout(function () { URL.revokeObjectURL(url); }, 1000);
  });
  // The row that the address names is shown, whatever the filter.
  function toRow() {
    var row = rows.find(function (r) { return "#" + r.id === decodeURIComponent(location.hash); });
    if (!row) { return; }
    if (row.hidden) { form.reset(); return; }  // and then again
    row.closest("details").open = true;
    row.scrollIntoView({ block: "center" });
  }
  new URLSearchParams(location.search).forEach(function (v, key) {
    if (form[key]) { form[key].value = v; }
  });
  form.addEventListener("input", show);
  form.addEventListener("reset", function () { setTimeout(function () { show(); toRow(); }); });
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  form.hidden = false;
  if (asked()) { show(); } else { said.textContent = rows.length + " rows."; }
  window.addEventListener("hashchange", toRow);
  toRow();
})();
