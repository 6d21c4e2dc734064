package docx

import (
	"strconv"
	"strings"
	"unicode"

	"passage/rag/extract/counted"
)

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// formatNumber writes n in a numbering format (17.18.59). Formats that are
// not known, and numbers that a format cannot write, are decimal.
func formatNumber(format, pattern string, n int) string {
	decimal := strconv.Itoa(n)
	switch format {
	case "none", "bullet":
		return ""
	case "decimalZero":
		return pad(decimal, 2)
	case "custom": // "01, 02, 03, ...": zeros in front
		first, _, _ := strings.Cut(pattern, ",")
		if first = strings.TrimSpace(first); len(first) <= 10 && first != "" && strings.Trim(first, "0") == "1" {
			return pad(decimal, len(first))
		}
	case "numberInDash":
		return "- " + decimal + " -"
	case "ordinal":
		return decimal + ordinalEnding(n)
	case "hex":
		if n >= 0 {
			return strings.ToUpper(strconv.FormatInt(int64(n), 16))
		}
	case "decimalFullWidth", "decimalFullWidth2":
		return shiftDigits(decimal, '０')
	case "hindiNumbers":
		return shiftDigits(decimal, '०')
	case "thaiNumbers":
		return shiftDigits(decimal, '๐')
	}
	if n <= 0 {
		return decimal
	}
	out := ""
	switch format {
	case "lowerRoman":
		out = counted.Roman(n)
	case "upperRoman":
		out = strings.ToUpper(counted.Roman(n))
	case "lowerLetter":
		out = letters(n, "abcdefghijklmnopqrstuvwxyz")
	case "upperLetter":
		out = letters(n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	case "russianLower":
		out = letters(n, "абвгдежзиклмнопрстуфхцчшщыэюя")
	case "russianUpper":
		out = letters(n, "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ")
	case "chicago":
		out = letters(n, "*†‡§")
	case "cardinalText":
		out = capital(cardinal(n))
	case "ordinalText":
		out = capital(ordinalText(n))
	case "decimalEnclosedCircle", "decimalEnclosedCircleChinese":
		out = enclosed(n, '①')
	case "decimalEnclosedParen":
		out = enclosed(n, '⑴')
	case "decimalEnclosedFullstop":
		out = enclosed(n, '⒈')
	case "chineseCounting", "chineseCountingThousand", "taiwaneseCounting", "taiwaneseCountingThousand",
		"japaneseCounting", "ideographDigital", "japaneseDigitalTenThousand", "taiwaneseDigital":
		out = chinese(n)
	}
	if out == "" {
		return decimal
	}
	return out
}

func pad(digits string, width int) string {
	return strings.Repeat("0", max(width-len(digits), 0)) + digits
}

func shiftDigits(decimal string, zero rune) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return zero + r - '0'
		}
		return r
	}, decimal)
}

func enclosed(n int, first rune) string {
	if n > 20 {
		return ""
	}
	return string(first + rune(n-1))
}

// letters counts a … z, aa, bb, … zz, aaa.
func letters(n int, alphabet string) string {
	set := []rune(alphabet)
	times := (n-1)/len(set) + 1
	if times > 30 {
		return ""
	}
	return strings.Repeat(string(set[(n-1)%len(set)]), times)
}

func ordinalEnding(n int) string {
	if n < 0 {
		n = -n
	}
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

var (
	smallNumbers = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen " +
		"fourteen fifteen sixteen seventeen eighteen nineteen")
	tens          = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	oddOrdinals   = map[string]string{"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
	chineseDigits = []rune("〇一二三四五六七八九")
)

// cardinal writes a number below 1000 in English words.
func cardinal(n int) string {
	switch {
	case n < 20:
		return smallNumbers[n]
	case n < 100:
		if n%10 == 0 {
			return tens[n/10]
		}
		return tens[n/10] + "-" + smallNumbers[n%10]
	case n < 1000:
		out := smallNumbers[n/100] + " hundred"
		if n%100 > 0 {
			out += " " + cardinal(n%100)
		}
		return out
	}
	return ""
}

func ordinalText(n int) string {
	words := cardinal(n)
	at := strings.LastIndexAny(words, " -") + 1
	last := words[at:]
	switch {
	case last == "":
		return ""
	case oddOrdinals[last] != "":
		last = oddOrdinals[last]
	case strings.HasSuffix(last, "y"):
		last = last[:len(last)-1] + "ieth"
	default:
		last += "th"
	}
	return words[:at] + last
}

func capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// chinese counts to 99 as lists do.
func chinese(n int) string {
	switch {
	case n < 10:
		return string(chineseDigits[n])
	case n > 99:
		return ""
	}
	out := "十"
	if n >= 20 {
		out = string(chineseDigits[n/10]) + out
	}
	if n%10 > 0 {
		out += string(chineseDigits[n%10])
	}
	return out
}
