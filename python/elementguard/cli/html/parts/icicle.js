// An icicle: a bar an element, below it what it holds, as wide as it is heavy, the heaviest first.
//
// In: an outline and a weight an item. Out: a box of buttons, one for each bar wide enough to be seen;
// what is narrower stands together behind them. Arrow keys go along the bars, Enter goes into one,
// Escape comes out. The top bar is what one is in.

const NARROWEST = 3; // pixels
const READABLE = 28; // pixels from which on a bar has its name in it
const LOWEST = 60; // levels below the top that are drawn

class Icicle {
  constructor({ outline, weigh, name, speak, kind, zoomed, pointed }) {
    Object.assign(this, { outline, weigh, name, speak, kind, zoomed, pointed });
    this.top = 0;
    this.bars = []; // as they are drawn: item, level, left, width, where the one above is
    this.at = 0;
    this.box = attributes(make("div", "icicle"), {
      role: "group",
      "aria-label": "Icicle. Arrow keys go along the bars, Enter goes into one, Escape comes out.",
    });
    this.box.addEventListener("keydown", (event) => this.pressed(event));
    this.box.addEventListener("focusin", (event) => this.focused(event.target));
    this.box.addEventListener("pointerover", (event) => this.focused(event.target));
    new ResizeObserver(() => this.resized()).observe(this.box);
  }

  resized() {
    if (this.box.clientWidth !== this.width) this.draw(false);
  }

  children(item) {
    const found = [];
    const { ends } = this.outline;
    for (let inner = item + 1; inner < ends[item]; inner = ends[inner]) found.push(inner);
    return found.sort((one, other) => this.weigh(other) - this.weigh(one) || one - other);
  }

  layout() {
    const bars = [{ item: this.top, level: 0, left: 0, width: this.width, above: -1, rest: 0 }];
    for (let at = 0; at < bars.length; at++) {
      const bar = bars[at];
      if (bar.rest || bar.level >= LOWEST || !this.outline.held[bar.item]) continue;
      this.below(bar, at, bars);
    }
    return bars;
  }

  below(bar, above, bars) {
    const whole = this.weigh(bar.item);
    if (!whole) return;
    const level = bar.level + 1;
    let { left } = bar;
    const items = this.children(bar.item);
    for (let next = 0; next < items.length; next++) {
      const width = (bar.width * this.weigh(items[next])) / whole;
      if (width < NARROWEST) {
        const weight = items.slice(next).reduce((sum, item) => sum + this.weigh(item), 0);
        const rest = { width: (bar.width * weight) / whole, rest: items.length - next };
        if (rest.width >= NARROWEST) bars.push({ item: bar.item, level, left, above, ...rest });
        return;
      }
      bars.push({ item: items[next], level, left, width, above, rest: 0 });
      left += width;
    }
  }

  draw(hasFocus) {
    this.width = this.box.clientWidth;
    if (!this.width) return;
    this.bars = this.layout();
    this.at = 0;
    this.box.style.setProperty("--levels", 1 + Math.max(...this.bars.map((bar) => bar.level)));
    this.box.replaceChildren(...this.bars.map((bar, at) => this.bar(bar, at)));
    if (hasFocus) this.box.firstChild.focus();
  }

  bar(bar, at) {
    const made = button(`piece ${bar.rest ? "rest" : this.kind(bar.item)}`, "", () => this.pick(at));
    if (bar.width < READABLE) made.classList.add("thin");
    else made.append(bar.rest ? `${number(bar.rest)} smaller` : this.name(bar.item));
    const label = bar.rest
      ? `${number(bar.rest)} smaller ones in ${this.speak(bar.item)}`
      : this.speak(bar.item);
    attributes(made, { "aria-label": label, "data-at": at });
    made.tabIndex = at === this.at ? 0 : -1;
    made.style.left = `${bar.left}px`;
    made.style.width = `${bar.width}px`;
    made.style.setProperty("--level", bar.level);
    return made;
  }

  // Into a bar; of the top one, out of it.
  pick(at) {
    const { item, rest } = this.bars[at];
    if (at === 0) this.out();
    else if (rest && item === this.top) return;
    else this.zoom(item, true);
  }

  out() {
    const parent = this.outline.parents[this.top];
    if (parent >= 0) this.zoom(parent, true);
  }

  zoom(item, hasFocus) {
    this.top = item;
    this.draw(hasFocus);
    this.box.scrollTop = 0;
    this.zoomed(item);
  }

  focused(target) {
    const at = Number(target.closest(".piece")?.dataset.at ?? -1);
    if (at >= 0) this.pointed(this.box.children[at].ariaLabel);
  }

  go(at) {
    if (at < 0 || at >= this.bars.length) return;
    this.box.children[this.at].tabIndex = -1;
    this.at = at;
    this.box.children[at].tabIndex = 0;
    this.box.children[at].focus();
  }

  pressed(event) {
    const at = Number(event.target.closest(".piece")?.dataset.at ?? -1);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    this.at = at;
    const { bars } = this;
    const isBeside = (bar) => bar.level === bars[at].level;
    const keys = {
      ArrowRight: () => this.go(bars.findIndex((bar, other) => other > at && isBeside(bar))),
      ArrowLeft: () => this.go(bars.findLastIndex((bar, other) => other < at && isBeside(bar))),
      ArrowUp: () => this.go(bars[at].above),
      ArrowDown: () => this.go(bars.findIndex((bar) => bar.above === at)),
      Home: () => this.go(bars.findIndex(isBeside)),
      End: () => this.go(bars.findLastIndex(isBeside)),
      Escape: () => this.out(),
      Backspace: () => this.out(),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  }
}
