package pdf

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"passage/rag/extract/compose"
)

// TestNothingIsLost counts the letters that PDFium gives on all pages and
// those of the document read: no letter is lost but those of running heads
// and marks of lists, which are given for each file.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	slow(t)
	for name, heads := range map[string]string{
		"columns":   "",
		"doses":     "",
		"guideline": "Substance Dose Not in",
		"runbook":   strings.Repeat("Platform runbooks Broker certificates", 3) + "Page 1 of 3 Page 2 of 3 Page 3 of 3",
		"handbook":  "Database handbook Storage team Database handbook Storage team Database handbook Page 1 Page 2 Page 3 Page 4 Page 5 •••––",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("testdata", name+".pdf"))
			require.NoError(t, err)
			doc, err := Read(context.Background(), data)
			require.NoError(t, err)
			want := letters(given(t, data))
			for r, n := range letters(heads) {
				want[r] -= n
			}
			got := letters(allText(doc.Blocks))
			delete(want, '-') // hyphens of line ends
			delete(got, '-')
			for r, n := range want {
				if got[r] < n || name != "guideline" && got[r] > n { // guideline repeats a merged cell
					t.Errorf("%q: PDFium gives %d, the document has %d", r, n, got[r])
				}
			}
		})
	}
}

// given is all that PDFium says of a file.
func given(t *testing.T, data []byte) string {
	t.Helper()
	var b strings.Builder
	err := shared.with(context.Background(), maxTime, func(_ context.Context, inst pdfium.Pdfium) error {
		doc, err := inst.OpenDocument(&requests.OpenDocument{File: &data})
		if err != nil {
			return err
		}
		pages, err := inst.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
		if err != nil {
			return err
		}
		for i := range pages.PageCount {
			text, err := inst.GetPageText(&requests.GetPageText{Page: requests.Page{ByIndex: &requests.PageByIndex{Document: doc.Document, Index: i}}})
			if err != nil {
				return err
			}
			b.WriteString(text.Text)
		}
		return nil
	})
	require.NoError(t, err)
	return b.String()
}

// letters counts what is no blank, as search would see it.
func letters(s string) map[rune]int {
	out := map[rune]int{}
	for _, r := range norm.NFKC.String(s) {
		switch {
		case unicode.IsSpace(r):
		case unicode.IsControl(r), r == '\u00ad', r == 0x2010:
			out['-']++
		default:
			out[r]++
		}
	}
	return out
}

// allText is the words of a document with the marks of its items.
func allText(blocks []compose.Block) string {
	var b strings.Builder
	for i := range blocks {
		x := &blocks[i]
		b.WriteString(x.Label)
		b.WriteString(x.Code)
		for _, w := range x.Words {
			b.WriteString(w.Text)
		}
		for _, c := range x.Cells {
			for _, w := range c {
				b.WriteString(w.Text)
			}
		}
		b.WriteString(allText(x.Children))
	}
	return b.String()
}
