package docx

// look is how characters are to be shown, with all that they inherit.
type look struct {
	bold, italic, strike, hidden, mono bool
	strong                             bool // bold, where the paragraph is not
	slanted                            bool // italic, likewise
	vert                               int8
	font                               string
}

// look joins the properties of a run with its character style, the style of
// its paragraph and the document's defaults. Bold, italic, strike and hidden
// toggle: set by both styles they cancel each other out (17.7.3).
func (st *styles) look(par *style, p runProps) look {
	var char runProps
	code := par.role == roleCode
	if p.style != "" && st.raw[p.style] != nil {
		s := st.of(p.style)
		char = s.run
		code = code || s.code
	}
	is := func(own, char, par, all toggle) bool {
		if own != unset {
			return own == yes
		}
		return all == yes || (char == yes) != (par == yes)
	}
	l := look{
		bold:   is(p.bold, char.bold, par.run.bold, st.defaults.bold),
		italic: is(p.italic, char.italic, par.run.italic, st.defaults.italic),
		strike: is(p.strike, char.strike, par.run.strike, st.defaults.strike),
		hidden: is(p.hidden, char.hidden, par.run.hidden, st.defaults.hidden),
	}
	l.strong = l.bold && par.run.bold != yes && st.defaults.bold != yes
	l.slanted = l.italic && par.run.italic != yes && st.defaults.italic != yes
	p = p.over(char).over(par.run).over(st.defaults)
	l.vert, l.font = p.vert, p.font
	l.mono = code || !st.typed && st.isMono(p.font)
	return l
}

func (st *styles) isMono(font string) bool {
	if font == "" || font == "+" {
		return false
	}
	m, there := st.mono[font]
	if !there {
		m = monoFont(font)
		if len(st.mono) < 10_000 {
			st.mono[font] = m
		}
	}
	return m
}
