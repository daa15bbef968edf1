// On paper a page is light; afterwards it is as it was.  What is folded, print.css opens.
"use strict";
{
  const page = document.documentElement;
  let theme;
  addEventListener("beforeprint", () => {
    theme = page.dataset.theme;
    page.dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    page.dataset.theme = theme;
  });
}
