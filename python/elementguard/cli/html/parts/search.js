// Search and filter over an outline.
//
// In: an outline, each item's text, the level of those that are findings. Out: a bar with a field and
// a switch a level. What matches stays, with all that leads to it; all words must be in an item's text.
// Enter goes to the next match, `/` comes here from anywhere, Escape ends it. `folds` has the two
// buttons that unfold and fold all of an outline.

class Search {
  constructor({ rows, text, level, counts, label }) {
    Object.assign(this, { rows, outline: rows.outline, text, level });
    this.words = [];
    this.levels = new Set();
    this.matches = [];
    this.at = 0;
    this.bar = attributes(make("div", "bar"), { role: "search" });
    this.field = attributes(make("input", "field"), {
      type: "search",
      placeholder: "Search  /",
      "aria-label": label,
      autocomplete: "off",
      spellcheck: "false",
    });
    this.count = attributes(make("output", "count"), { "aria-live": "polite" });
    this.bar.append(this.field, this.count);
    if (counts.some(Boolean)) this.bar.append(this.switches(counts));
    this.field.addEventListener("input", () => this.read());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    document.addEventListener("keydown", (event) => this.called(event));
  }

  switches(counts) {
    const group = attributes(make("div", "group"), { role: "group", "aria-label": "Findings" });
    LEVELS.forEach((level, place) => {
      const turn = () => {
        const isOn = this.levels.delete(level) ? false : Boolean(this.levels.add(level));
        made.setAttribute("aria-pressed", isOn);
        this.find();
      };
      const made = button(`switch ${level}`, counted(counts[place], level), turn);
      made.setAttribute("aria-pressed", "false");
      made.disabled = !counts[place];
      group.append(made);
    });
    return group;
  }

  read() {
    this.words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.find();
  }

  find() {
    const isOn = this.words.length > 0 || this.levels.size > 0;
    this.matches = isOn ? this.found() : [];
    this.at = 0;
    this.outline.keep(isOn ? this.shown : null);
    this.rows.box.scrollTop = 0;
    if (this.matches.length) this.rows.go(this.matches[0]);
    else this.rows.refresh();
    this.tell(isOn);
  }

  tell(isOn) {
    const { length } = this.matches;
    const told = length ? `${number(this.at + 1)} of ${number(length)}` : "no match";
    this.count.textContent = isOn ? told : "";
  }

  // What matches; `shown` has besides the findings of what matches.
  found() {
    const { outline, words, levels } = this;
    const hits = new Uint8Array(outline.count);
    const found = [];
    this.shown = [];
    for (let item = 0; item < outline.count; item++) {
      const level = this.level(item);
      if (levels.size && !levels.has(level) && level) continue;
      const isHit = words.every((word) => this.text(item).includes(word));
      hits[item] = isHit && words.length ? 1 : 0;
      const isFound = isHit && (level || !levels.size);
      if (isFound) found.push(item);
      if (isFound || (level && hits[outline.parents[item]])) this.shown.push(item);
    }
    return found;
  }

  next(step) {
    const { length } = this.matches;
    if (!length) return;
    this.at = (this.at + step + length) % length;
    this.rows.go(this.matches[this.at]);
    this.tell(true);
  }

  pressed(event) {
    if (event.key === "Enter") this.next(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") this.rows.box.focus();
    else if (event.key === "Escape") this.leave();
    else return;
    event.preventDefault();
  }

  leave() {
    const { active } = this.rows;
    this.field.value = "";
    this.read();
    this.rows.go(active);
    this.rows.box.focus();
  }

  called(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === this.field) return;
    if (event.key === "/") this.field.select();
    else if (event.key === "Escape" && this.field.value) this.leave();
    else return;
    event.preventDefault();
  }
}

function folds(outline, rows) {
  const act = (isFolded) => () => {
    outline.foldAll(isFolded);
    rows.refresh();
  };
  const turn = (word, isFolded) => {
    const made = button("switch", word, act(isFolded));
    made.append(make("span", "long", " all"));
    return attributes(made, { "aria-label": `${word} all` });
  };
  return attributes(
    make("div", "group", turn("Unfold", false), turn("Fold", true)),
    { role: "group", "aria-label": "Folding" },
  );
}
