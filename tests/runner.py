"""GitHub's runner, as far as it reads commands: an own writing of what it does to a line.

Comes in: a line of a step's output. Goes out: the command with its properties and message, or None
if the runner would only print it. Not a test itself.
"""

REPLACED = [("%0D", "\r"), ("%0A", "\n")]
REPLACED_IN_PROPERTIES = [*REPLACED, ("%3A", ":"), ("%2C", ",")]


def read(line):
    """A line as the runner takes it: `::name key=value,key=value::message`."""
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, given = line[2:end].partition(" ")
    properties = {}
    for pair in given.split(","):
        key, equals, value = pair.strip().partition("=")
        if equals:
            properties[key] = unescaped(value, REPLACED_IN_PROPERTIES)
    return name, properties, unescaped(line[end + 2 :], REPLACED)


def unescaped(text, replaced):
    """`%25` last: what it leaves must not be read again."""
    for escape, character in replaced:
        text = text.replace(escape, character)
    return text.replace("%25", "%")
