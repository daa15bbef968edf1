// An exercise that is answered by numbers or words has its fields on the page. Their reply is that
// of `check` in a notebook: chapters/exercises/answers.py, whose sentences and names the page brings.
"use strict";
(() => {
  const note = document.querySelector(".answers-note");
  if (!note) return;
  const decoded = (text) => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))));
  const { said, names, reading } = decoded(note.dataset.said);

  // Reading: a text is what it is next to the right answer, a number, a list or a name.
  const pattern = (text, flags = "u") => new RegExp(text, flags);
  const rules = (pairs) => pairs.map(([before, by]) => [pattern(before, "gu"), by]);
  const [RAISED, REWRITTEN, LISTED] = [reading.raised, reading.rewritten, reading.listed].map(rules);
  const SEPARATORS = reading.separators.map((one) => pattern(one));
  const TOKEN = pattern(reading.formula.token, "gu"), GROUPED = pattern(reading.formula.grouped);
  const isNumber = (value) => typeof value === "number", blank = (one) => typeof one === "string" && !one.trim();
  const rewritten = (text, pairs) => pairs.reduce((so, [before, by]) => so.replace(before, by), text);
  function number(text, right) {
    let plain = rewritten(text, RAISED).normalize("NFKC").toLowerCase();
    if (right > 1 && right % 1 === 0) plain = plain.replace(/\s+(?:out )?of\b.*/s, "");
    plain = rewritten(plain, REWRITTEN);
    if (reading.words.includes(plain)) return reading.words.indexOf(plain);
    const [, mark, decimals] = GROUPED.exec(plain) ?? [];
    if (mark && (decimals || (right >= 1000 && right % 1 === 0))) plain = plain.replaceAll(mark, "");
    return formula(plain.replaceAll(",", ".")) ?? text;
  }
  function formula(text) {
    const tokens = text.match(TOKEN) ?? [], rest = tokens.toReversed(), next = () => rest.at(-1) ?? " ";
    const does = { "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b };
    function single() {
      const token = rest.pop() ?? "";
      if (token === "√") return Math.sqrt(single());
      if (token === "-" || token === "+") return Number(`${token}1`) * single();
      let value = token === "(" ? chain("+-") : Number(token || NaN);
      if (token === "(" && rest.pop() !== ")") return NaN;
      for (; next() === "%"; rest.pop()) value /= 100;
      return next() === "^" && rest.pop() ? Math.pow(value, single()) : value;
    }
    function chain(signs) {
      const part = signs === "*/" ? single : () => chain("*/");
      let value = part();
      while (signs.includes(next())) value = does[rest.pop()](value, part());
      return value;
    }
    const value = tried(() => chain("+-"));
    return rest.length === 0 && tokens.join("") === text && Number.isFinite(value) ? value : undefined;
  }
  function read(given, right) {
    if (typeof given !== "string") return isNumber(given) && typeof right === "string" ? String(given) : given;
    if (isNumber(right)) return number(given, right);
    if (!Array.isArray(right)) return given;
    const plain = rewritten(given, LISTED);
    for (const separator of SEPARATORS) {
      const parts = plain.split(separator);
      if (parts.length === right.length) {
        const values = parts.map((part, i) => read(part, right[i]));
        if (values.every((value, i) => isNumber(value) || !isNumber(right[i]))) return values;
      }
    }
    return given;
  }
  function fold(name) {
    const plain = name.normalize("NFKC").toLowerCase().replace(/[\s@_.!\-'"`()[\]]/g, ""), [word] = /^\D*/.exec(plain);
    return (names[word] ?? word) + plain.slice(word.length);
  }

  // Comparing, and what an entry is if it is not right.
  const digitsOf = (within) => Math.round(-Math.log10(2 * within));
  const cut = (number, digits) => Math.trunc(Math.round(number * 10 ** digits * 1e6) / 1e6) / 10 ** digits;
  function same(text, right, within) {
    const given = read(text, right);
    if (Array.isArray(given) && Array.isArray(right)) return given.every((one, i) => same(one, right[i], within));
    if (isNumber(given) && isNumber(right)) {
      const off = Math.abs(given - cut(right, digitsOf(within)));
      return Math.abs(given - right) <= within + 1e-6 || (right % 1 !== 0 && off < 1e-9);
    }
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
    if (typeof given === "string" && Array.isArray(right)) return "unlisted";
    if (typeof given === "string" && isNumber(right)) return "unread";
    if (!(isNumber(given) && isNumber(right))) return "wrong";
    const share = right % 1 && Math.abs(right) <= 1, rounded = Math.abs(given) > 1 ? 0.5 : 0;
    if (share && Math.abs(given - 100 * right) <= Math.max(100 * within, rounded)) return "percent";
    return same(given, -right, within) ? "sign" : fewer(given, right, digitsOf(within));
  }
  function fewer(given, right, asked) {
    for (let digits = 1; given && right % 1 && digits < asked; digits += 1) {
      const unit = 10 ** -digits;
      const near = Math.abs(given - right) <= unit / 2 + 1e-9 || Math.abs(given - cut(right, digits)) < 1e-9;
      if (near && Math.abs(given / unit - Math.round(given / unit)) < 1e-6) return String(asked);
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
    const open = (i) => kinds[i] !== "right" && !explained.has(i);
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
  let here = {};  // what a browser that keeps nothing knows of this page
  const kept = () => (keeps ? tried(() => JSON.parse(localStorage.getItem(KEY))) : here) ?? {};
  function keep(label, texts) {
    here = { ...kept(), [label]: texts };
    if (keeps) localStorage.setItem(KEY, JSON.stringify(here));
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

    const labelOf = (at) => (at ? `${place.dataset.label}/${at}` : place.dataset.label);
    one.size = items.length;
    one.right = () => items.filter((asked, at) => {
      const texts = kept()[labelOf(at)];
      return texts?.length === asked.entries.length && reply(texts, asked)[0];
    }).length;

    function show(at) {
      const asked = items[at], label = labelOf(at);
      const fields = asked.entries.map(field), inputs = fields.map(([, input]) => input);
      const status = make("p", { role: "status" });
      const onclick = () => {
        const next = (at + 1) % items.length;
        show(next);
        one.fill();
        count();
        history.replaceState(null, "", `#${place.dataset.label}:${next + 1}`);
        part(".question").focus();
      };
      const others = items.length > 1 ? [make("button", { type: "button", onclick }, "Another one"), make("span", {}, `${at + 1} of ${items.length}`)] : [];
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
        keep(label, inputs.map((input) => input.value));
        setTimeout(() => { say(); count(); });
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
    // An item has an address: the place's label, a colon and its number.
    const [label, number] = location.hash.slice(1).split(":");
    const asked = label === place.dataset.label ? Number(number) - 1 : -1;
    show(asked in items ? asked : 0);
    if (asked in items) place.parentElement.scrollIntoView();
    all.push(one);
  }

  const [where, progress] = note.querySelectorAll("span"), clear = note.querySelector("button");
  function count() {
    const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
    const right = sum(all.map((one) => one.right())), size = sum(all.map((one) => one.size));
    progress.textContent = `${right} of ${size} on this page are right.`;
  }
  function refill() {
    all.forEach(({ fill }) => fill());
    count();
  }
  clear.onclick = () => {
    localStorage.removeItem(KEY);
    here = {};
    refill();
  };
  if (!keeps) {
    where.textContent = "This browser keeps nothing: your answers go with the page.";
    clear.remove();
  }

  document.querySelectorAll(".answer[data-answer]").forEach(build);
  refill();
})();
