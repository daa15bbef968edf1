// The search of the book: sections that hold every word asked for, with an excerpt of each.
// The index is a script, so that a page opened as a file can load it: with the first search.
(function () {
  var field = document.querySelector(".bd-search-container input[name=q]");
  var out = document.getElementById("search-results");
  var root = document.documentElement.dataset.content_root;
  var pages = null, asked = "", timer, MOST = 40;

  function plain(s) { return s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase(); }
  function tag(name, text, into) {
    var e = document.createElement(name);
    e.textContent = text;
    return into ? into.appendChild(e) : e;
  }
  // A word is found where a word begins, in the singular and the plural; "a phrase" as it stands.
  function patterns(query) {
    return (plain(query).match(/"[^"]+"|[^\s"]+/g) || []).map(function (word) {
      word = word.replace(/"/g, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      if (word.length > 4) { word = word.replace(/s$/, ""); }
      return new RegExp("(?<![\\p{L}\\p{N}])" + word, "gu");
    });
  }
  function hits(text, pattern) { return (text.match(pattern) || []).length; }
  function find(words) {
    var found = [];
    pages.forEach(function (page) {
      page[2].forEach(function (section) {
        var title = plain(page[1]), heading = plain(section[1]), text = plain(section[2]), score = 0;
        var all = words.every(function (word) {
          var n = 12 * hits(heading, word) + Math.min(hits(text, word), 5);
          score += n + 2 * (n > 0) * hits(title, word);
          return n;
        });
        if (all) { found.push({ page: page, section: section, score: score }); }
      });
    });
    return found.sort(function (a, b) { return b.score - a.score; });
  }
  // Where the most different words stand together, with all that is found there marked.
  function excerpt(text, words, into) {
    var low = plain(text), all = [], first = 0, most = 0;
    words.forEach(function (word, i) {
      Array.from(low.matchAll(word)).slice(0, 99).forEach(function (m) {
        all.push([m.index, m.index + m[0].length, i]);
      });
    });
    all.forEach(function (m) {
      var near = new Set();
      all.forEach(function (n) { if (n[0] >= m[0] && n[1] < m[0] + 160) { near.add(n[2]); } });
      if (near.size > most) { most = near.size; first = m[0]; }
    });
    var from = first < 90 ? 0 : low.lastIndexOf(" ", first - 70) + 1;
    var to = from + 230 < text.length ? text.lastIndexOf(" ", from + 230) : text.length;
    var marks = all.filter(function (m) { return m[0] >= from && m[1] <= to; }), at = from;
    marks.sort(function (a, b) { return a[0] - b[0]; });
    into.append(from ? "… " : "");
    marks.forEach(function (m) {
      if (m[0] < at) { return; }
      into.append(text.slice(at, m[0]));
      tag("mark", text.slice(m[0], m[1]), into);
      at = m[1];
    });
    into.append(text.slice(at, to) + (to < text.length ? " …" : ""));
  }
  function show() {
    var words = patterns(asked), found = words.length ? find(words) : [], n = found.length;
    out.replaceChildren();
    var said = tag("p", !words.length ? "" : n === 1 ? "1 section" : (n || "No") + " sections" +
      (n > MOST ? ", of which the best " + MOST + " are shown" : "") + ".", out);
    said.setAttribute("role", "status");
    var list = tag("ol", "", out);
    list.className = "search";
    found.slice(0, MOST).forEach(function (f) {
      var item = tag("li", "", list), same = f.section[1] === f.page[1];
      var link = tag("a", (same ? "" : f.page[1] + " › ") + f.section[1], item);
      link.href = root + f.page[0] + "#" + f.section[0];
      excerpt(f.section[2], words, tag("p", "", item));
    });
  }
  function search() {
    asked = field.value;
    if (pages) { show(); return; }
    if (!asked.trim() || window.measuresSearch) { return; }
    window.measuresSearch = function (loaded) { pages = loaded; show(); };
    tag("script", "", document.body).src = root + "_static/search-index.js";
  }
  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(search, 150); });
  search();
})();
