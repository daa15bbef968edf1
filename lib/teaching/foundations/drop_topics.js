// The rule takes which topics are kept, and the figure's data; it returns a sentence, the table's
// cells, and the picture's words and parts.
window.measuresTouch = window.measuresTouch || (() => {
  const ten = x => Math.round(x * 1e10) / 1e10;  // as lib rounds means
  // As Python writes it: what lies between two goes to the even one.
  function digits(x) {
    const s = 1e3 * (x = ten(x)), tie = Math.abs(s % 1) === 0.5 && x * 2 ** 20 % 1 === 0;
    return (tie ? 2 * Math.round(s / 2) / 1e3 : x).toFixed(3).replace("-", "−");
  }
  const count = (list, is) => list.filter(is).length;
  function rule(at, { hits, runs, order }) {
    const rows = hits.filter((_, t) => at[t]), some = rows.length, place = [], parts = {};
    const means = part => runs.map((_, i) =>
      ten(part.reduce((s, row) => s + row[i], 0) / part.length / 10));
    const all = means(hits), now = some ? means(rows) : all.map(() => 0);
    const signs = v => v.flatMap((x, i) => v.slice(0, i).map(y => Math.sign(x - y)));
    const one = signs(all), two = signs(now);
    const [same, opposite] = [1, -1].map(s => count(one, (x, i) => x * two[i] === s));
    const [tied, ties] = [one, two].map(v => count(v, x => !x));
    const root = Math.sqrt((one.length - tied) * (one.length - ties));
    const tau = root ? digits((same - opposite) / root) : "–";
    now.forEach((mean, i) => {
      const above = count(now, x => x > mean), alike = count(now, x => x === mean);
      // Runs with one mean stand in the order by all topics.
      const row = above + count(now, (x, j) => x === mean && order[j] < order[i]);
      const y = 34 + 22 * row;
      place[row] = runs[i];
      parts["line" + i] = { y2: y };
      parts["dot" + i] = { cy: y };
      parts["place" + i] =
        { y: y + 4, text: some ? `${digits(mean)} · ${above + (alike + 1) / 2}` : "–" };
    });
    return { parts, said: `tau-b ${tau}, with ${some} of ${hits.length} topics.`,
      alt: some ? `Order by the topics kept: ${place.join(", ")}.` : "No topic is kept.",
      cells: [same, opposite, tied, ties, tau] };
  }
  return (id, data) => {
    const root = document.getElementById(id), area = root.querySelector("fieldset");
    const inputs = [...root.querySelectorAll("input")], svg = root.querySelector("svg");
    function show() {
      const found = rule(inputs.map(i => i.checked), data);
      root.querySelector(".said").textContent = found.said;
      root.querySelectorAll("tbody td").forEach((cell, k) => { cell.textContent = found.cells[k]; });
      svg.setAttribute("aria-label", found.alt);
      for (const name in found.parts) {
        const part = svg.querySelector(`[data-part="${name}"]`), { text, ...to } = found.parts[name];
        for (const key in to) part.setAttribute(key, to[key]);
        if (text) part.textContent = text;
      }
    }
    area.disabled = false;
    area.addEventListener("input", show);
    area.querySelector("button").addEventListener("click", () => {
      inputs.forEach(i => { i.checked = i.defaultChecked; });
      show();
    });
    show();
  };
})();
