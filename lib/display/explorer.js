// Shared by all explorers of a page. read sets the controls from the address, show the panel from
// the controls. The fragment is #explore-a:x=1&y=2;explore-b:z=3 and other anchors do nothing here.
window.measuresExplore ||= ((id) => {
  const root = document.getElementById(id), sides = root.querySelector(".sides");
  const [pin, shown, result] = [".pin", `#${id}-shown`, "[role=status]"].map((s) => root.querySelector(s));
  const [controls, panels] = ["[data-control]", "[data-at]"].map((s) => [...root.querySelectorAll(s)]);
  const choices = (c) => [...(c.list || c).options];
  const place = (c, i) => { c[c.list ? "value" : "selectedIndex"] = i; };
  const plain = (s) => { try { return decodeURIComponent(s); } catch { return s; } };
  const parts = () => location.hash.slice(1).split(";").filter((s) => /^explore-[\w-]+:/.test(s));
  const mine = (s) => s.startsWith(id + ":");
  const visible = () => panels.find((p) => !p.hidden);
  let pinned;
  function show() {
    const said = [];
    const key = controls.map((c) => {
      const o = choices(c)[c.list ? c.value : c.selectedIndex];
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
  function keep() {
    if (pinned) {
      pinned.remove();
      pinned = null;
    } else {
      const live = visible(), svg = live.querySelector("svg");
      if (svg) sides.style.setProperty("--least", svg.style.minWidth);
      pinned = document.createElement("div");
      pinned.className = "pinned";
      pinned.innerHTML = '<p class="state"></p>' +  // ids of a drawing stay unique
        live.innerHTML.replace(/((?:id="|href="#|url\(#)f[0-9a-z]{5})-/g, "$1-pin-");
      pinned.firstChild.textContent = shown.textContent.replace("Shown", "Pinned");
      sides.append(pinned);
    }
    pin.textContent = pinned ? "Unpin" : "Pin this setting";
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
      place(c, i < 0 ? +c.dataset.default : i);
    });
    show();
    if (part && mine(parts()[0])) root.scrollIntoView();
  }
  root.querySelector("fieldset").disabled = false;
  pin.addEventListener("click", keep);
  root.addEventListener("toggle", ({ target }) => {  // the folds of all settings open as one
    sides.querySelectorAll("details").forEach((d) => { d.open = target.open; });
  }, true);
  controls.forEach((c) => c.addEventListener("input", () => {
    const all = [...parts().filter((s) => !mine(s)), `${id}:${show()}`];
    result.textContent = visible().querySelector("strong")?.textContent;
    try {
      history.replaceState(history.state, "", "#" + all.join(";"));
    } catch { /* some browsers refuse when a slider moves too fast */ }
  }));
  addEventListener("hashchange", read);
  addEventListener("load", read);
  show();
  read();
});
