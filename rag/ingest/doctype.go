package ingest

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"passage/rag"
)

// folders maps the name of a folder on the way to a file to the type of what
// is usually kept there.
var folders = map[string]string{
	"runbook": "runbook", "runbooks": "runbook", "playbook": "runbook", "playbooks": "runbook", "sop": "runbook", "sops": "runbook", "alerts": "runbook",
	"guideline": "guideline", "guidelines": "guideline", "protocols": "guideline", "clinical": "guideline",
	"design": "design_doc", "designs": "design_doc", "design-docs": "design_doc", "rfc": "design_doc", "rfcs": "design_doc",
	"kep": "design_doc", "keps": "design_doc", "adr": "design_doc", "adrs": "design_doc", "proposals": "design_doc", "proposal": "design_doc",
	"note": "note", "notes": "note", "wiki": "note", "meetings": "note",
	"reference": "reference", "ref": "reference", "api": "reference",
}

// guidelineWords are title words of clinical guidance.
var guidelineWords = regexp.MustCompile(`(?i)\b(guideline|dosing|dosage|treatment|management of|prophylaxis|clinical)\b`)

// runbookWords are title words of operational procedures.
var runbookWords = regexp.MustCompile(`(?i)\b(runbook|playbook|how to|procedure|restore|rotate|failover|recover|troubleshoot\w*)\b`)

// designWords are title or heading words of design documents.
var designWords = regexp.MustCompile(`(?i)\b(design|rfc|proposal|architecture|alternatives|motivation|non-goals)\b`)

// GuessDocType chooses the document type of a file and says why in words for
// the admin: front matter first, then the folders of its path from the inner
// to the outer, then its structure and title.
func GuessDocType(x rag.Extraction, uri string, o rag.Outline, types []rag.DocType) (docType, reason string) {
	if t, why := declared(x, types); t != "" {
		return t, why
	}
	dirs := strings.Split(path.Dir(uri), "/")
	for _, dir := range slices.Backward(dirs) {
		if t, ok := folders[strings.ToLower(dir)]; ok && known(types, t) {
			return t, "it lies in a folder " + dir + "/"
		}
	}
	return guessByContent(x, uri, o, types)
}

// typeOf is GuessDocType for a document that may be there already with a type.
func typeOf(x rag.Extraction, uri string, o rag.Outline, types []rag.DocType, before string) (docType, reason string) {
	if t, why := declared(x, types); t != "" || before == "" || !known(types, before) {
		if t == "" {
			return GuessDocType(x, uri, o, types)
		}
		return t, why
	}
	return before, "as before"
}

// declared is the type that the front matter names, or "".
func declared(x rag.Extraction, types []rag.DocType) (docType, reason string) {
	for _, key := range []string{"doc_type", "doctype", "type"} {
		want := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(x.Meta[key])), "-", "_")
		if want != "" && known(types, want) {
			return want, "front matter says " + key + ": " + x.Meta[key]
		}
	}
	return "", ""
}

func guessByContent(x rag.Extraction, uri string, o rag.Outline, types []rag.DocType) (docType, reason string) {
	name := title(x, uri)
	steps := 0
	for _, p := range o.Procedures {
		steps += len(p.Steps)
	}
	headings := make([]string, 0, len(o.Sections))
	for _, s := range o.Sections {
		headings = append(headings, s.Heading)
	}
	rows, units := 0, 0
	for _, u := range o.UnitsOf(rag.SentenceSet) {
		units++
		if u.Kind == rag.UnitRow {
			rows++
		}
	}
	pick := func(t, why string) (string, string, bool) { return t, why, known(types, t) }
	rules := []struct {
		holds bool
		t     string
		why   string
	}{
		{guidelineWords.MatchString(name), "guideline", "its title sounds like a guideline"},
		{steps >= 3 && runbookWords.MatchString(name), "runbook", fmt.Sprintf("its title sounds like a runbook and it has a procedure (%d steps in all)", steps)},
		{designWords.MatchString(name + "\n" + strings.Join(headings, "\n")), "design_doc", "its headings are those of a design document"},
		{steps >= 4, "runbook", fmt.Sprintf("it has a procedure (%d steps in all)", steps)},
		{units >= 10 && rows*2 > units, "reference", "most of it is tables"},
		{len(x.Text) > 12_000, "design_doc", "it is a long text without procedures"},
	}
	for _, r := range rules {
		if !r.holds {
			continue
		}
		if t, why, ok := pick(r.t, r.why); ok {
			return t, why
		}
	}
	if known(types, "note") {
		return "note", "nothing says what it is, so it counts as a note"
	}
	return types[0].Name, "nothing says what it is, so it gets the first document type"
}

func known(types []rag.DocType, name string) bool {
	return slices.ContainsFunc(types, func(t rag.DocType) bool { return t.Name == name })
}

func names(types []rag.DocType) string {
	list := make([]string, len(types))
	for i, t := range types {
		list[i] = t.Name
	}
	return strings.Join(list, ", ")
}

func strategyOf(types []rag.DocType, name string) rag.Strategy {
	for _, t := range types {
		if t.Name == name {
			return t.Strategy
		}
	}
	return rag.Strategy{Kind: rag.SentenceWindow, K: 2}
}

// sectionCap is the smallest cap of any type: the middle layer is cut once, for
// all of them, because a document can change its type.
func sectionCap(types []rag.DocType) int {
	limit := rag.DefaultCap
	for _, t := range types {
		if t.Strategy.Kind == rag.ParentSection {
			limit = min(limit, t.Strategy.SectionCap())
		}
	}
	return limit
}

// dateLayouts are the forms of dates in front matter.
var dateLayouts = []string{time.DateOnly, time.RFC3339, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006/01/02", "2 January 2006", "January 2, 2006", "2 Jan 2006", "Jan 2, 2006", "2006-01"}

// date reads the first of the keys that holds a date, or gives the zero time.
func date(meta map[string]string, keys ...string) time.Time {
	for _, k := range keys {
		for _, layout := range dateLayouts {
			if t, err := time.Parse(layout, strings.TrimSpace(meta[k])); err == nil {
				return t.UTC()
			}
		}
	}
	return time.Time{}
}
