package handlers

import (
	"fmt"
	"strings"
	"sync"

	"passage/rag"
	"passage/views"
)

// cachedPassages is how many rendered passages are kept; one takes some
// kilobytes.
const cachedPassages = 1024

// passageKey names what is shown of a citation: a version never changes, so
// neither does the rendering of a span of it with its marks.
func passageKey(c rag.Citation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d:%d-%d", c.VersionID, c.Span.Start, c.Span.End)
	for _, m := range c.Marks {
		fmt.Fprintf(&b, ",%d-%d", m.Span.Start, m.Span.End)
	}
	for _, g := range c.Gaps {
		fmt.Fprintf(&b, ";%d-%d", g.Start, g.End)
	}
	return b.String()
}

// passageCache keeps rendered passages. Whether someone may see one is decided
// before it is asked for one.
type passageCache struct {
	mu   sync.Mutex
	most int
	kept map[string]views.SafeHTML
}

func newPassageCache(most int) *passageCache {
	return &passageCache{most: most, kept: make(map[string]views.SafeHTML)}
}

func (pc *passageCache) has(key string) bool {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	_, ok := pc.kept[key]
	return ok
}

// get returns the passage that is kept, or makes it; draw says whether it is
// worth keeping. A full cache starts again empty.
func (pc *passageCache) get(key string, draw func() (views.SafeHTML, bool)) views.SafeHTML {
	pc.mu.Lock()
	html, ok := pc.kept[key]
	pc.mu.Unlock()
	if ok {
		return html
	}
	html, keep := draw()
	if keep {
		pc.mu.Lock()
		if len(pc.kept) >= pc.most {
			clear(pc.kept)
		}
		pc.kept[key] = html
		pc.mu.Unlock()
	}
	return html
}
