// An outline as rows that one can see: only those in sight are in the document, however many there are.
//
// In: an outline, how a row is drawn, how it is called. Out: a box with the role `tree`. The rows have
// one height. The keyboard is the ARIA guide's: the box has the focus, a row is its active descendant,
// and that row is in the document wherever one has scrolled to.

const TALLEST = 8e6; // pixels of a box's inside that every browser still lays out
const SPARE = 6; // rows above and below those in sight
const DEEPEST = 24; // levels that are indented
const PATIENCE = 700; // milliseconds between two letters of one word

class Rows {
  constructor({ label, outline, draw, speak, changed }) {
    Object.assign(this, { outline, draw, speak, changed });
    this.sheet = attributes(make("div", "sheet"), { role: "presentation" });
    this.box = attributes(make("div", "rows", this.sheet), { role: "tree", "aria-label": label });
    this.box.tabIndex = 0;
    this.made = new Map();
    this.active = outline.count ? outline.rows[0] : -1;
    this.typed = "";
    this.typedAt = 0;
    this.box.addEventListener("scroll", () => this.later());
    this.box.addEventListener("click", (event) => this.clicked(event));
    this.box.addEventListener("keydown", (event) => this.pressed(event));
    new ResizeObserver(() => this.render()).observe(this.box);
  }

  // The outline has other rows now.
  refresh() {
    for (const made of this.made.values()) made.remove();
    this.made.clear();
    const row = this.outline.rowOf(this.active);
    this.active = row < 0 ? -1 : this.outline.rows[row];
    this.render();
    this.tell();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.render();
    });
  }

  // Pixels: a row's, the box's, all rows', and how many of all a pixel of the scroll bar stands for.
  sizes() {
    const each = parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 26;
    const seen = this.box.clientHeight;
    const whole = this.outline.rows.length * each;
    const inside = Math.min(whole, TALLEST);
    return { each, seen, inside, ratio: inside > seen ? (whole - seen) / (inside - seen) : 1 };
  }

  render() {
    const { each, seen, inside, ratio } = this.sizes();
    const { rows } = this.outline;
    this.sheet.style.height = `${inside}px`;
    const scrolled = this.box.scrollTop;
    const above = scrolled * ratio;
    const first = Math.max(0, Math.floor(above / each) - SPARE);
    const last = Math.min(rows.length, Math.ceil((above + seen) / each) + SPARE);
    const wanted = new Map();
    for (let row = first; row < last; row++) wanted.set(rows[row], row);
    if (this.active >= 0) wanted.set(this.active, this.outline.search(this.active));
    for (const [item, made] of this.made) {
      if (wanted.has(item)) continue;
      made.remove();
      this.made.delete(item);
    }
    for (const [item, row] of wanted) {
      this.row(item).style.top = `${scrolled + row * each - above}px`;
    }
    this.mark();
  }

  row(item) {
    let made = this.made.get(item);
    if (made === undefined) {
      made = this.drawn(item);
      this.made.set(item, made);
      this.sheet.append(made);
    }
    return made;
  }

  drawn(item) {
    const { outline } = this;
    const parent = outline.parents[item];
    const made = attributes(make("div", "row"), {
      id: `row-${item}`,
      role: "treeitem",
      "aria-level": outline.depths[item] + 1,
      "aria-posinset": outline.places[item],
      "aria-setsize": outline.held[parent < 0 ? outline.count : parent],
      "aria-label": this.speak(item),
    });
    const twist = make("span", "twist");
    if (outline.hasInside(item)) {
      made.setAttribute("aria-expanded", outline.folded[item] ? "false" : "true");
    }
    const depth = outline.depths[item];
    const guides = make("span", "guides", depth > DEEPEST ? `${depth}` : "");
    guides.style.setProperty("--levels", Math.min(depth, DEEPEST));
    made.append(guides, twist, ...this.draw(item, made));
    made.dataset.item = item;
    return made;
  }

  mark() {
    for (const [item, made] of this.made) {
      made.setAttribute("aria-selected", item === this.active ? "true" : "false");
    }
    if (this.active < 0) this.box.removeAttribute("aria-activedescendant");
    else this.box.setAttribute("aria-activedescendant", `row-${this.active}`);
  }

  // Goes to an item, opening what hides it.
  go(item) {
    if (item < 0 || !this.outline.reveal(item)) return;
    this.active = item;
    this.show(this.outline.search(item), true);
    this.refresh();
  }

  to(row) {
    const { rows } = this.outline;
    if (!rows.length) return;
    const bounded = Math.max(0, Math.min(rows.length - 1, row));
    this.active = rows[bounded];
    this.show(bounded, false);
    this.render();
    this.tell();
  }

  // Scrolls as little as it takes, or to the middle.
  show(row, isFar) {
    const { each, seen, inside, ratio } = this.sizes();
    this.sheet.style.height = `${inside}px`;
    const above = this.box.scrollTop * ratio;
    const top = row * each;
    if (top >= above && top + each <= above + seen) return;
    let wanted = top < above ? top : top + each - seen;
    if (isFar) wanted = top - (seen - each) / 2;
    this.box.scrollTop = Math.max(0, wanted) / ratio;
  }

  tell() {
    this.changed(this.active);
  }

  clicked(event) {
    const made = event.target.closest(".row");
    if (!made) return;
    const item = Number(made.dataset.item);
    if (event.target.closest(".twist")) this.turn(item);
    this.to(this.outline.search(item));
  }

  turn(item) {
    this.outline.fold([item], !this.outline.folded[item]);
    this.refresh();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.active < 0) return;
    const row = this.outline.search(this.active);
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.sizes().each) - 1);
    const keys = {
      ArrowDown: () => this.to(row + 1),
      ArrowUp: () => this.to(row - 1),
      PageDown: () => this.to(row + page),
      PageUp: () => this.to(row - page),
      Home: () => this.to(0),
      End: () => this.to(this.outline.rows.length - 1),
      ArrowRight: () => this.inward(row),
      ArrowLeft: () => this.outward(row),
      Enter: () => this.turn(this.active),
      " ": () => this.turn(this.active),
      "*": () => this.open(this.outline.siblings(this.active)),
    };
    const isInWord = this.typed && event.timeStamp - this.typedAt < PATIENCE;
    if (keys[event.key] && !(event.key === " " && isInWord)) keys[event.key]();
    else if (event.key.length !== 1 || event.key === "/") return;
    else this.type(event.key, event.timeStamp, row);
    event.preventDefault();
  }

  inward(row) {
    if (!this.outline.hasInside(this.active)) return;
    if (this.outline.folded[this.active]) this.turn(this.active);
    else this.to(row + 1);
  }

  outward(row) {
    const { outline, active } = this;
    if (outline.hasInside(active) && !outline.folded[active]) this.turn(active);
    else if (outline.parents[active] >= 0) this.to(outline.search(outline.parents[active]));
    else this.to(row);
  }

  open(items) {
    this.outline.fold(items, false);
    this.refresh();
  }

  // Letters lead to the next row that begins with them; one letter again leads on.
  type(letter, now, row) {
    this.typed = now - this.typedAt < PATIENCE ? this.typed + letter : letter;
    this.typedAt = now;
    const isOne = [...this.typed].every((one) => one === this.typed[0]);
    const wanted = (isOne ? this.typed[0] : this.typed).toLowerCase();
    const { rows } = this.outline;
    for (let step = isOne ? 1 : 0; step <= rows.length; step++) {
      const at = (row + step) % rows.length;
      if (this.speak(rows[at]).toLowerCase().startsWith(wanted)) return this.to(at);
    }
  }
}
