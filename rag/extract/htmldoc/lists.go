package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
	"passage/rag/extract/counted"
)

// list reads a list. What stands between its items belongs to the item before:
// nested lists, code and notes there are bad HTML and common.
func (r *reader) list(f *flow, n *html.Node, set setting) {
	f.flush()
	ordered := n.DataAtom == atom.Ol
	count := counterOf(n)
	var (
		items []compose.Block
		stray flow
	)
	between := func() {
		stray.flush()
		if len(items) > 0 {
			last := &items[len(items)-1]
			last.Children = append(last.Children, stray.blocks...)
		} else {
			for _, b := range stray.blocks {
				f.add(b)
			}
		}
		stray = flow{}
	}
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || c.DataAtom != atom.Li {
			r.node(&stray, c, set)
			continue
		}
		if r.skip[c] || r.dropped(c) {
			continue
		}
		between()
		it := compose.Block{Kind: rag.BlockItem}
		if ordered {
			it.Label = count.next(c)
		}
		it.Children = r.item(c, set)
		items = append(items, it)
	}
	between()
	if len(items) == 0 {
		return
	}
	if ordered && r.goesOn(f, items, count) {
		return
	}
	ordered = ordered || labelled(items)
	f.add(compose.Block{Kind: rag.BlockList, Ordered: ordered, Children: items})
}

// orphan reads an item that stands in no list; those that follow each other are
// one.
func (r *reader) orphan(f *flow, n *html.Node, set setting) {
	f.flush()
	it := compose.Block{Kind: rag.BlockItem, Children: r.item(n, set)}
	before := n.PrevSibling
	for before != nil && before.Type == html.TextNode && fold(before.Data) == "" {
		before = before.PrevSibling
	}
	if k := len(f.blocks); k > 0 && before != nil && before.DataAtom == atom.Li && f.blocks[k-1].Kind == rag.BlockList {
		f.blocks[k-1].Children = append(f.blocks[k-1].Children, it)
		return
	}
	f.add(compose.Block{Kind: rag.BlockList, Children: []compose.Block{it}})
}

// goesOn joins a list that starts where one before it stopped to that one; what
// stands between the two belongs to the last item.
func (r *reader) goesOn(f *flow, items []compose.Block, count *counter) bool {
	const reach = 12
	if !count.started {
		return false
	}
	for i := len(f.blocks) - 1; i >= 0 && i >= len(f.blocks)-reach; i-- {
		b := &f.blocks[i]
		switch {
		case b.Kind == rag.BlockHeading:
			return false
		case b.Kind == rag.BlockList && b.Ordered:
			last := &b.Children[len(b.Children)-1]
			if count.label(count.first-1) != last.Label {
				return false
			}
			last.Children = append(last.Children, f.blocks[i+1:]...)
			b.Children = append(b.Children, items...)
			f.blocks = f.blocks[:i+1]
			return true
		}
	}
	return false
}

// item reads what is inside an item. A box to tick makes it a task.
func (r *reader) item(n *html.Node, set setting) []compose.Block {
	var in flow
	if box, ok := taskBox(n); ok {
		in.text(box+" ", setting{})
	}
	r.children(&in, n, styleOf(n, set))
	return in.done()
}

// taskBox is the box that an item begins with: a check box, or what Confluence
// makes one of.
func taskBox(n *html.Node) (box string, ok bool) {
	input := find(n, 4, func(c *html.Node) bool { return c.DataAtom == atom.Input || isList(c) })
	switch {
	case input != nil && input.DataAtom == atom.Input && strings.EqualFold(attr(input, "type"), "checkbox"):
		if hasAttr(input, "checked") {
			return "[x]", true
		}
		return "[ ]", true
	case hasAttr(n, "data-inline-task-id"):
		if hasClass(n, "checked") {
			return "[x]", true
		}
		return "[ ]", true
	}
	return "", false
}

func isList(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir, atom.Dl:
		return true
	default:
		return false
	}
}

// counter gives the labels of an ordered list as a browser shows them (HTML
// standard, "ordinal value of each li element").
type counter struct {
	kind    string // as in the type attribute: 1, a, A, i, I
	value   int    // of the next item
	step    int
	first   int
	started bool // the list says where it starts
}

// listStyles are the types of list that style sheets and makers name.
var listStyles = map[string]string{
	"decimal": "1", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A", "lower-roman": "i", "upper-roman": "I",
	"loweralpha": "a", "upperalpha": "A", "lowerroman": "i", "upperroman": "I",
}

func counterOf(n *html.Node) *counter {
	c := &counter{kind: "1", value: 1, step: 1}
	switch t := attr(n, "type"); t {
	case "a", "A", "i", "I":
		c.kind = t
	default:
		for name, kind := range listStyles {
			if styled(n, "list-style-type", name) || styled(n, "list-style", name) || hasClass(n, name) {
				c.kind = kind
			}
		}
	}
	if hasAttr(n, "reversed") {
		c.step, c.value = -1, 0
		for _, e := range elements(n) {
			if e.DataAtom == atom.Li {
				c.value++
			}
		}
	}
	if v, ok := integer(attr(n, "start")); ok {
		c.value, c.started = v, v > 1
	}
	c.first = c.value
	return c
}

// next is the label of an item, which may set its own value.
func (c *counter) next(li *html.Node) string {
	if v, ok := integer(attr(li, "value")); ok {
		if c.value == c.first && v > 1 {
			c.first, c.started = v, true
		}
		c.value = v
	}
	label := c.label(c.value)
	c.value += c.step
	return label
}

func (c *counter) label(v int) string {
	s := ""
	switch c.kind {
	case "a", "A":
		s = alphabetic(v)
	case "i", "I":
		s = counted.Roman(v)
	}
	if c.kind == "A" || c.kind == "I" {
		s = strings.ToUpper(s)
	}
	if s == "" {
		s = strconv.Itoa(v)
	}
	return s + "."
}

// integer reads the number that an attribute begins with.
func integer(s string) (int, bool) {
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && end < 10 && ('0' <= s[end] && s[end] <= '9' || end == 0 && s[end] == '-') {
		end++
	}
	v, err := strconv.Atoi(s[:end])
	return v, err == nil
}

// alphabetic is a, b … z, aa, ab …; "" below 1.
func alphabetic(v int) string {
	s := ""
	for ; v > 0; v = (v - 1) / 26 {
		s = string(rune('a'+(v-1)%26)) + s
	}
	return s
}
