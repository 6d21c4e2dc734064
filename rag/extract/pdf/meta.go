package pdf

import (
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/klippa-app/go-pdfium/requests"
)

// meta reads the document information dictionary (ISO 32000-1 section
// 14.3.3): the title when it is one, and author, created and date.
func (r *reader) meta() (title string, meta map[string]string, err error) {
	tags, err := r.inst.GetMetaData(&requests.GetMetaData{Document: r.doc})
	if err != nil {
		return "", nil, fatal(err)
	}
	meta = map[string]string{}
	for _, t := range tags.Tags {
		value := clean(t.Value)
		switch t.Tag {
		case "Title":
			title = sensible(value)
		case "Author":
			put(meta, "author", value)
		case "Subject":
			put(meta, "subject", value)
		case "Keywords":
			put(meta, "keywords", value)
		case "CreationDate":
			put(meta, "created", date(value))
		case "ModDate":
			put(meta, "date", date(value))
		}
	}
	if meta["date"] == "" {
		put(meta, "date", meta["created"])
	}
	if len(meta) == 0 {
		meta = nil
	}
	return title, meta, nil
}

func put(m map[string]string, key, value string) {
	if value != "" {
		m[key] = value
	}
}

// clean makes one line of a value, without control characters, not too long.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || r == 0xFEFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300])
	}
	return s
}

// sensible keeps a title that a person wrote: not the name of a file or of
// the program that made it.
func sensible(s string) string {
	low := strings.ToLower(s)
	for _, start := range []string{"microsoft word -", "microsoft powerpoint -", "microsoft excel -", "powerpoint presentation", "untitled", "unbenannt", "sans titre", "sin título", "document1", "dokument1", "slide 1", "http://", "https://", "file:", "about:"} {
		if strings.HasPrefix(low, start) {
			return ""
		}
	}
	if ext := path.Ext(low); len(ext) > 2 && len(ext) <= 6 && !strings.Contains(ext, " ") && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz") == "" {
		return ""
	}
	if strings.IndexFunc(s, unicode.IsLetter) < 0 || strings.ContainsAny(s, "\\") {
		return ""
	}
	return s
}

// date reads a PDF date, "D:20240131120000+01'00'" (ISO 32000-1 section
// 7.9.4), and gives its day. Parts may be left out from the end.
func date(s string) string {
	digits := strings.TrimPrefix(s, "D:")
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	switch {
	case len(digits) >= 8:
		digits = digits[:8]
	case len(digits) >= 6:
		digits = digits[:6] + "01"
	case len(digits) >= 4:
		digits = digits[:4] + "0101"
	}
	day, err := time.Parse("20060102", digits)
	if err != nil || day.Year() < 1980 || day.Year() > 2200 {
		return ""
	}
	return day.Format(time.DateOnly)
}
