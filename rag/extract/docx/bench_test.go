package docx

import (
	"strings"
	"testing"
)

// big is a document like those that offices have, as many times over.
func big(tb testing.TB, times int) (data []byte, xml int) {
	tb.Helper()
	one := styled("Heading1", "Rotate the certificates of a broker") + par("", strings.Repeat("The broker holds about a thousand messages and waits. ", 6)) +
		item(1, 0, "Drain the broker and wait until no partition is left on it.") + item(1, 1, "Look at the board.") +
		`<w:p w:rsidR="00A77427" w:rsidRDefault="00A77427"><w:pPr><w:pStyle w:val="Normal"/><w:spacing w:before="120" w:after="120"/><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:pPr>` +
		run(`<w:b/><w:lang w:val="en-GB"/>`, "Never") + run(`<w:lang w:val="en-GB"/>`, " rotate two brokers at once; a group needs a quorum of 10") + run(`<w:vertAlign w:val="superscript"/>`, "3") + "</w:p>" +
		tbl("", tr("<w:tblHeader/>", words("Drug", "Dose", "Interval")...), tr("", words("A", "5 mg/kg", "24 h")...), tr("", words("B", "7 mg/kg", "36 h")...))
	text := strings.Repeat(one, times)
	return pack(tb, parts{"word/document.xml": text, "word/numbering.xml": simple, "word/styles.xml": pstyle("Heading1", "heading 1", "", "")}), len(text)
}

func BenchmarkRead(b *testing.B) {
	data, n := big(b, 1000)
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(data); err != nil {
			b.Fatal(err)
		}
	}
}
