"""Command line: pages for a browser, each one file that loads nothing.

`parts/` has what the pages are made of: one frame, one style, and scripts, small files of their own
that say what they do in their first line. `frame` puts them together, `island` makes the data safe,
`outline` and `weights` say what `show` and `sizes` put into it (`check` has `formats.html`),
`explained` what the rules say.

An answer is somebody else's text. So a page's policy lets no script run but its own, by its hash;
nothing is loaded; what it shows is data in an island that no browser takes for markup; and the
script makes text of it, never markup. What could drive a terminal or turn the reading direction is
an escape here as well, for a page is copied from.
"""
