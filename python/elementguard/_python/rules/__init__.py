"""Room: the rules, one file for each section of the chapter.

In: a moment of the tree: a member, the end of a block, of an element, of the answer. Out:
findings. The tables beside them (`table`, `shape`, `words`) are generated.
"""
