// What the figure says of the topics kept, as lib does (drawings.py); #id:topic&topic is their address.
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
    const rank = (v, x) => count(v, y => y > x) + (count(v, y => y === x) + 1) / 2;
    let stay = 0;
    const signs = v => v.flatMap((x, i) => v.slice(0, i).map(y => Math.sign(x - y)));
    const one = signs(all), two = signs(now);
    const [same, opposite] = [1, -1].map(s => count(one, (x, i) => x * two[i] === s));
    const [tied, ties] = [one, two].map(v => count(v, x => !x));
    const root = Math.sqrt((one.length - tied) * (one.length - ties));
    const tau = root ? digits((same - opposite) / root) : "–";
    now.forEach((mean, i) => {
      // Runs with one mean stand in the order by all topics.
      const row = count(now, (x, j) => x > mean || (x === mean && order[j] < order[i]));
      const y = 34 + 22 * row, at = rank(now, mean), up = rank(all, all[i]) - at;
      const moved = up ? ` ${up > 0 ? "↑" : "↓"}${Math.abs(up)}` : "";
      place[row] = runs[i];
      stay += !up;
      Object.assign(parts, {
        ["run" + i]: { class: some ? (up ? "moved" : "kept") : "none" },
        ["line" + i]: { y2: y },
        ["dot" + i]: { cy: y },
        ["place" + i]: { y: y + 4, text: some ? `${digits(mean)} · ${at}${moved}` : "–" },
      });
    });
    const kept = `${some} of ${hits.length} topics`;
    return { parts, said: `tau-b ${tau}, with ${kept}.`,
      title: some ? `With ${kept}, ${stay} of ${runs.length} runs kept their place.` : "No topic, no order.",
      alt: some ? `Order by the topics kept: ${place.join(", ")}.` : "No topic is kept.",
      cells: [same, opposite, tied, ties, tau] };
  }
  return (id, data) => {
    const root = document.getElementById(id), area = root.querySelector("fieldset");
    const inputs = [...root.querySelectorAll("input")], svg = root.querySelector("svg");
    const start = `#${id}:`, named = i => encodeURIComponent(i.value);
    function show() {
      const found = rule(inputs.map(i => i.checked), data);
      root.querySelector("strong").lastElementChild.textContent = found.title;
      root.querySelector(".said").textContent = found.said;
      root.querySelectorAll("tbody td").forEach((cell, k) => { cell.textContent = found.cells[k]; });
      svg.setAttribute("aria-label", found.alt);
      for (const name in found.parts) {
        const part = svg.querySelector(`[data-part="${name}"]`), { text, ...to } = found.parts[name];
        for (const key in to) part.setAttribute(key, to[key]);
        if (text) part.textContent = text;
      }
    }
    function read() {
      const asked = location.hash.startsWith(start) && location.hash.slice(start.length).split("&");
      if (!asked && location.hash) return;  // another place of the page
      inputs.forEach(i => { i.checked = asked ? asked.includes(named(i)) : i.defaultChecked; });
      show();
      if (asked) root.scrollIntoView();
    }
    area.disabled = false;
    area.addEventListener("input", () => {
      show();
      const kept = inputs.filter(i => i.checked).map(named).join("&");
      history.replaceState(history.state, "", start + kept);
    });
    area.querySelector("button").addEventListener("click", () => {
      history.replaceState(history.state, "", location.pathname + location.search);
      read();
    });
    addEventListener("hashchange", read);
    addEventListener("load", read);
    show();
  };
})();
