package pdf

import (
	"fmt"
	"strconv"
	"strings"

	"passage/rag"
)

// The remedy is the same for all pages that show letters and hold none.
const ocr = "Run text recognition (OCR) and upload the file again."

// warnings names the pages that gave no text, and why.
func warnings(pages []page) []string {
	var scanned, empty, unreadable, holes, broken []int
	for i := range pages {
		p := &pages[i]
		switch {
		case p.damaged:
			broken = append(broken, p.number)
		case p.letters == 0 && p.drawn:
			scanned = append(scanned, p.number)
		case p.letters == 0:
			empty = append(empty, p.number)
		case !p.readable():
			unreadable = append(unreadable, p.number)
		case p.lost*50 > p.letters:
			holes = append(holes, p.number)
		}
	}
	var out []string
	add := func(numbers []int, one, many string) {
		if len(numbers) == 1 {
			out = append(out, fmt.Sprintf(one, numbers[0]))
		} else if len(numbers) > 1 {
			out = append(out, fmt.Sprintf(many, ranges(numbers)))
		}
	}
	add(scanned, "There is no text on page %d: it is probably scanned. "+ocr, "There is no text on pages %s: they are probably scanned. "+ocr)
	add(unreadable, "The text on page %d cannot be read: its fonts do not say which letters they show. "+ocr, "The text on pages %s cannot be read: their fonts do not say which letters they show. "+ocr)
	add(holes, "Some letters on page %d cannot be read: a font does not say which they are.", "Some letters on pages %s cannot be read: a font does not say which they are.")
	add(broken, "Page %d is damaged and was left out.", "Pages %s are damaged and were left out.")
	add(empty, "There is no text on page %d: it is empty.", "There is no text on pages %s: they are empty.")
	return out
}

// noText is the error for a file without any words to search.
func noText(pages []page) error {
	unreadable := false
	for i := range pages {
		unreadable = unreadable || pages[i].letters > 0
	}
	if unreadable {
		return rag.Errorf(rag.CodeInvalid, "The text in this PDF cannot be read: its fonts do not say which letters they show. "+ocr)
	}
	return rag.Errorf(rag.CodeInvalid, "There is no text in this PDF: its pages are probably scanned. "+ocr)
}

// ranges writes numbers in rising order as "3–40, 42 and 44–45".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		switch j - i {
		case 0:
			parts = append(parts, strconv.Itoa(numbers[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
