package docx

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"unicode"
)

// role is what the style of a paragraph is for.
type role int

const (
	roleText role = iota
	roleTitle
	roleSubtitle
	roleContents // a line of a table of contents
	roleContentsTitle
	roleCode
	roleNote
	roleQuote
	roleList // set like an item, without a number of its own
)

// style is a style with what it inherits (17.7.4).
type style struct {
	id    string
	chain []string // its own id and those that it is based on, nearest first
	name  string   // in lower case; Word's own names are English
	role  role
	label string // of a note
	para  paraProps
	run   runProps
	code  bool // a character style for code
	first bool // a table style that sets the first row apart
}

type rawStyle struct {
	id, name, kind, base string
	standard             bool
	para                 paraProps
	run                  runProps
	first                bool
}

// styles resolves ids to styles.
type styles struct {
	raw      map[string]*rawStyle
	done     map[string]*style
	standard string   // the default paragraph style
	defaults runProps // docDefaults
	para     paraProps
	typed    bool // ordinary text is set in a mono font, so that such fonts say nothing
	mono     map[string]bool
}

// newStyles reads styles.xml; a document without one has the styles that
// their ids say.
func newStyles(a *archive, part string) (*styles, error) {
	st := &styles{raw: map[string]*rawStyle{}, done: map[string]*style{}, mono: map[string]bool{}}
	err := a.scan(part, func(s *scanner, _ xml.StartElement) error {
		return s.each(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "docDefaults":
				return st.readDefaults(s)
			case "style":
				return st.readStyle(s, e)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	font := st.of("").run.font
	if font == "" {
		font = st.defaults.font
	}
	st.typed = monoFont(font)
	return st, nil
}

func (st *styles) readDefaults(s *scanner) error {
	return s.each(func(xml.StartElement) error {
		return s.each(func(e xml.StartElement) (err error) {
			switch e.Name.Local {
			case "rPr":
				st.defaults, err = readRunProps(s)
			case "pPr":
				st.para, err = readParaProps(s)
			}
			return err
		})
	})
}

func (st *styles) readStyle(s *scanner, e xml.StartElement) error {
	r := &rawStyle{id: attr(e, "styleId"), kind: attr(e, "type"), standard: truth(attr(e, "default"), false)}
	err := s.each(func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "name":
			r.name = strings.TrimSpace(attr(e, "val"))
		case "basedOn":
			r.base = attr(e, "val")
		case "pPr":
			r.para, err = readParaProps(s)
		case "rPr":
			r.run, err = readRunProps(s)
		case "tblStylePr":
			r.first = r.first || attr(e, "type") == "firstRow"
		}
		return err
	})
	if _, there := st.raw[r.id]; !there && r.id != "" {
		st.raw[r.id] = r
		if r.standard && r.kind == "paragraph" {
			st.standard = r.id
		}
	}
	return err
}

// of gives the style with an id; the default paragraph style for "" and for
// an id that is not defined, as Word does.
func (st *styles) of(id string) *style {
	if s := st.done[id]; s != nil {
		return s
	}
	var s *style
	switch {
	case st.raw[id] != nil:
		s = st.resolve(id)
	case len(st.raw) == 0 && id != "":
		s = &style{id: id, chain: []string{id}}
		s.called(id)
	case id == st.standard || st.raw[st.standard] == nil:
		s = &style{}
	default:
		s = st.of(st.standard)
	}
	if len(st.done) < 100_000 {
		st.done[id] = s
	}
	return s
}

// maxChain bounds how many styles are based on one another, which also ends
// circles.
const maxChain = 32

// resolve folds a style over those that it is based on.
func (st *styles) resolve(id string) *style {
	var chain []*rawStyle
	for r := st.raw[id]; r != nil && len(chain) < maxChain && !slices.Contains(chain, r); r = st.raw[r.base] {
		chain = append(chain, r)
	}
	s := &style{id: id}
	for _, r := range slices.Backward(chain) {
		s.called(cmp.Or(r.name, r.id))
		s.run = r.run.over(s.run)
		s.para.num = r.para.num.over(s.para.num)
		if r.para.hasLevel {
			s.para.outline, s.para.hasLevel = r.para.outline, true
		}
		if r.para.hasLeft {
			s.para.left, s.para.hasLeft = r.para.left, true
		}
		s.first = s.first || r.first
	}
	for _, r := range chain {
		s.chain = append(s.chain, r.id)
	}
	return s
}

// headingNames are the names of "heading" before its number that programs
// other than Word write in the language of their user; Word's own name is
// English whatever the language is.
var headingNames = []string{
	"heading", "überschrift", "titre", "título", "titolo", "kop", "rubrik", "overskrift", "otsikko",
	"nagłówek", "nadpis", "заголовок", "标题", "標題", "見出し", "제목", "encabezado",
}

// headingLevel reads "heading 2", "Heading2" and the like: the level from 0.
func headingLevel(name string) (int, bool) {
	if name == "" {
		return 0, false
	}
	n := name[len(name)-1]
	if n < '1' || n > '9' {
		return 0, false
	}
	if !slices.Contains(headingNames, strings.TrimSpace(name[:len(name)-1])) {
		return 0, false
	}
	return int(n - '1'), true
}

// called takes from the name of a style what it is for. A name that says
// nothing leaves what is inherited.
func (s *style) called(name string) {
	s.name = strings.ToLower(name)
	if n, ok := headingLevel(s.name); ok {
		s.para.outline, s.para.hasLevel = n, true
		s.role = roleText
		return
	}
	words := nameWords(name)
	has := func(of ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
	}
	switch {
	case s.name == "title":
		s.role = roleTitle
	case s.name == "subtitle":
		s.role = roleSubtitle
	case s.name == "toc heading", s.name == "tocheading", s.name == "contents heading":
		s.role = roleContentsTitle
	case len(words) == 2 && (words[0] == "toc" || words[0] == "contents") && words[1] >= "1" && words[1] <= "9",
		len(words) == 1 && len(s.name) == 4 && strings.HasPrefix(s.name, "toc") && s.name[3] >= '1' && s.name[3] <= '9':
		s.role = roleContents
	case has("code", "sourcecode", "codeblock", "macro", "preformatted", "verbatim", "listing", "console"),
		s.name == "html typewriter", s.name == "html keyboard", s.name == "html sample", s.name == "source text":
		s.role, s.code = roleCode, true
	case s.name == "quote", s.name == "intense quote", s.name == "block text", s.name == "quotations":
		s.role = roleQuote
	case s.name == "list paragraph", s.name == "listparagraph",
		strings.HasPrefix(s.name, "list continue"), strings.HasPrefix(s.name, "listcontinue"):
		s.role = roleList
	default:
		for _, w := range words {
			if kind := noteKinds[w]; kind != "" {
				s.role, s.label = roleNote, kind
				return
			}
		}
	}
}

// nameWords divides the name of a style at what is no letter or digit and
// before a capital ("WarningBox"), and gives its words in lower case.
func nameWords(name string) []string {
	var sb strings.Builder
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			sb.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		sb.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(sb.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// noteKinds are the words that name a box of warning or advice.
var noteKinds = map[string]string{
	"warning": "warning", "caution": "caution", "danger": "danger", "note": "note", "tip": "tip", "important": "important",
	"warnings": "warning", "cautions": "caution", "notes": "note", "tips": "tip", "hint": "tip", "alert": "warning",
	"warnung": "warning", "achtung": "warning", "vorsicht": "caution", "gefahr": "danger", "hinweis": "note", "wichtig": "important",
	"avertissement": "warning", "attention": "warning", "remarque": "note",
	"advertencia": "warning", "precaución": "caution", "peligro": "danger", "nota": "note", "importante": "important",
}
