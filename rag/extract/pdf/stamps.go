package pdf

import (
	"slices"
	"strings"
)

// stamps takes out turned text that stands on many pages: watermarks.
func stamps(pages []page) {
	seen := map[string]int{}
	for i := range pages {
		for _, ws := range pages[i].turned {
			seen[joined(ws)]++
		}
	}
	for i := range pages {
		p := &pages[i]
		p.turned = slices.DeleteFunc(p.turned, func(ws []word) bool {
			n := seen[joined(ws)]
			return n >= 3 || n >= 2 && n*2 >= len(pages)
		})
	}
}

func joined(ws []word) string {
	var b strings.Builder
	for i := range ws {
		b.WriteString(ws[i].text)
		b.WriteByte(' ')
	}
	return b.String()
}
