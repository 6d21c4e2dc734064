package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/retrieve"
)

// Sweep says which settings are compared: every strategy with every number of
// passages, every search and every fusion. An empty list stands for what the chat does.
type Sweep struct {
	Strategies []*rag.Strategy // nil in it: each document type's own
	Tops       []int
	Legs       []retrieve.Legs
	Fusions    []*rag.Fusion // nil in it: each document type's own
	Base       Setting       // everything else
}

// maxSettings is the most settings of one run.
const maxSettings = 500

// Settings lists the settings of the sweep, each once. Errors: CodeInvalid when
// one does not validate or there are too many.
func (s Sweep) Settings() ([]Setting, error) {
	var list []Setting
	seen := map[string]bool{}
	for _, setting := range s.product() {
		if err := setting.Validate(); err != nil {
			return nil, err
		}
		if key := setting.Key(); !seen[key] {
			seen[key] = true
			list = append(list, setting)
		}
	}
	if len(list) > maxSettings {
		return nil, rag.Errorf(rag.CodeInvalid, "That are %d settings; one run compares at most %d.", len(list), maxSettings)
	}
	return list, nil
}

// product combines each strategy with each of the rest.
func (s Sweep) product() []Setting {
	var list []Setting
	for _, strategy := range orOne(s.Strategies) {
		for _, top := range orOne(s.Tops) {
			for _, legs := range orOne(s.Legs) {
				for _, fusion := range orOne(s.Fusions) {
					setting := s.Base
					setting.Strategy, setting.Top, setting.Legs, setting.Fusion = strategy, top, legs, fusion
					list = append(list, setting)
				}
			}
		}
	}
	return list
}

// orOne is the list, or one zero value when it is empty.
func orOne[T any](list []T) []T {
	if len(list) == 0 {
		return make([]T, 1)
	}
	return list
}

// windowSizes and sectionCaps are those of the named sweeps.
var (
	windowSizes = []int{0, 1, 2, 3, 4, 5}
	sectionCaps = []int{256, 512, 1024, 2048}
)

// SweepNames lists the sweeps that have a name.
func SweepNames() []string {
	return []string{"default", "windows", "sections", "chunks", "legs", "top", "fusion"}
}

// NamedSweep gives the sweep of a name. Chunks are the strategies of fixed chunks
// that every document has already, see Bench.Chunks. Errors: CodeInvalid for an
// unknown name.
func NamedSweep(name string, chunks []rag.Strategy) (Sweep, error) {
	auto := []*rag.Strategy{nil}
	var windows, sections, fixed []*rag.Strategy
	for _, k := range windowSizes {
		windows = append(windows, &rag.Strategy{Kind: rag.SentenceWindow, K: k})
	}
	for _, e := range []rag.Extent{rag.ExtentParagraph, rag.ExtentSection} {
		windows = append(windows, &rag.Strategy{Kind: rag.SentenceWindow, Extent: e})
	}
	for _, c := range sectionCaps {
		sections = append(sections, &rag.Strategy{Kind: rag.ParentSection, Cap: c})
	}
	for _, c := range chunks {
		fixed = append(fixed, &c)
	}
	switch name {
	case "default":
		return Sweep{Strategies: slices.Concat(auto, windows, sections, fixed)}, nil
	case "windows":
		return Sweep{Strategies: windows}, nil
	case "sections":
		return Sweep{Strategies: sections}, nil
	case "chunks":
		return Sweep{Strategies: slices.Concat(auto, fixed)}, nil
	case "legs":
		return Sweep{Strategies: auto, Legs: []retrieve.Legs{retrieve.Hybrid, retrieve.DenseOnly, retrieve.LexicalOnly}}, nil
	case "top":
		return Sweep{Strategies: auto, Tops: []int{1, 3, 5, 10, 20}}, nil
	case "fusion":
		return Sweep{Strategies: auto, Fusions: fusions()}, nil
	}
	return Sweep{}, rag.Errorf(rag.CodeInvalid, "There is no sweep %q. Use %s.", name, strings.Join(SweepNames(), ", "))
}

// chunkStrategy reads the name of a unit set, "tokens-256-32" or "chars-1000-100",
// as the strategy that searches it; false for another tokenizer's chunks.
func chunkStrategy(set rag.UnitSet, tokenizer string) (rag.Strategy, bool) {
	for format, kind := range map[string]rag.StrategyKind{"tokens-%d-%d": rag.FixedTokens, "chars-%d-%d": rag.FixedChars} {
		s := rag.Strategy{Kind: kind}
		if _, err := fmt.Sscanf(string(set), format, &s.Size, &s.Overlap); err == nil && s.UnitSet(tokenizer) == set && s.Validate() == nil {
			return s, true
		}
	}
	return rag.Strategy{}, false
}
