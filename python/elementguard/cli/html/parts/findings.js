// The page of `check`: the findings of all inputs.
//
// In: an entry an input that has something to tell. Out: rows, each finding below its input or, if one
// likes, below its rule; beside them what the rule says.

class Findings {
  constructor(isByRule) {
    this.isByRule = isByRule;
    this.parents = [];
    this.items = []; // of a group: its name and entry; of a finding: its row
    this.texts = [];
    if (isByRule) this.byRule();
    else this.byInput();
    this.outline = new Outline(Int32Array.from(this.parents));
    this.inside = this.sums();
  }

  add(parent, item) {
    this.items.push(item);
    return this.parents.push(parent) - 1;
  }

  byInput() {
    for (const [name, error, left, rows] of DATA.rows) {
      const group = this.add(-1, { name, left, error });
      for (const [level, code, message, way, place] of rows) {
        this.add(group, { level, code, message, way, place, name });
      }
    }
  }

  // The most frequent first; before them what could not be checked, behind them what was not kept.
  byRule() {
    const rules = new Map(Object.keys(DATA.rules).map((code) => [code, []]));
    for (const [name, error, left, rows] of DATA.rows) {
      if (error) this.add(-1, { name, left, error });
      for (const [level, code, message, way, place] of rows) {
        rules.get(code).push({ level, code, message, way, place, name });
      }
    }
    const frequent = [...rules].sort(([, one], [, other]) => other.length - one.length);
    for (const [code, found] of frequent) {
      const group = this.add(-1, { name: code, left: 0, error: "", rule: code });
      for (const one of found) this.add(group, one);
    }
    for (const [name, error, left] of DATA.rows) {
      if (left) this.add(-1, { name, left, error });
    }
  }

  // Of each level how many findings stand before an item.
  sums() {
    return LEVELS.map((level) => {
      const sums = new Int32Array(this.items.length + 1);
      this.items.forEach((one, item) => {
        sums[item + 1] = sums[item] + (one.level === level ? 1 : 0);
      });
      return sums;
    });
  }

  counts(item) {
    const counts = this.inside.map((sums) => sums[this.outline.ends[item]] - sums[item]);
    return LEVELS.map((level, place) => [level, counts[place]]).filter(([, count]) => count);
  }

  text(item) {
    return (this.texts[item] ??= this.speak(item).toLowerCase());
  }

  // What stands behind a group's name.
  told({ left, error }) {
    if (error) return `could not be checked: ${error}`;
    return left ? `${counted(left, "more finding")} not kept` : "";
  }

  speak(item) {
    const one = this.items[item];
    if (one.code) return `${one.level} ${one.code}: ${one.message} ${one.place}`;
    const counts = this.counts(item).map(([level, count]) => counted(count, level));
    return [one.name, ...counts, this.told(one)].filter(Boolean).join(", ");
  }

  // Of a place the row has the end, its file; the details have all of it.
  draw(item, made, words) {
    const one = this.items[item];
    if (one.code) {
      made.classList.add("finding");
      const first = this.isByRule ? marked("place", one.place.split("/").at(-1), words) : marked("code", one.code, words);
      const last = this.isByRule ? "" : theirs("place", (one.place.match(/\d+:\d+$/) ?? [""])[0]);
      return [pill(one.level), first, marked("words", one.message, words), last];
    }
    const label = make("span", "label", marked(one.rule ? "code" : "name", one.name, words));
    if (one.error) label.prepend(pill("error"));
    if (this.told(one)) label.append(theirs("text", this.told(one)));
    const pills = this.counts(item).map(([level, count]) => make("span", `pill ${level}`, number(count)));
    return [label, ...pills];
  }

  details(item) {
    const one = this.items[item];
    if (one === undefined) return [];
    if (one.code) {
      const places = [["place", theirs("", one.place)], ["at", theirs("", one.way)]];
      return [...findingPieces(one.level, one.code, one.message, places), rulePieces(one.code)];
    }
    if (one.rule) return [make("h2", "", make("code", "", one.rule)), rulePieces(one.rule)];
    const counts = this.counts(item).map(([level, count]) => [pill(level), number(count)]);
    return [make("h2", "", theirs("", one.name)), facts(counts), make("p", "about", theirs("", this.told(one)))];
  }
}

function findingsPage(isByRule, query) {
  const findings = new Findings(isByRule);
  const panel = new Details();
  const rows = new Rows({
    label: "Findings",
    outline: findings.outline,
    draw: (item, made) => findings.draw(item, made, search.words),
    speak: (item) => findings.speak(item),
    changed: (item) => panel.show(...findings.details(item)),
  });
  const search = new Search({
    rows,
    label: "Search findings",
    text: (item) => findings.text(item),
    level: (item) => findings.items[item].level ?? "",
    counts: LEVELS.map((_, place) => findings.inside[place][findings.items.length]),
  });
  search.bar.append(groupings(isByRule, search), folds(findings.outline, rows));
  const main = make("main", "split", rows.box, panel.box);
  document.body.replaceChildren(...document.body.querySelectorAll("script"), head(), search.bar, main);
  rows.refresh();
  search.field.value = query;
  search.read();
  rows.box.focus({ preventScroll: true });
}

function groupings(isByRule, search) {
  const group = attributes(make("div", "group"), { role: "group", "aria-label": "Group by" });
  for (const [word, value] of [["by input", false], ["by rule", true]]) {
    const made = button("switch", word, () => findingsPage(value, search.field.value));
    made.setAttribute("aria-pressed", value === isByRule);
    group.append(made);
  }
  return group;
}

if (DATA.rows.length) findingsPage(false, "");
else document.body.append(head());
