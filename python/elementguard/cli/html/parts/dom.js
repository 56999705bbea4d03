// What every page begins with: its data, and elements that are made of text alone.
//
// In: the island of data. Out: DATA, and `make`, the one way in which anything gets onto the page. No
// markup is ever parsed here: the page's policy forbids it (trusted types).

const DATA = JSON.parse(document.getElementById("data").textContent);
const LEVELS = ["error", "warning", "note"];

function make(tag, name, ...inside) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inside);
  return made;
}

// A text that somebody else chose: its reading direction ends where it ends.
function theirs(name, text) {
  return make("bdi", name, text);
}

function button(name, text, act) {
  const made = make("button", name, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function attributes(of, given) {
  for (const [name, value] of Object.entries(given)) of.setAttribute(name, value);
  return of;
}

function number(count) {
  return count.toLocaleString("en-US");
}

function counted(count, thing) {
  return `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
}

// The words of a search stand out in the text. Lower case may have other lengths; then nothing does.
function marked(name, text, words) {
  const lower = text.toLowerCase();
  const made = theirs(name, "");
  if (lower.length !== text.length) words = [];
  let at = 0;
  for (;;) {
    const [start, end] = firstOf(words, lower, at);
    made.append(text.slice(at, start));
    if (start === text.length) return made;
    made.append(make("mark", "", text.slice(start, end)));
    at = end;
  }
}

function firstOf(words, lower, from) {
  let start = lower.length;
  let end = start;
  for (const word of words) {
    const at = lower.indexOf(word, from);
    if (at >= 0 && at < start) [start, end] = [at, at + word.length];
  }
  return [start, end];
}

// Prose of a rule's card: paragraphs, and words between backquotes.
function prose(text) {
  return text.split("\n\n").map((paragraph) => {
    const made = make("p", "");
    for (const [, plain, , code] of paragraph.matchAll(/([^`]+)|(`+)(.+?)\2/gs)) {
      made.append(plain === undefined ? make("code", "", code.trim()) : plain.replace(/\n/g, " "));
    }
    return made;
  });
}
