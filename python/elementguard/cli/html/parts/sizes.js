// The page of `sizes`: what weighs most in an answer.
//
// In: columns, a value an element in document order. Out: an icicle to go into, beside it the way to
// where one is and a table of what that holds, the heaviest first.

const MEASURES = {
  bytes: "bytes",
  content: "content bytes",
  text: "text bytes",
  blobs: "blob bytes",
  elements: "elements",
};
const LISTED = 200; // rows that the table has more at a time
// Roles that one sees as one kind of thing have one tint.
const KINDS = {
  frame: ["Application", "Window", "Group"],
  list: ["List", "Table"],
  row: ["Row", "Cell"],
  words: ["Text", "Heading", "Link"],
  picture: ["Image"],
  paper: ["Page", "Document"],
};

class Sizes {
  constructor() {
    this.outline = new Outline(Int32Array.from(DATA.parents));
    this.measure = DATA.by;
    this.panel = new Details();
    this.status = attributes(make("p", "status"), { "aria-hidden": "true" });
    this.icicle = new Icicle({
      outline: this.outline,
      weigh: (item) => DATA[this.measure][item],
      name: (item) => theirs("", this.name(item)),
      speak: (item) => this.speak(item),
      kind: (item) => Object.keys(KINDS).find((kind) => KINDS[kind].includes(this.role(item))),
      zoomed: (item) => this.tell(item),
      pointed: (text) => (this.status.textContent = text),
    });
    this.bar = make("div", "bar", this.switches());
  }

  role(item) {
    return DATA.roles[DATA.role[item]];
  }

  name(item) {
    const id = DATA.ids[item];
    const words = [this.role(item), id === null ? "" : `#${id}`, DATA.titles[item]];
    return words.filter(Boolean).join(" ");
  }

  share(item, of) {
    const whole = DATA[this.measure][of];
    const part = whole ? (100 * DATA[this.measure][item]) / whole : 0;
    return `${part.toFixed(part < 10 ? 1 : 0)} %`;
  }

  speak(item) {
    const { top } = this.icicle;
    const amount = `${number(DATA[this.measure][item])} ${MEASURES[this.measure]}`;
    return `${this.name(item)}, ${amount}${item === top ? "" : `, ${this.share(item, top)}`}`;
  }

  switches() {
    const group = attributes(make("div", "group"), { role: "group", "aria-label": "What counts" });
    for (const measure of Object.keys(MEASURES)) {
      const made = button("switch", measure, () => this.choose(measure, group));
      made.setAttribute("aria-pressed", measure === this.measure);
      group.append(made);
    }
    return group;
  }

  choose(measure, group) {
    this.measure = measure;
    for (const made of group.children) {
      made.setAttribute("aria-pressed", made.textContent === measure);
    }
    this.icicle.draw(false);
    this.tell(this.icicle.top);
  }

  tell(item) {
    this.status.textContent = this.speak(item);
    const title = make("h2", "", theirs("", DATA.titles[item] || this.role(item)));
    this.panel.show(this.way(item), title, this.facts(item), this.table(item));
  }

  way(item) {
    const steps = [];
    for (let at = item; at >= 0; at = this.outline.parents[at]) {
      steps.unshift(make("li", "", this.step(at, at === item)));
    }
    if (steps.length > 7) steps.splice(2, steps.length - 7, make("li", "", `${steps.length - 7} more`));
    return attributes(make("ol", "way", ...steps), { "aria-label": "Way from the root" });
  }

  step(item, isHere) {
    const id = DATA.ids[item];
    const name = theirs("", this.role(item) + (id === null ? "" : `#${id}`));
    if (isHere) return attributes(make("b", "", name), { "aria-current": "location" });
    return button("step", name, () => this.icicle.zoom(item, false));
  }

  facts(item) {
    const told = Object.entries(MEASURES);
    return facts(told.map(([measure, words]) => [words, number(DATA[measure][item])]));
  }

  table(item) {
    const items = this.icicle.children(item);
    if (!items.length) return make("p", "about", "It holds no elements.");
    const words = ["element", MEASURES[this.measure], "share"];
    const head = words.map((word) => attributes(make("th", "", word), { scope: "col" }));
    const body = make("tbody", "", ...this.own(item, items));
    const caption = make("caption", "", "What it holds, the heaviest first");
    const table = make("table", "", caption, make("thead", "", make("tr", "", ...head)), body);
    return make("div", "", table, this.further(item, items, body));
  }

  // The rows come a few at a time.
  further(item, items, body) {
    let next = 0;
    const add = () => {
      const lines = items.slice(next, next + LISTED).map((inner) => this.line(inner, item));
      body.append(...lines);
      next += lines.length;
      more.textContent = `${number(items.length - next)} more`;
      if (next === items.length) more.remove();
    };
    const more = button("switch", "", add);
    add();
    return next < items.length ? more : "";
  }

  // What is the element's own, and not of what it holds.
  own(item, items) {
    const weights = DATA[this.measure];
    const own = weights[item] - items.reduce((sum, inner) => sum + weights[inner], 0);
    const cells = ["itself", number(own), ""].map((text) => make("td", "", text));
    return own ? [make("tr", "", ...cells)] : [];
  }

  line(inner, item) {
    const open = button("step", theirs("", this.name(inner)), () => this.icicle.zoom(inner, false));
    const weight = DATA[this.measure][inner];
    const share = make("td", "share", this.share(inner, item));
    share.style.setProperty("--part", weight / (DATA[this.measure][item] || 1));
    return make("tr", "", make("td", "", open), make("td", "", number(weight)), share);
  }

  show() {
    const picture = make("div", "picture-and-status", this.icicle.box, this.status);
    document.body.append(head(), this.bar, make("main", "split", picture, this.panel.box));
    this.icicle.zoom(0, true);
  }
}

new Sizes().show();
