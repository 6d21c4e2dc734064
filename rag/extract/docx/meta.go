package docx

import (
	"encoding/xml"
	"regexp"
	"strings"
)

// properties reads the core properties (part 2, 11.1): title, author and the
// day of the last change. Damage there harms nothing and is passed over.
func properties(a *archive, part string) (title string, meta map[string]string) {
	meta = map[string]string{}
	_ = a.scan(part, func(s *scanner, _ xml.StartElement) error {
		return s.each(func(e xml.StartElement) error {
			text, err := s.text()
			text = strings.Join(strings.Fields(clean(text)), " ")
			if err != nil || text == "" || len(text) > 1000 {
				return err
			}
			switch e.Name.Local {
			case "title":
				title = text
			case "creator":
				meta["author"] = text
			case "modified":
				if day.MatchString(text) {
					meta["date"] = text[:10]
				}
			}
			return nil
		})
	})
	if templateTitle(title) {
		title = ""
	}
	return title, meta
}

var day = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]|$)`)

var emptyTitle = regexp.MustCompile(`(?i)^(microsoft word\b.*|(document|dokument|doc)\s*\d*|(untitled|unbenannt|template|title|titel|type the document title|document title|word document|normal|blank document)\s*\d*|.*\.(docx?|dotx?|odt|rtf|tmp))$`)

// templateTitle says that a title was put there by a program or a template
// and says nothing about the document.
func templateTitle(title string) bool {
	return emptyTitle.MatchString(strings.Trim(title, "[]()<> "))
}
