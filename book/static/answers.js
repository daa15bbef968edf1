// An exercise that is answered by numbers or words has its fields on the page. Their reply is that
// of `check` in a notebook: chapters/exercises/replies.py, whose sentences and names the page brings.
"use strict";
(() => {
  const note = document.querySelector(".answers-note");
  if (!note) return;
  const decoded = (text) => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))));
  const { said, names } = decoded(note.dataset.said);

  // Reading: a text is what it is next to the right answer, a number, a list or a name.
  const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
  const FORM = new RegExp(`^(${NUMBER})(?:/(${NUMBER}))?(%?)$`), THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/;
  const isNumber = (value) => typeof value === "number", blank = (one) => typeof one === "string" && !one.trim();
  function number(text, whole) {
    let plain = text.normalize("NFKC").replaceAll("\u2212", "-").replaceAll("\u2044", "/").replace(/\s/g, "").toLowerCase();
    plain = plain.replaceAll(",", whole && THOUSANDS.test(plain) ? "" : ".");
    const [found, above, below, percent] = FORM.exec(plain) ?? [];
    if (found === undefined || (below && !Number(below))) return text;
    return Number(above) / Number(below ?? 1) / (percent ? 100 : 1);
  }
  function read(given, right) {
    if (typeof given !== "string") return given;
    if (isNumber(right)) return number(given, right % 1 === 0);
    if (!Array.isArray(right)) return given;
    const parts = given.replace(/^[()[\] \t\n]+|[()[\] \t\n]+$/g, "").split(/\s*;\s*|,\s+|\s+/);
    return parts.length === right.length ? parts.map((part, i) => read(part, right[i])) : given;
  }
  function fold(name) {
    const plain = name.normalize("NFKC").toLowerCase().replace(/[\s@_.-]/g, ""), [word] = /^\D*/.exec(plain);
    return (names[word] ?? word) + plain.slice(word.length);
  }

  // Comparing, and what an entry is if it is not right.
  function same(text, right, within) {
    const given = read(text, right);
    if (Array.isArray(given) && Array.isArray(right)) return given.every((one, i) => same(one, right[i], within));
    if (isNumber(given) && isNumber(right)) return Math.abs(given - right) <= within + 1e-6;
    const texts = [given, right].every((one) => ["string", "boolean"].includes(typeof one));
    return texts && fold(String(given)) === fold(String(right));
  }
  function kindOf(text, right, within) {
    if (blank(text)) return "missing";
    if (same(text, right, within)) return "right";
    const given = read(text, right);
    if (Array.isArray(given) && Array.isArray(right)) {
      const kinds = new Set(given.map((one, i) => kindOf(one, right[i], within)));
      kinds.delete("right");
      return kinds.size === 1 ? [...kinds][0] : "wrong";
    }
    if (!(isNumber(given) && isNumber(right))) return "wrong";
    if (Number.isNaN(given)) return "nan";
    const share = right % 1 && Math.abs(right) <= 1, rounded = Math.abs(given) > 1 ? 0.5 : 0;
    if (share && Math.abs(given - 100 * right) <= Math.max(100 * within, rounded)) return "percent";
    return same(given, -right, within) ? "sign" : tooFew(given, right, Math.round(-Math.log10(2 * within)));
  }
  function tooFew(given, right, digits) {
    for (let fewer = 1; given && right % 1 && fewer < digits; fewer += 1) {
      const unit = 10 ** fewer, cut = Math.trunc(right * unit) / unit;
      const near = Math.abs(given - right) <= 0.5 / unit + 1e-9 || Math.abs(given - cut) < 1e-9;
      if (near && Math.abs(given * unit - Math.round(given * unit)) < 1e-6) return String(digits);
    }
    return "wrong";
  }

  // The reply: whether an answer is right, null of none, and what to say to it.
  function reply(texts, { entries, wrong, within }) {
    const right = entries.map(([, value]) => value), every = [...right.keys()];
    const is = (i, value) => same(texts[i], value, within);
    if (texts.every(blank)) return [null, said.blank];
    const kinds = texts.map((text, i) => kindOf(text, right[i], within));
    if (kinds.every((kind) => kind === "right")) return [true, said.right];
    const sentences = [], explained = new Set();
    for (const [answer, sentence] of wrong) {
      const asks = every.filter((i) => answer[i] !== null && !same(answer[i], right[i], within));
      const known = asks.filter((i) => is(i, answer[i]));
      const others = asks.filter((i) => !known.includes(i));
      const fine = others.every((i) => blank(texts[i]) || is(i, right[i]));
      if (known.some((i) => !explained.has(i)) && fine && known.length >= others.length) {
        sentences.push(sentence);
        known.forEach((i) => explained.add(i));
      }
    }
    explained.forEach((i) => { kinds[i] = "wrong"; });
    const open = (i) => kinds[i] === "wrong" && !explained.has(i);
    for (const one of every) {
      for (const other of every.slice(one + 1)) {
        const crossed = open(one) && open(other) && is(one, right[other]) && is(other, right[one]);
        if (crossed) kinds[one] = kinds[other] = "exchanged";
      }
    }
    const single = entries[0][0] === "";
    for (const [kind, words] of single && kinds[0] === "wrong" ? [] : said.kinds) {
      const those = every.filter((i) => kinds[i] === kind).map((i) => entries[i][0]);
      if (those.length) sentences.push(single ? `${words}.` : `${words}: ${those.join(", ")}.`);
    }
    return [false, sentences.join(" ") || said.else];
  }

  const KEY = "measures-answers";
  const keeps = tried(() => {
    localStorage.setItem("measures", "");  // KEY may not be read yet
    return true;
  });
  const kept = () => tried(() => JSON.parse(localStorage.getItem(KEY))) ?? {};
  function keep(label, texts) {
    if (keeps) localStorage.setItem(KEY, JSON.stringify({ ...kept(), [label]: texts }));
  }

  function field([name, right, choices]) {
    if (!choices) {
      const numbers = [right].flat().every((one) => typeof one === "number");
      const several = Array.isArray(right) ? ` (${right.length} ${numbers ? "numbers" : "values"})` : "";
      const input = make("input", { autocomplete: "off", autocapitalize: "off", spellcheck: false, size: several ? 20 : 10 });
      return [make("label", {}, `${name || "Answer"}${several} `, input), input];
    }
    const select = make("select", {}, ...["", ...choices].map((one) => make("option", {}, one)));
    return [make("label", {}, `${name || "Answer"} `, select), select];
  }

  // Where a place has several items, its script shows one after the other.
  const all = [];
  function build(place) {
    const items = [decoded(place.dataset.answer)].flat(), one = {};
    const part = (name) => place.parentElement.querySelector(name);
    const title = place.dataset.title ?? place.closest(".exercise")?.querySelector(".caption-number")?.textContent.trim();

    function show(at) {
      const asked = items[at], label = at ? `${place.dataset.label}/${at}` : place.dataset.label;
      const fields = asked.entries.map(field), inputs = fields.map(([, input]) => input);
      const status = make("p", { role: "status" });
      const onclick = () => {
        show((at + 1) % items.length);
        one.fill();
        count();
        part(".question").focus();
      };
      const others = items.length > 1 ? [make("button", { type: "button", onclick }, "Another one")] : [];
      const form = make("form", { noValidate: true, autocomplete: "off", ariaLabel: `Answer${title ? ` to ${title}` : ""}` },
        ...fields.map(([element]) => element), make("button", {}, "Check"), ...others, status);
      const say = () => {
        const [right, sentence] = reply(inputs.map((input) => input.value), asked);
        form.dataset.right = right;
        status.textContent = `${said.signs[right]} ${sentence}`;
      };
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        status.textContent = "";  // so that the same reply is read out again
        setTimeout(() => { say(); count(); });
        keep(label, inputs.map((input) => input.value));
      });
      form.addEventListener("input", () => { status.textContent = ""; });
      one.form = form;
      one.fill = () => {
        const texts = kept()[label];
        inputs.forEach((input, i) => { input.value = texts?.[i] ?? ""; });
        form.dataset.right = status.textContent = "";
        if (texts) say();
      };
      place.replaceChildren(form);
      if (asked.question) {
        part(".question").innerHTML = asked.question;
        part(".worked > div").innerHTML = asked.solution;
        part(".worked").open = false;
      }
    }
    show(0);
    all.push(one);
  }

  const [where, progress] = note.querySelectorAll("span"), clear = note.querySelector("button");
  function count() {
    const right = all.filter(({ form }) => form.dataset.right === "true").length;
    progress.textContent = `${right} of ${all.length} on this page are right.`;
  }
  function refill() {
    all.forEach(({ fill }) => fill());
    count();
  }
  clear.onclick = () => {
    localStorage.removeItem(KEY);
    refill();
  };
  if (!keeps) {
    where.textContent = "This browser keeps nothing: your answers go with the page.";
    clear.remove();
  }

  document.querySelectorAll(".answer[data-answer]").forEach(build);
  refill();
})();
