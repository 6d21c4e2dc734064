package docx

// node is a paragraph or a table, in the order of the text.
type node struct {
	para  *para
	table *table
}

// para is a paragraph with all that matters for its place in the tree.
type para struct {
	props    paraProps
	style    *style
	spans    []span
	notes    []note // referred to, in order
	after    []node // text boxes and the like, which stand behind the paragraph
	marked   bool   // belongs to a list
	contents bool   // stands in the frame of a table of contents
	mark     mark
	bold     bool // all words are
}

// span is a run of words of one look.
type span struct {
	text string
	mono bool
	bold bool // as it looks; strong says that it differs from its paragraph
	strong, slanted, struck,
	picture bool
	vert  int8
	field *scope // the innermost field that it stands in
	link  string // the address of a hyperlink element
	mark  string // the number of a note; text is "" then
}

// note is a reference to a footnote or an endnote.
type note struct {
	end   bool
	id    int
	mark  string // "[1]"
	field *scope
}

// table is a table as it is written: rows of cells that may span.
type table struct {
	rows     []row
	look     bool // the first row is set apart by the look of the table
	indent   int
	children int  // nodes in all cells
	asBlocks bool // its cells were written as blocks, with their notes
}

type row struct {
	header bool
	before int // columns that it leaves out at its beginning
	cells  []cell
}

type cell struct {
	nodes  []node
	span   int  // columns
	merged bool // it goes on with the cell above
	shaded bool
}

// joined is the length up to which words are joined one by one, so that a
// paragraph of very many runs does not copy all of them for each.
const joined = 512

// add appends words, and joins them with the words before when these look the
// same.
func (p *para) add(s span) {
	if s.text == "" && s.mark == "" && !s.picture {
		return
	}
	if n := len(p.spans); n > 0 && s.mark == "" && !s.picture && len(p.spans[n-1].text) < joined {
		last := &p.spans[n-1]
		text := last.text
		same := *last
		same.text = s.text
		if same == s {
			last.text = text + s.text
			return
		}
	}
	p.spans = append(p.spans, s)
}

// settle drops what fields hide and gives words their links, once it is known
// which fields come to an end.
func (p *para) settle() {
	out := p.spans[:0]
	for _, s := range p.spans {
		if s.field.hides() {
			continue
		}
		if s.link == "" {
			s.link = s.field.address()
		}
		out = append(out, s)
	}
	p.spans = out
	kept := p.notes[:0]
	for _, n := range p.notes {
		if !n.field.hides() {
			kept = append(kept, n)
		}
	}
	p.notes = kept
}

// empty says that the paragraph has no words.
func (p *para) empty() bool {
	for i := range p.spans {
		s := &p.spans[i]
		if s.mark != "" || s.picture || !blank(s.text) {
			return false
		}
	}
	return true
}

func blank(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
			return s[i:] == "\u00a0" || len(s[i:]) > 2 && s[i:i+2] == "\u00a0" && blank(s[i+2:])
		}
	}
	return true
}
