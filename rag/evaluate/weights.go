package evaluate

import (
	"strconv"
	"strings"

	"passage/rag"
)

// sign is one weight of a fusion, by name.
type sign struct {
	name string
	of   func(*rag.Fusion) *float64
}

var signs = []sign{
	{"cosine", func(f *rag.Fusion) *float64 { return &f.Cosine }},
	{"words", func(f *rag.Fusion) *float64 { return &f.Words }},
	{"window", func(f *rag.Fusion) *float64 { return &f.Window }},
	{"document", func(f *rag.Fusion) *float64 { return &f.Document }},
	{"title", func(f *rag.Fusion) *float64 { return &f.Title }},
	{"aspect", func(f *rag.Fusion) *float64 { return &f.Aspect }},
	{"steps", func(f *rag.Fusion) *float64 { return &f.Steps }},
}

// ranksOnly is the word for a fusion by ranks.
const ranksOnly = "ranks"

// weights writes a fusion as ParseFusion reads it; weights of 0 are left out.
func weights(f rag.Fusion) string {
	if f.RankOnly {
		return ranksOnly
	}
	var parts []string
	for _, s := range signs {
		if w := *s.of(&f); w != 0 {
			parts = append(parts, s.name+"="+strconv.FormatFloat(w, 'g', -1, 64))
		}
	}
	return strings.Join(parts, " ")
}

// ParseFusion reads the weights of a fusion, "cosine=0.5 words=1 title=0.5",
// where those not named are 0; "ranks" for reciprocal ranks; "own" gives nil,
// which is what each document type has. Errors: CodeInvalid.
func ParseFusion(text string) (*rag.Fusion, error) {
	f := &rag.Fusion{}
	switch text = strings.TrimSpace(text); text {
	case "own":
		return nil, nil //nolint:nilnil // nil is the fusion of each document type
	case ranksOnly:
		f.RankOnly = true
		return f, nil
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		if err := setWeight(f, part); err != nil {
			return nil, err
		}
	}
	return f, f.Validate()
}

func setWeight(f *rag.Fusion, part string) error {
	name, value, _ := strings.Cut(part, "=")
	for _, s := range signs {
		if s.name != name {
			continue
		}
		w, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return rag.Errorf(rag.CodeInvalid, "The weight of %s must be a number, not %q.", name, value)
		}
		*s.of(f) = w
		return nil
	}
	var names []string
	for _, s := range signs {
		names = append(names, s.name)
	}
	return rag.Errorf(rag.CodeInvalid, "There is no weight %q. Use %s, as cosine=0.5 words=1; or ranks; or own.", name, strings.Join(names, ", "))
}

// fusions are those of the named sweep: each type's own, ranks alone, each leg
// alone, and around the default every weight left out, halved and doubled.
func fusions() []*rag.Fusion {
	base := rag.DefaultFusion("")
	list := []*rag.Fusion{nil, {RankOnly: true}, {Cosine: 1}, {Words: 1}, &base}
	for _, s := range signs {
		for _, factor := range []float64{0, 0.5, 2} {
			f := base
			*s.of(&f) *= factor
			list = append(list, &f)
		}
	}
	return list
}
