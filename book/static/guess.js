// A guess: each choice uncovers the figure below and has its answer. It is kept for the session,
// and not in the address, which others may be sent; who comes to a place of the page sees all.
"use strict";
(() => {
  const guess = document.querySelector(".guess");
  if (!guess) return;
  const figure = guess.closest("section").querySelector("figure.measures");
  const buttons = guess.querySelectorAll("button"), replies = guess.querySelectorAll(".reply");
  const KEY = `measures-guess:${location.pathname}`;
  const choose = (at) => {
    buttons.forEach((one, i) => { one.ariaPressed = String(i === at); });
    replies.forEach((one, i) => one.classList.toggle("said", i === at));
    figure.classList.remove("covered");
  };
  buttons.forEach((button, at) => {
    button.onclick = () => {
      choose(at);
      tried(() => sessionStorage.setItem(KEY, at));
    };
  });
  const kept = tried(() => sessionStorage.getItem(KEY));
  if (kept !== null) choose(Number(kept));
  else if (!location.hash) figure.classList.add("covered");
})();
