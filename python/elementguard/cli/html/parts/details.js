// The side of a page that tells all of what is active in its rows.
//
// In: what to tell, piece by piece. Out: a region beside the rows, below them where there is no room.

class Details {
  constructor() {
    this.inside = make("div", "inside");
    this.box = attributes(make("section", "details", this.inside), { "aria-label": "Details" });
    this.box.tabIndex = 0; // so that the keyboard can scroll it
  }

  show(...pieces) {
    this.inside.replaceChildren(...pieces);
    this.box.scrollTop = 0;
  }
}

// Names and values; a value is a text, an element, or nothing.
function facts(pairs) {
  const list = make("dl", "");
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(make("dt", "", name), make("dd", "", value));
  }
  return list;
}

function pill(level) {
  return make("span", `pill ${level}`, level);
}

// A finding with its place.
function findingPieces(level, code, message, places) {
  return [
    make("p", "said", pill(level), " ", make("code", "", code)),
    make("p", "", theirs("", message)),
    facts(places),
  ];
}

// What a rule's card says.
function rulePieces(code) {
  const rule = DATA.rules[code];
  const made = make("div", "rule");
  for (const [heading, text] of rule.prose) made.append(make("h3", "", heading), ...prose(text));
  made.append(facts([["section", rule.section], ["more", make("code", "", `elementguard rule ${code}`)]]));
  return made;
}
