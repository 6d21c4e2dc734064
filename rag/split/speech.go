package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// carriesOn says that the sentence goes on after the quotation that was closed
// behind from, though no lower case shows it: by naming who spoke, or by a
// conjunction.
func (b *breaker) carriesOn(from int, f follower) bool {
	switch {
	case f.upper && f.first < 0x250:
		return b.nameSpeaks(f)
	case f.upper || f.lower || !unicode.IsLetter(f.first):
		return false
	case isIdeographic(f.first):
		return b.speaksIdeographic(f.at) || b.quotedInsideAt(from) && startsWithAny(b.text[f.at:], "然后", "然後", "就", "便", "并", "並", "而", "接着", "接著")
	}
	return b.speaks(f.at) || b.quotedInsideAt(from) && conjunction(b.wordAt(f.at))
}

func (b *breaker) quotedInsideAt(from int) bool {
	for d := range b.open[:b.depth] {
		if e := &b.open[d]; e.close >= from {
			_, n := utf8.DecodeLastRuneInString(b.text[:e.end])
			return !b.atStart(e.end - n)
		}
	}
	return b.quotedInside()
}

// nameSpeaks: `"Stop!" John Smith shouted.`
func (b *breaker) nameSpeaks(f follower) bool {
	if f.starts() {
		return false
	}
	at := f.at
	for range 3 {
		w := b.wordAt(at)
		if w == "" {
			return false
		}
		at += len(w)
		if at >= len(b.text) || b.text[at] != ' ' {
			return false
		}
		at++
		switch b.wordAt(at) {
		case "said", "asked", "shouted", "cried", "replied", "answered", "whispered", "yelled", "called", "exclaimed", "says", "asks", "wondered", "screamed", "muttered", "added", "demanded", "thought":
			return true
		}
	}
	return false
}

// speaks says that the clause at i names who spoke the quotation before it, in a
// script without upper case.
func (b *breaker) speaks(i int) bool {
	for range 5 {
		w := b.wordAt(i)
		if w == "" {
			return false
		}
		if spoke(w) {
			return true
		}
		i += len(w)
		if i >= len(b.text) || b.text[i] != ' ' {
			return false
		}
		i++
	}
	return false
}

// spoke says that the word is a verb of speaking. Korean and Japanese add theirs
// to the quotation.
func spoke(w string) bool {
	switch w {
	case "पूछा", "कहा", "बोला", "बोली", "बोले", "चिल्लाया", "चिल्लाई", "पूछती", "कहते", // Hindi
		"विचारले", "विचारलं", "म्हणाला", "म्हणाली", "म्हणाले", "ओरडला", "ओरडली", // Marathi
		"پوچھا", "کہا", "بولا", "بولی", "بولے", "چلایا", // Urdu
		"پرسید", "گفت", "گفتند", "پرسیدند", "فریاد", // Persian
		"سأل", "سألت", "قال", "قالت", "صاح", "صاحت", "أجاب", "أجابت", "سأله", "سألته", // Arabic
		"שאל", "שאלה", "אמר", "אמרה", "צעק", "צעקה", "ענה", "ענתה", "השיב", "השיבה", // Hebrew
		"አለ", "አለች", "አሉ", "ጠየቀ", "ጠየቀች", "መለሰ", "አልኩ", // Amharic
		"জিজ্ঞাসা", "বলল", "বললেন", // Bengali
		"하고", "하며", "라고", "라며", "라는", "이라고", "하는": // Korean
		return true
	}
	return false
}

// conjunction says that the word joins what follows to the quotation before it.
func conjunction(w string) bool {
	switch w {
	case "और", "फिर", "आणि", "व", "मग", "اور", "پھر", "و", "سپس", "ثم", "ותוך", "ואז", "እና":
		return true
	}
	return false
}

// wordAt gives the word that starts at i, marks of its vowels included.
func (b *breaker) wordAt(i int) string {
	end := i
	for end < len(b.text) && end-i < 4*longWord {
		r, n := utf8.DecodeRuneInString(b.text[end:])
		if !isWord(r) && !unicode.Is(unicode.M, r) && r != '\u200c' && r != '\u200d' {
			break
		}
		end += n
	}
	return b.text[i:end]
}

// speaksIdeographic says so of Chinese: the clause is short and ends in a verb
// of speaking ("小明高兴地说。"), or has it near its start.
func (b *breaker) speaksIdeographic(i int) bool {
	n, last, verb := 0, rune(0), false
	const after = "了着著过過道完"
	for _, r := range b.text[i:min(len(b.text), i+64)] {
		switch r {
		case '没', '沒', '不', '未':
			return false
		}
		if n++; !isIdeographic(r) {
			return verb || isSpeaking(last)
		}
		// After a pronoun or a short name: "他说了一声", but not "他们说得对".
		verb = verb || n <= 5 && n > 2 && isSpeaking(last) && strings.ContainsRune(after, r)
		last = r
	}
	return verb
}

func isSpeaking(r rune) bool {
	switch r {
	case '说', '說', '道', '问', '問', '答', '喊', '叫':
		return true
	}
	return false
}

// quotedOn says that the Japanese verb of a quotation without brackets is at i:
// "危ない！と叫んだ".
func (b *breaker) quotedOn(i int) bool {
	return startsWithAny(b.text[i:], "と叫", "と言", "とい", "と思", "と聞", "と呼", "と答", "と書", "って")
}

func startsWithAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
