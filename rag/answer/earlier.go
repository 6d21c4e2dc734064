package answer

import (
	"slices"

	"passage/rag"
)

// mostEarlier is how many passages of the answers before stay candidates.
const mostEarlier = 10

// earlierPlaces are the passages that the answers of a part of the history were
// made from, those that they refer to first, and of each kind those of the last
// answer first. What has been deleted or replaced since is none, and what came
// nearest to a question that was refused is none: it answers nothing.
func earlierPlaces(history []rag.Message) []rag.Place {
	var places []rag.Place
	for _, used := range []bool{true, false} {
		for _, m := range slices.Backward(history) {
			if m.State == rag.AnswerRefused {
				continue
			}
			for _, c := range m.Citations {
				p := rag.Place{Version: c.VersionID, Span: c.Span}
				if c.Used == used && !c.Deleted && !c.Newer && p.Version > 0 && !p.Span.Empty() && len(places) < mostEarlier && !slices.Contains(places, p) {
					places = append(places, p)
				}
			}
		}
	}
	return places
}
