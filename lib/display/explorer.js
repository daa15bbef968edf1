// Shared by all explorers of a page. read sets the controls from the address, show the panel from
// the controls. The fragment is #explore-a:x=1&y=2;explore-b:z=3 and other anchors do nothing here.
window.measuresExplore = window.measuresExplore || function (id) {
  var root = document.getElementById(id);
  var controls = [].slice.call(root.querySelectorAll("[data-control]"));
  var panels = [].slice.call(root.querySelectorAll("[data-at]"));
  function choices(c) { return [].slice.call((c.list || c).options); }
  function position(c) { return c.list ? +c.value : c.selectedIndex; }
  function place(c, i) { if (c.list) { c.value = i; } else { c.selectedIndex = i; } }
  function plain(s) { try { return decodeURIComponent(s); } catch (e) { return s; } }
  function parts() {
    return location.hash.slice(1).split(";").filter(function (s) {
      return /^explore-[\w-]+:/.test(s);
    });
  }
  var sides = root.querySelector(".sides"), pin = root.querySelector(".pin"), pinned, now;
  function mine(s) { return s.indexOf(id + ":") === 0; }
  function show() {
    var said = [];
    var key = controls.map(function (c) {
      var o = choices(c)[position(c)];
      if (c.list) {
        c.setAttribute("aria-valuetext", o.label);
        document.getElementById(c.id + "-value").textContent = o.label;
      }
      said.push(c.getAttribute("data-label") + " " + o.label);
      return c.getAttribute("data-control") + "=" + o.getAttribute("data-token");
    }).join("&");
    panels.forEach(function (p) {
      p.hidden = p.getAttribute("data-at").split(" ").indexOf(key) < 0;
    });
    now = said.join("; ") + ".";
    say();
    return key;
  }
  function say() {
    document.getElementById(id + "-shown").textContent = "Shown: " + now +
      (pinned ? " " + pinned.firstChild.textContent : "");
  }
  function keep() {
    if (pinned) {
      pinned.remove();
      pinned = null;
    } else {
      var live = panels.filter(function (p) { return !p.hidden; })[0];
      var svg = live.querySelector("svg");
      if (svg) { sides.style.setProperty("--least", svg.style.minWidth); }
      pinned = document.createElement("div");
      pinned.className = "pinned";
      pinned.innerHTML = '<p class="state"></p>' +  // ids of a drawing stay unique
        live.innerHTML.replace(/((?:id="|href="#|url\(#)f[0-9a-z]{5})-/g, "$1-pin-");
      pinned.firstChild.textContent = "Pinned: " + now;
      sides.appendChild(pinned);
    }
    pin.textContent = pinned ? "Unpin" : "Pin this setting";
    say();
  }
  var linked = false;  // whether the address has set the controls
  function read() {
    var part = parts().filter(mine)[0];
    if (!part && (!linked || location.hash)) { return; }
    linked = Boolean(part);  // back to an address without a setting: as at first
    var asked = {};
    (part || "").slice(id.length + 1).split("&").forEach(function (pair) {
      var equals = pair.indexOf("=");  // the first: a value typed by hand may hold another
      asked[pair.slice(0, equals)] = plain(pair.slice(equals + 1));
    });
    controls.forEach(function (c) {
      var tokens = choices(c).map(function (o) { return plain(o.getAttribute("data-token")); });
      var i = tokens.indexOf(asked[c.getAttribute("data-control")]);
      place(c, i < 0 ? +c.getAttribute("data-default") : i);
    });
    show();
    if (part && mine(parts()[0])) { root.scrollIntoView(); }
  }
  root.querySelector("fieldset").disabled = false;
  pin.addEventListener("click", keep);
  root.addEventListener("toggle", function (e) {  // the folds of all settings open as one
    [].forEach.call(sides.querySelectorAll("details"), function (d) { d.open = e.target.open; });
  }, true);
  controls.forEach(function (c) {
    c.addEventListener("input", function () {
      var all = parts().filter(function (s) { return !mine(s); }).concat(id + ":" + show());
      try {
        history.replaceState(history.state, "", "#" + all.join(";"));
      } catch (e) { /* some browsers refuse when a slider moves too fast */ }
    });
  });
  window.addEventListener("hashchange", read);
  window.addEventListener("load", read);
  show();
  read();
};
