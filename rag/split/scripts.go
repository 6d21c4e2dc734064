package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fullGoesOn names what keeps a full stop of a script without case from ending
// the sentence.
func (b *breaker) fullGoesOn(i int, run stops, after int, f follower) bool {
	closed := b.text[run.end:after]
	switch {
	case run.last == '۔' && letterName(b.wordBefore(i).text): // "ایم۔اے", "ن۔ م۔ راشد"
		return f.at == after && letterName(b.wordAt(f.at)) || b.wordBefore(i).count == 1 || b.initialBefore(i)
	case (closed == ")" || closed == "）") && f.at == after && b.quotedInsideAt(run.end): // a remark inside the sentence
		return true
	case closed != "":
		return f.at == after && f.continues || // "「はい。」と"
			strings.Contains(closed, "》") && f.at == after && isIdeographic(f.first) || // a title
			b.carriesOn(run.end, f)
	case run.other && f.at == after:
		return b.quotedOn(f.at)
	}
	return false
}

// initialBefore says that the word before the stop at i follows another letter
// with a stop: "ایم۔اے۔".
func (b *breaker) initialBefore(i int) bool {
	w := b.wordBefore(i)
	end := b.trimSpace(w.from)
	before, n := utf8.DecodeLastRuneInString(b.text[b.from:end])
	return before == '۔' && letterName(b.wordBefore(end-n).text)
}

// letterName says that the word is a letter, or the name of a Latin one in Urdu.
func letterName(w string) bool {
	switch w {
	case "اے", "بی", "سی", "ڈی", "ای", "ایف", "جی", "ایچ", "آئی", "جے", "کے", "ایل", "ایم", "این", "او", "پی", "کیو", "آر", "ایس", "ٹی", "یو", "وی", "ڈبلیو", "ایکس", "وائی", "زیڈ":
		return true
	}
	r, n := utf8.DecodeRuneInString(w)
	return n == len(w) && unicode.IsLetter(r)
}

// borrowed handles signs that are full stops or question marks in some scripts
// only: the colon in Armenian, the semicolon in Greek, the bar for the danda.
func (b *breaker) borrowed(i int) int {
	if i == b.from || b.text[i-1] < utf8.RuneSelf && b.text[i-1] != ' ' && !isDigit(b.text[i-1]) {
		return i + 1
	}
	at := i
	for at > b.from && i-at < 12 && (isDigit(b.text[at-1]) || b.text[at-1] == ' ' && b.text[i] == '|') {
		at--
	}
	if at < i && at > b.from && b.text[at-1] == ' ' { // "2010:" after a word
		at--
	}
	if at == b.from || b.text[at-1] < utf8.RuneSelf {
		return i + 1
	}
	r, n := utf8.DecodeLastRuneInString(b.text[b.from:at])
	if isCloser(r) {
		r, _ = utf8.DecodeLastRuneInString(b.text[b.from : at-n])
	}
	switch c := b.text[i]; {
	case c == ':' && r >= 0x0531 && r <= 0x0587,
		c == ';' && unicode.Is(unicode.Greek, r),
		c == '|' && r >= 0x0900 && r < 0x0e00:
		return b.stop(i, i+1)
	}
	return i + 1
}

// unstopped ends a sentence of Thai or Lao, which write no stops, at the blank at
// end: after a polite particle, and else when it has become long.
func (b *breaker) unstopped(end int) int {
	if end >= len(b.text) || b.text[end] != ' ' {
		return end
	}
	const long = 400 // bytes, about 130 letters
	polite := end-b.from > 12 && hasSuffixAny(b.text[end-12:end], "ครับ", "ค่ะ", "คะ", "จ้ะ")
	next, _ := utf8.DecodeRuneInString(b.text[b.skipSpace(end):])
	if next < 0x0e00 || next >= 0x0f00 || !polite && end-b.start < long || b.inside(end) {
		return end
	}
	b.cut(end)
	return max(end, b.start)
}

// reaction gives the end of a smile or the like after the stop before i: it
// belongs to the sentence that it comments.
func (b *breaker) reaction(i int) int {
	from := b.skipSpace(i)
	end := from
	for end < len(b.text) && b.text[end] == 0xf0 {
		r, n := utf8.DecodeRuneInString(b.text[end:])
		if (r < 0x1f600 || r > 0x1f64f) && (r < 0x1f910 || r > 0x1f92f) && (r < 0x1f970 || r > 0x1f97a) && (r < 0x1f44a || r > 0x1f44f) && (r < 0x1f3fb || r > 0x1f3ff) {
			break
		}
		end += n
	}
	if end == from || b.skipSpace(end) == end {
		return i
	}
	return end
}

// emoji ends a sentence without a stop after signs such as a smile, when a word
// that starts sentences follows.
func (b *breaker) emoji(i int) int {
	end := i
	for end < len(b.text) {
		r, n := utf8.DecodeRuneInString(b.text[end:])
		if (r < 0x1f300 || r > 0x1faff || r >= 0x1f493 && r <= 0x1f49f) && r != '\u200d' && r != '\ufe0f' {
			break
		}
		end += n
	}
	if end == i {
		return i + 1
	}
	next := b.skipSpace(end)
	if next == end || next == len(b.text) || b.atStart(i) || b.inside(end) {
		return end
	}
	before, _ := utf8.DecodeLastRuneInString(b.text[b.from:b.trimSpace(i)])
	if f := b.follower(next); !isWord(before) || f.bracket || !opensSentence(f.word) {
		return end
	}
	b.cut(end)
	return max(end, b.start)
}

func hasSuffixAny(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}
