package counted

import "strings"

// Roman writes a number in small Roman digits; "" below 1 and above 4,999.
func Roman(n int) string {
	if n < 1 || n > 4999 {
		return ""
	}
	var b strings.Builder
	for _, d := range [...]struct {
		value  int
		digits string
	}{
		{1000, "m"},
		{900, "cm"},
		{500, "d"},
		{400, "cd"},
		{100, "c"},
		{90, "xc"},
		{50, "l"},
		{40, "xl"},
		{10, "x"},
		{9, "ix"},
		{5, "v"},
		{4, "iv"},
		{1, "i"},
	} {
		for ; n >= d.value; n -= d.value {
			b.WriteString(d.digits)
		}
	}
	return b.String()
}
