package extract

import (
	"strings"
	"unicode/utf8"
)

// MaxTitle is the most bytes of a title and of a heading's name. Both stand
// before every unit below them in what is embedded, so that a heading of a
// hundred kilobytes, which is no heading, must not be repeated whole. The text
// itself keeps every byte.
const MaxTitle = 300

// Clip shortens a text that has more than most bytes to whole words, with "…"
// behind them.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := max(most-len("…"), 0)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	if blank := strings.LastIndexByte(s[:end], ' '); blank > end/2 {
		end = blank
	}
	return strings.TrimRight(s[:end], " ") + "…"
}
