// The page of `show`: the tree of one answer.
//
// In: columns, a value an element in document order; findings, each with the number of its element.
// Out: rows, each finding below its element; beside them all that is known of the active one.

const SELECTED = 1, FOCUSED = 2, HOVERED = 4, HIDDEN = 8;
const NOBODY = -1; // the element of the answer's own findings

class Tree {
  constructor() {
    this.elements = []; // of an item: its element; of a finding's: NOBODY
    this.findings = []; // of an item: its finding, or undefined
    this.items = []; // of an element: its item
    this.texts = [];
    this.outline = new Outline(this.parents());
    this.inside = this.sums();
  }

  parents() {
    const parents = [];
    let next = 0;
    const add = (parent, element, finding) => {
      this.elements.push(element);
      this.findings.push(finding);
      return parents.push(parent) - 1;
    };
    const findings = (element, item) => {
      for (; next < DATA.findings.length && DATA.findings[next][0] === element; next++) {
        add(item, NOBODY, DATA.findings[next]);
      }
    };
    findings(NOBODY, -1);
    DATA.parents.forEach((parent, element) => {
      this.items[element] = add(parent < 0 ? -1 : this.items[parent], element, undefined);
      findings(element, this.items[element]);
    });
    return Int32Array.from(parents);
  }

  // Of each level how many findings stand before an item.
  sums() {
    return LEVELS.map((level) => {
      const sums = new Int32Array(this.outline.count + 1);
      this.findings.forEach((finding, item) => {
        sums[item + 1] = sums[item] + (finding && finding[1] === level ? 1 : 0);
      });
      return sums;
    });
  }

  counts(item) {
    return this.inside.map((sums) => sums[this.outline.ends[item]] - sums[item]);
  }

  level(item) {
    return this.findings[item] ? this.findings[item][1] : "";
  }

  role(element) {
    return DATA.roles[DATA.role[element]];
  }

  // The text that a search looks at.
  text(item) {
    return (this.texts[item] ??= this.words(item).toLowerCase());
  }

  words(item) {
    const finding = this.findings[item];
    if (finding) return `${finding[2]} ${finding[3]}`;
    const element = this.elements[item];
    const { sent, subrole, url } = DATA.more[element] ?? {};
    const id = DATA.ids[element];
    const parts = [this.role(element), id, id && `#${id}`, DATA.titles[element], sent, subrole, this.held(element), url];
    return parts.filter(Boolean).join(" ");
  }

  marks(element) {
    const flags = DATA.flags[element];
    const marks = [];
    if (element === DATA.position) marks.push(["position", "pos"]);
    else if (flags & FOCUSED) marks.push(["focused", "focus"]);
    if (flags & SELECTED) marks.push(["selected", "sel"]);
    if (flags & HOVERED) marks.push(["pointer", "ptr"]);
    if (flags & HIDDEN) marks.push(["not on screen", "off"]);
    return marks;
  }

  // How many findings stand below an element's row: they come first.
  own(item) {
    let next = item + 1;
    while (this.findings[next] && this.outline.parents[next] === item) next++;
    return next - item - 1;
  }

  // The first text that an element holds.
  held(element) {
    const block = (DATA.more[element]?.content ?? []).find(([, , text]) => text);
    return block && block[2].replace(/\s+/g, " ");
  }

  // The JSON Pointer of an element, unless items of no element lie between its siblings.
  pointer(element) {
    if (!DATA.hasPointers) return null;
    const steps = [];
    for (let at = element; DATA.parents[at] >= 0; at = DATA.parents[at]) {
      const item = this.items[at];
      steps.push(`/children/${this.outline.places[item] - 1 - this.own(this.outline.parents[item])}`);
    }
    return DATA.top + steps.reverse().join("");
  }
}

class TreeRows {
  constructor(tree) {
    this.tree = tree;
    this.search = { words: [] };
  }

  draw(item, made) {
    const { tree } = this;
    const finding = tree.findings[item];
    return finding ? this.finding(finding, made) : this.element(item, made);
  }

  finding([, level, code, message], made) {
    made.classList.add("finding");
    const { words } = this.search;
    return [pill(level), marked("code", code, words), marked("words", message, words)];
  }

  element(item, made) {
    const { tree } = this;
    const { words } = this.search;
    const element = tree.elements[item];
    const { sent, subrole } = DATA.more[element] ?? {};
    const text = tree.held(element);
    const label = make("span", "label", marked("role", tree.role(element), words));
    const id = DATA.ids[element];
    if (id !== null) label.append(marked("id", `#${id}`, words));
    if (DATA.titles[element] !== null) label.append(marked("title", DATA.titles[element], words));
    if (sent) label.append(make("span", "sent", "sent as ", marked("own", sent, words)));
    if (subrole) label.append(marked("own", subrole, words));
    if (text) label.append(marked("text", text, words));
    if (DATA.flags[element] & HIDDEN) made.classList.add("hidden");
    if (element === DATA.position) made.classList.add("position");
    return [label, ...this.marks(element), ...this.folded(item)];
  }

  marks(element) {
    return this.tree.marks(element).map(([long, short]) =>
      make("span", `chip ${short}`, make("span", "long", long), make("span", "short", short)),
    );
  }

  // What a fold hides.
  folded(item) {
    if (!this.tree.outline.folded[item]) return [];
    const counts = this.tree.counts(item);
    const made = LEVELS.map((level, place) => [level, counts[place]]).filter(([, count]) => count);
    return made.map(([level, count]) => make("span", `pill ${level}`, number(count)));
  }

