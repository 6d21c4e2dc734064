package htmldoc

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// noteKinds are the kinds of note that an element can be called by.
var noteKinds = []string{"note", "warning", "caution", "danger", "tip", "important", "hint", "attention", "info", "error", "success"}

// noteFrames are the beginnings of class names that a kind of note follows:
// Docusaurus, GitHub, Starlight, Bootstrap, Confluence.
var noteFrames = []string{
	"theme-admonition-", "markdown-alert-", "starlight-aside--", "alert-", "alert--", "confluence-information-macro-", "callout-", "admonition-",
}

// special reads elements that their makers give a meaning: notes, panels, code
// with a title, what unfolds, tabs.
func (r *reader) special(f *flow, n *html.Node, set setting) bool {
	if !slices.Contains([]atom.Atom{atom.Div, atom.Aside, atom.Section, atom.Details, atom.Blockquote}, n.DataAtom) {
		return false
	}
	names := classes(n)
	if label := noteLabel(names); label != "" {
		r.note(f, n, label, set)
		return true
	}
	switch {
	case slices.Contains(names, "expand-container"):
		if t := find(n, 3, func(c *html.Node) bool { return hasClass(c, "expand-control-text") }); t != nil {
			r.strongLine(f, t, set)
			r.skip[t] = true
		}
	case slices.Contains(names, "panel") && find(n, 1, func(c *html.Node) bool {
		return hasClass(c, "panelheader", "codeheader", "panelcontent", "codecontent", "preformattedcontent")
	}) != nil:
		head := find(n, 1, func(c *html.Node) bool { return hasClass(c, "panelheader", "codeheader", "preformattedheader") })
		if slices.Contains(names, "code") || slices.Contains(names, "preformatted") {
			if head != nil {
				r.strongLine(f, head, set)
				r.skip[head] = true
			}
			break
		}
		r.note(f, n, "panel", set)
		return true
	case slices.Contains(names, "tabbed-block"), attr(n, "role") == "tabpanel", slices.Contains(names, "tab-pane"):
		if title := r.tabTitle(n); title != "" {
			r.noteOf(f, n, "tab", title, set)
			return true
		}
	default:
		return false
	}
	f.flush()
	r.children(f, n, set)
	f.flush()
	return true
}

// noteLabel is the kind of note that an element is, "" for none.
func noteLabel(names []string) string {
	kind := ""
	for _, name := range names {
		if slices.Contains(noteKinds, name) {
			kind = name
		}
	}
	for _, name := range names {
		switch name {
		case "admonition", "admonitionblock", "custom-block", "callout", "alert":
			if kind != "" {
				return kind
			}
			if name == "admonition" {
				return otherKind(names)
			}
		}
		for _, frame := range noteFrames {
			rest, ok := strings.CutPrefix(name, frame)
			switch {
			case !ok:
			case rest == "information":
				return "info"
			case slices.Contains(noteKinds, rest), frame == "theme-admonition-":
				return rest
			}
		}
	}
	if kind != "" && len(names) == 1 { // DocBook, DITA: <div class="warning">
		return kind
	}
	return ""
}

// otherKind is the class beside "admonition".
func otherKind(names []string) string {
	for _, name := range names {
		if name != "admonition" && !strings.Contains(name, "-") {
			return name
		}
	}
	return "note"
}

// isNoteTitle knows the elements that hold the title of a note.
func isNoteTitle(n *html.Node) bool {
	if n.DataAtom == atom.Summary || n.DataAtom == atom.Legend {
		return true
	}
	return slices.ContainsFunc(classes(n), func(c string) bool {
		switch c {
		case "admonition-title", "markdown-alert-title", "custom-block-title", "starlight-aside__title", "alert-heading", "title",
			"notetitle", "note__title", "callout-title", "panelheader", "callout-header":
			return true
		}
		return strings.HasPrefix(c, "admonitionheading")
	})
}

// note reads a note with its title.
func (r *reader) note(f *flow, n *html.Node, label string, set setting) {
	title := ""
	levels := 3
	if hasClass(n, "admonitionblock") { // Asciidoctor sets notes in a table
		levels = 5
	}
	if t := find(n, levels, func(c *html.Node) bool { return isNoteTitle(c) && !r.dropped(c) }); t != nil {
		var in flow
		r.children(&in, t, setting{})
		in.flush()
		if len(in.blocks) == 1 && in.blocks[0].Kind == rag.BlockParagraph {
			title = fold(codeOf(in.blocks[0].Words))
			r.skip[t] = true
		}
	}
	r.noteOf(f, n, label, title, set)
}

// noteOf makes a note of an element's content. A title that only names the
// kind is not said twice.
func (r *reader) noteOf(f *flow, n *html.Node, label, title string, set setting) {
	var in flow
	if !strings.EqualFold(strings.TrimSuffix(title, ":"), label) {
		in.paragraph(title, compose.Strong)
	}
	r.children(&in, n, set)
	f.add(compose.Block{Kind: rag.BlockNote, Label: label, Children: in.done()})
}

// tabTitle finds the words on the tab that shows a panel: by the id that the
// panel names, or at the same place among the labels before it.
func (r *reader) tabTitle(n *html.Node) string {
	const maxTabs = 500 // looked up
	if r.tabs++; r.tabs > maxTabs {
		return ""
	}
	if id := attr(n, "aria-labelledby"); id != "" {
		if t := r.byID(n, id); t != nil {
			return textOf(t)
		}
	}
	at, far := 0, 0
	for p := n.PrevSibling; p != nil && far < maxTabs; p, far = p.PrevSibling, far+1 {
		if tabs := labelsOf(p); tabs != nil {
			return tabAt(tabs, at)
		}
		if p.Type == html.ElementNode && p.DataAtom == n.DataAtom {
			at++
		}
	}
	if n.Parent == nil {
		return ""
	}
	far = 0
	for p := n.Parent.PrevSibling; p != nil && far < 8; p, far = p.PrevSibling, far+1 {
		if tabs := labelsOf(p); tabs != nil {
			return tabAt(tabs, at)
		}
	}
	return ""
}

// labelsOf is the row of tabs that n is or holds.
func labelsOf(n *html.Node) *html.Node {
	is := func(c *html.Node) bool {
		return hasClass(c, "tabbed-labels", "nav-tabs") || attr(c, "role") == "tablist"
	}
	switch {
	case n.Type != html.ElementNode || len(n.Attr) == 0 && n.FirstChild == nil:
		return nil
	case is(n):
		return n
	}
	if c := n.FirstChild; c != nil && c.Type == html.ElementNode && is(c) {
		return c
	}
	return nil
}

func tabAt(tabs *html.Node, at int) string {
	if list := elements(tabs); at < len(list) {
		return textOf(list[at])
	}
	return ""
}

// byID finds an element of the page.
func (r *reader) byID(n *html.Node, id string) *html.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	if r.ids == nil {
		r.ids = map[string]*html.Node{}
		for d := range n.Descendants() {
			if v := attr(d, "id"); v != "" {
				r.ids[v] = d
			}
		}
	}
	return r.ids[id]
}
