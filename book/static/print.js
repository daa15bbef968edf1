// On paper a page is light, and nothing in it is folded; afterwards it is as it was.
(function () {
  var undo = [];
  window.addEventListener("beforeprint", function () {
    var root = document.documentElement, theme = root.dataset.theme;
    root.dataset.theme = "light";
    undo.push(function () { root.dataset.theme = theme; });
    document.querySelectorAll("details:not([open])").forEach(function (d) {
      var name = d.getAttribute("name");  // of choices that go by one name, one is open at a time
      if (name) { d.removeAttribute("name"); }
      d.open = true;
      undo.push(function () {
        d.open = false;
        if (name) { d.setAttribute("name", name); }
      });
    });
  });
  window.addEventListener("afterprint", function () {
    undo.splice(0).forEach(function (step) { step(); });
  });
})();
