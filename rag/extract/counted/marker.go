package counted

// kind is a way of counting.
type kind uint8

const (
	none     kind = iota
	lower         // a, b, c
	upper         // A, B, C
	roman         // i, ii, iii
	romanUp       // I, II, III
	number        // 1, 2, 3; only in brackets, CommonMark knows the rest
	decimal       // 1.1, 1.2
	letters       // 1.a, 1.b
	appendix      // A.1, A.2
	step          // Step 1, Step 2
)

// maxParts is how many numbers a marker may have: 1.2.3.4.5.6.
const maxParts = 6

// Marker is a marker as it is written. Two markers are of one list when their
// styles are equal.
type Marker struct {
	Len    int // bytes of the marker
	Number int // the last of its numbers: 3 of "1.3", 2 of "b)"

	style Style
	parts [maxParts]int16 // all of its numbers
	also  int             // what a single letter is as a Roman number, 0: none
	words bool            // words follow on the line
}

// Style is what all markers of a list have in common.
type Style struct {
	kind  kind
	depth uint8 // how many numbers
	form  byte  // what stands behind: '.', ')', ':', '-', '(' for brackets around, 0 for nothing
}

// doubtful says that prose has markers of the style.
func (s Style) doubtful() bool {
	if s.kind == decimal || s.kind == appendix {
		return s.form == 0
	}
	return s.form == '.' && s.kind != step
}

// Style is the marker's.
func (m *Marker) Style() Style { return m.style }

// IsStep says that the marker is a word and a number, "Step 1:".
func (m *Marker) IsStep() bool { return m.style.kind == step }

// First says that a list may begin with the marker.
func (m *Marker) First() bool {
	return m.Number == 1 || m.Number == 0 && (m.style.kind == step || m.style.kind == number)
}

// Follows says that m comes right after last: 1.3 after 1.2, and 2.1 also. The
// two must be of one style.
func (m *Marker) Follows(last *Marker) bool {
	i, n := 0, int(m.style.depth)
	for i < n && m.parts[i] == last.parts[i] {
		i++
	}
	if i == n || m.parts[i] != last.parts[i]+1 {
		return false
	}
	for i++; i < n; i++ {
		if m.parts[i] != 1 {
			return false
		}
	}
	return true
}

// SameStyle says that two markers, as written, may be of one list.
func SameStyle(a, b string) bool {
	x, ok := Read([]byte(a))
	y, also := Read([]byte(b))
	if !ok || !also { // of CommonMark: what stands behind counts
		return ok == also && a[len(a)-1] == b[len(b)-1]
	}
	for _, m := range [...]*Marker{&x, &y} {
		if m.style.kind == roman || m.style.kind == romanUp {
			m.style.kind -= roman - lower // a single letter may be either
		}
	}
	return x.style == y.style
}

// SameCount says that two markers of numbered lists, as written, may be of one
// procedure: as SameStyle, but "2)" goes on after "1.".
func SameCount(a, b string) bool {
	if isNumber(a) && isNumber(b) {
		return true
	}
	return SameStyle(a, b)
}

// isNumber says that a marker is one of CommonMark's.
func isNumber(label string) bool {
	_, end := digits([]byte(label), 0)
	return end > 0 && end == len(label)-1
}

// Below says that a marker counts below another one: 1.2 below "1.", 1.a below
// "1)", 2.3.1 below 2.3.
func Below(label, above string) bool {
	m, ok := Read([]byte(label))
	if !ok || m.style.depth < 2 {
		return false
	}
	n := int(m.style.depth) - 1
	if up, ok := Read([]byte(above)); ok {
		var kind kind
		switch {
		case m.style.kind == appendix && n == 1:
			kind = upper
		case m.style.kind == appendix:
			kind = appendix
		default:
			kind = decimal
		}
		return int(up.style.depth) == n && up.style.kind == kind && up.parts == m.above()
	}
	number, end := digits([]byte(above), 0)
	return n == 1 && end > 0 && m.style.kind != appendix && number == m.parts[0]
}

// above gives the numbers without the last.
func (m *Marker) above() [maxParts]int16 {
	p := m.parts
	p[m.style.depth-1] = 0
	return p
}

// Readings gives the marker, and when it is a single letter that is a Roman
// number too, that.
func (m Marker) Readings() []Marker {
	if also, ok := m.Roman(); ok {
		return []Marker{m, also}
	}
	return []Marker{m}
}

// Roman is the other reading of a single letter that is a Roman number too.
func (m Marker) Roman() (Marker, bool) {
	if m.also == 0 {
		return m, false
	}
	m.style.kind += roman - lower
	m.parts[0], m.Number = int16(m.also), m.also
	m.also = 0
	return m, true
}
