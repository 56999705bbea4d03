// The page's head: what was looked at, and what it comes to.
//
// In: DATA.head. Out: the `header` element. It is the same on every page.

function head() {
  const { command, name, facts, verdict, level } = DATA.head;
  const made = make("header", "head");
  const line = make("p", "facts", make("b", "", `elementguard ${command}`));
  for (const fact of facts) line.append(" ", theirs("fact", fact));
  made.append(make("h1", "", theirs("", name)), make("p", `verdict ${level}`, verdict), line);
  return made;
}
