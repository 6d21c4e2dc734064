package docx

import (
	"encoding/xml"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/extract/compose"
)

// Read reads a Word document. Errors: CodeInvalid for a file that is none,
// that is damaged, protected or without words, CodeTooLarge over a limit; the
// message says what to do. The result depends on the bytes alone.
func Read(data []byte) (compose.Document, error) { return readWithin(data, standard) }

func readWithin(data []byte, most limits) (compose.Document, error) {
	a, err := openArchive(data, most)
	if err != nil {
		return compose.Document{}, err
	}
	main, core, err := a.mainPart()
	if err != nil {
		return compose.Document{}, err
	}
	rels, err := a.relations(main)
	if err != nil {
		return compose.Document{}, err
	}
	part := func(kind string) string { return partOf(rels, main, kind) }
	st, err := newStyles(a, part("styles"))
	if err != nil {
		return compose.Document{}, err
	}
	num, err := newNumbering(a, part("numbering"))
	if err != nil {
		return compose.Document{}, err
	}
	p := &parser{a: a, st: st, rels: rels, notes: newNoteMarks()}
	if err := p.notes.settings(a, part("settings")); err != nil {
		return compose.Document{}, err
	}
	nodes, err := p.body(main)
	if err != nil {
		return compose.Document{}, err
	}
	b := &builder{st: st, num: num, most: most}
	for k, kind := range []string{"footnotes", "endnotes"} {
		b.bodies[k] = map[int][]node{}
		if len(p.notes.marks[k]) == 0 {
			continue
		}
		if b.bodies[k], err = p.readNotes(part(kind)); err != nil {
			return compose.Document{}, err
		}
	}
	return b.document(p, nodes, core)
}

// mainPart finds the document in the package by its relationships, else by
// its usual name.
func (a *archive) mainPart() (main, core string, err error) {
	top, err := a.relations("")
	if err != nil {
		return "", "", err
	}
	main, core = "word/document.xml", "docProps/core.xml"
	for _, r := range top {
		switch {
		case r.kind == "officeDocument" && !r.outside && a.files[partName(r.target)] != nil:
			main = r.target
		case r.kind == "core-properties" && !r.outside:
			core = r.target
		}
	}
	if a.files[partName(main)] == nil || !strings.HasSuffix(partName(main), ".xml") || strings.HasPrefix(partName(main), "xl/") ||
		strings.HasPrefix(partName(main), "ppt/") || strings.HasPrefix(partName(main), "visio/") {
		return "", "", a.wrongPackage()
	}
	return main, core, nil
}

// partOf finds a part that the document refers to, else one of the usual name.
func partOf(rels map[string]relation, main, kind string) string {
	found := ""
	for _, r := range rels {
		if r.kind == kind && !r.outside && (found == "" || r.target < found) {
			found = r.target
		}
	}
	if found != "" {
		return found
	}
	return path.Join(path.Dir(main), kind+".xml")
}

// body reads the paragraphs and tables of the document.
func (p *parser) body(part string) ([]node, error) {
	var nodes []node
	err := p.a.scan(part, func(s *scanner, root xml.StartElement) error {
		if root.Name.Local != "document" {
			return rag.Errorf(rag.CodeInvalid,
				"The file is not a Word document inside. Open it in Word, save it as .docx and upload that.")
		}
		return s.each(func(e xml.StartElement) error {
			if e.Name.Local != "body" {
				return nil
			}
			return p.blockNodes(s, &nodes)
		})
	})
	return nodes, err
}

// document builds the result.
func (b *builder) document(p *parser, nodes []node, core string) (compose.Document, error) {
	nodes = b.number(nodes, newCounter(b.st, b.num))
	for k := range b.bodies {
		c := newCounter(b.st, b.num)
		for _, id := range sortedKeys(b.bodies[k]) {
			b.bodies[k][id] = b.number(b.bodies[k][id], c)
		}
	}
	var doc compose.Document
	title, meta := properties(p.a, core)
	doc.Title, doc.Meta = b.title(nodes), meta
	if doc.Title == "" {
		doc.Title = title
	}
	doc.Blocks = b.blocks(nodes, false, false)
	doc.Warnings = p.warnings()
	if len(doc.Blocks) == 0 {
		if p.hidden.words > 0 {
			return compose.Document{}, rag.Errorf(rag.CodeInvalid,
				"The document has no text but hidden text. Show it (Font, Hidden) and upload the document again.")
		}
		return compose.Document{}, rag.Errorf(rag.CodeInvalid,
			"The document is empty: there is no text in it to search. If its pages are pictures, upload a version with text.")
	}
	return doc, nil
}

// warnings says what was left out of the text.
func (p *parser) warnings() []string {
	var out []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			out = append(out, one)
		case n > 1:
			out = append(out, fmt.Sprintf(many, n))
		}
	}
	if h := p.hidden; h.words > 0 {
		first := strings.Join(strings.Fields(h.first), " ")
		if utf8.RuneCountInString(first) > 60 {
			first = string([]rune(first)[:59]) + "…"
		}
		out = append(out, fmt.Sprintf("Hidden text was left out: %s, beginning with “%s”.", howMany(h.words, "word", "words"), first))
	}
	add(p.deleted, "A tracked deletion or move was left out; tracked insertions are kept.",
		"%d tracked deletions and moves were left out; tracked insertions are kept.")
	add(p.charts, "A chart was left out: its figures are not in the text.", "%d charts were left out: their figures are not in the text.")
	add(p.objects, "An embedded file was left out. Upload it as a document of its own if it matters.",
		"%d embedded files were left out. Upload them as documents of their own if they matter.")
	add(p.uncounted, "A number that Word computes in a field (AUTONUM, LISTNUM) is not in the text.",
		"%d numbers that Word computes in fields (AUTONUM, LISTNUM) are not in the text.")
	add(p.unread, "A sign of a symbol font could not be read; it is kept as it is stored.",
		"%d signs of symbol fonts could not be read; they are kept as they are stored.")
	return out
}

func howMany(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