  speak(item) {
    const { tree } = this;
    const finding = tree.findings[item];
    if (finding) return `${finding[1]} ${finding[2]}: ${finding[3]}`;
    const element = tree.elements[item];
    const id = DATA.ids[element];
    const title = DATA.titles[element];
    const words = [tree.role(element) + (id === null ? "" : ` #${id}`), ...tree.marks(element).map(([long]) => long)];
    if (title !== null) words.splice(1, 0, `"${title}"`);
    return words.join(", ");
  }
}

class TreeDetails {
  constructor(tree, go) {
    this.tree = tree;
    this.go = go;
    this.panel = new Details();
  }

  show(item) {
    if (item < 0) return this.panel.show();
    const finding = this.tree.findings[item];
    if (finding) this.panel.show(...this.way(this.tree.outline.parents[item]), ...this.finding(finding));
    else this.panel.show(...this.way(item), ...this.element(item));
  }

  // The elements around, each to go to.
  way(item) {
    const { tree } = this;
    const steps = [];
    for (; item >= 0; item = tree.outline.parents[item]) {
      const target = item;
      const element = tree.elements[item];
      const id = DATA.ids[element];
      const name = tree.role(element) + (id === null ? "" : `#${id}`);
      steps.unshift(make("li", "", button("step", theirs("", name), () => this.go(target))));
    }
    if (steps.length < 2) return [];
    if (steps.length > 7) steps.splice(2, steps.length - 7, make("li", "", `${steps.length - 7} more`));
    return [attributes(make("ol", "way", ...steps), { "aria-label": "Way from the root" })];
  }

  finding([, level, code, message, pointer, place]) {
    const places = [["at", theirs("", pointer)], ["place", place]];
    return [...findingPieces(level, code, message, places), rulePieces(code)];
  }

  element(item) {
    const { tree } = this;
    const element = tree.elements[item];
    const more = DATA.more[element] ?? {};
    const title = DATA.titles[element];
    const pieces = [make("h2", "", theirs("", title || tree.role(element)))];
    pieces.push(facts([...this.words(element, more), ...this.sizes(item, element)]));
    for (const [type, about, text] of more.content ?? []) {
      pieces.push(make("h3", "", theirs("", `${type} block`)), make("p", "about", theirs("", about)));
      if (text) pieces.push(make("pre", "", theirs("", text)));
    }
    if (more.blocks) pieces.push(make("p", "about", `${counted(more.blocks, "more block")}`));
    if (more.attributes) pieces.push(make("h3", "", "attributes"), make("pre", "", theirs("", more.attributes)));
    return [...pieces, ...this.findings(item)];
  }

  words(element, more) {
    const { tree } = this;
    const id = DATA.ids[element];
    return [
      ["role", tree.role(element)],
      ["sent as", more.sent && theirs("", more.sent)],
      ["subrole", more.subrole && theirs("", more.subrole)],
      ["id", id !== null && make("code", "", theirs("", id))],
      ["url", more.url && theirs("", more.url)],
      ["states", tree.marks(element).map(([long]) => long).join(", ")],
      ["pointer", tree.pointer(element)],
    ].map(([name, value]) => [name, value || null]);
  }

  sizes(item, element) {
    const [size, text, blob] = ["bytes", "text", "blobs"].map((name) => DATA[name][element]);
    return [
      ["bytes", number(size)],
      ["text bytes", text ? number(text) : null],
      ["blob bytes", blob ? number(blob) : null],
      ["elements", number(DATA.elements[element])],
    ];
  }

  findings(item) {
    const { tree } = this;
    const found = [];
    for (let inner = item + 1; inner <= item + tree.own(item); inner++) {
      const [, level, code, message] = tree.findings[inner];
      const target = inner;
      const open = button("open", "", () => this.go(target));
      open.append(pill(level), " ", make("code", "", code), " ", theirs("", message));
      found.push(open);
    }
    return found.length ? [make("h3", "", counted(found.length, "finding")), ...found] : [];
  }
}

// The places that one wants to go to; of more than one of a kind each press goes to the next.
function places(tree, go) {
  const group = attributes(make("div", "group"), { role: "group", "aria-label": "Go to" });
  const where = { selected: SELECTED, pointer: HOVERED };
  const targets = Object.entries(where).map(([name, bit]) => [
    name,
    tree.items.filter((_, element) => DATA.flags[element] & bit),
  ]);
  if (DATA.position !== null) targets.unshift(["position", [tree.items[DATA.position]]]);
  for (const [name, items] of targets) {
    let at = -1;
    const label = items.length > 1 ? `${name} ${number(items.length)}` : name;
    const act = () => go(items[(at = (at + 1) % items.length)]);
    if (items.length) group.append(button("switch", label, act));
  }
  return group;
}

function treePage() {
  const tree = new Tree();
  const drawn = new TreeRows(tree);
  const details = new TreeDetails(tree, (item) => rows.go(item));
  const rows = new Rows({
    label: "Elements",
    outline: tree.outline,
    draw: (item, made) => drawn.draw(item, made),
    speak: (item) => drawn.speak(item),
    changed: (item) => details.show(item),
  });
  const search = new Search({
    rows,
    label: "Search elements and findings",
    text: (item) => tree.text(item),
    level: (item) => tree.level(item),
    counts: LEVELS.map((_, place) => tree.inside[place][tree.outline.count]),
  });
  drawn.search = search;
  search.bar.append(places(tree, (item) => rows.go(item)), folds(tree.outline, rows));
  document.body.append(head(), search.bar, make("main", "split", rows.box, details.panel.box));
  rows.refresh();
  rows.box.focus({ preventScroll: true });
}

treePage();
