"""The layout of an engine's index: what the numbers of a row are.

Both engines keep a row of `WIDTH` numbers for each element of a loaded answer, in document order,
and the facade reads them. What is absent is the largest number of the table's format.
"""

from __future__ import annotations

WIDTH = 11
# The parent's row; where the element starts and ends, where the values of its `id` and `role`
# stand; what its subtree amounts to (contract, section 3); its states.
PARENT, START, END, ID, ROLE, ELEMENTS, HEIGHT, CONTENT, TEXT, BLOB, FLAGS = range(WIDTH)
# The bits of FLAGS: that a state is false says something of `visible` alone.
SELECTED, FOCUSED, HOVERED, SHOWN, HIDDEN = 1, 2, 4, 8, 16
