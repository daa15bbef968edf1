// Shared by all explorers of a page. read sets the controls from the address, show the panel from
// the controls. The fragment is #explore-a:x=1&y=2;explore-b:z=3 and other anchors do nothing here.
window.measuresExplore ||= ((id) => {
  const root = document.getElementById(id);
  const [shown, result] = [`#${id}-shown`, "[role=status]"].map((s) => root.querySelector(s));
  const [controls, panels] = ["[data-control]", "[data-at]"].map((s) => [...root.querySelectorAll(s)]);
  const choices = (c) => [...(c.list || c).options];
  const plain = (s) => { try { return decodeURIComponent(s); } catch { return s; } };
  const parts = () => location.hash.slice(1).split(";").filter((s) => /^explore-[\w-]+:/.test(s));
  const mine = (s) => s.startsWith(id + ":");
  function show() {
    const said = [];
    const key = controls.map((c) => {
      const o = choices(c)[c.value];
      if (c.list) {
        c.setAttribute("aria-valuetext", o.label);
        document.getElementById(c.id + "-value").textContent = o.label;
      }
      said.push(`${c.dataset.label} ${o.label}`);
      return `${c.dataset.control}=${o.dataset.token}`;
    }).join("&");
    panels.forEach((p) => { p.hidden = !p.dataset.at.split(" ").includes(key); });
    shown.textContent = `Shown: ${said.join("; ")}.`;
    return key;
  }
  let linked = false;  // whether the address has set the controls
  function read() {
    const part = parts().find(mine);
    if (!part && (!linked || location.hash)) return;
    linked = Boolean(part);  // back to an address without a setting: as at first
    const pairs = (part || "").slice(id.length + 1).split("&").map((pair) => pair.split(/=(.*)/s));
    const asked = Object.fromEntries(pairs.map(([name, value]) => [name, plain(value)]));
    controls.forEach((c) => {
      const i = choices(c).findIndex((o) => plain(o.dataset.token) === asked[c.dataset.control]);
      c.value = i < 0 ? c.dataset.default : i;
    });
    show();
    if (part && mine(parts()[0])) root.scrollIntoView();
  }
  root.querySelector("fieldset").disabled = false;
  root.addEventListener("toggle", ({ target }) => {  // the folds of all settings open as one
    root.querySelectorAll("details").forEach((d) => { d.open = target.open; });
  }, true);
  controls.forEach((c) => c.addEventListener("input", () => {
    const all = [...parts().filter((s) => !mine(s)), `${id}:${show()}`];
    result.textContent = panels.find((p) => !p.hidden).querySelector("strong")?.textContent;
    try {
      history.replaceState(history.state, "", "#" + all.join(";"));
    } catch { /* some browsers refuse when a slider moves too fast */ }
  }));
  addEventListener("hashchange", read);
  addEventListener("load", read);
  show();
  read();
});
