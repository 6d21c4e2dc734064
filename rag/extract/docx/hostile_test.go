package docx

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// TestHostile reads documents that are made to be slow or large. What a reader
// with quadratic costs allocates is far above the bound; the time allows for a
// slow machine.
func TestHostile(t *testing.T) { //nolint:paralleltest // it measures memory and time
	if testing.Short() {
		t.Skip("takes seconds")
	}
	varied := func(n int, f func(i int) string) string {
		var sb strings.Builder
		for i := range n {
			sb.WriteString(f(i))
		}
		return sb.String()
	}
	for _, c := range []struct{ name, xml string }{
		{"very many runs in a paragraph", "<w:p>" + strings.Repeat("<w:r><w:t>a</w:t></w:r>", 10_000) + "</w:p>"},
		{"very many looks in a paragraph", "<w:p>" + strings.Repeat("<w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>b</w:t></w:r>", 10_000) + "</w:p>"},
		{"very many lines in a paragraph", "<w:p><w:r>" + strings.Repeat("<w:t>a</w:t><w:br/>", 10_000) + "<w:br/><w:t>a</w:t></w:r></w:p>"},
		{"fields that never end", "<w:p>" + strings.Repeat(`<w:r><w:fldChar w:fldCharType="begin"/><w:t>a</w:t></w:r>`, 10_000) + "</w:p>"},
		{"paragraphs whose ends are deleted", strings.Repeat(`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>`, 10_000) + par("", "x")},
		{"items ever further to the right", varied(6_000, func(i int) string {
			return par(fmt.Sprintf(`<w:numPr><w:numId w:val="%d"/></w:numPr><w:ind w:left="%d"/>`, 1+i%4, i*100), "a")
		})},
		{"a cell over all rows", tbl("", tr("", tc(`<w:vMerge w:val="restart"/><w:gridSpan w:val="200"/>`, strings.Repeat("word ", 10_000)), tc("", "x")), strings.Repeat(tr("", tc(`<w:gridSpan w:val="200"/><w:vMerge/>`, "<w:p/>"), tc("", "x")), 1000))},
		{"rows of very different length", tbl("", tr("", tc(`<w:gridSpan w:val="256"/>`, "x"), tc("", "y")), strings.Repeat(tr("", tc("", "x")), 10_000))},
		{"header rows without end", tbl("", strings.Repeat(tr("<w:tblHeader/>", tc("", "abc"), tc("", "d")), 4_000), tr("", tc("", "x")))},
		{"tables in tables", strings.Repeat("<w:tbl><w:tr><w:tc>"+item(1, 0, "a")+item(1, 1, "b"), 70) + strings.Repeat("</w:tc></w:tr></w:tbl>", 70)},
		{"boxes of notes", strings.Repeat(styled("Warning", "a")+"<w:p/>"+styled("Note", "b")+"<w:p/>", 10_000)},
		{"equations in equations", "<w:p><m:oMath>" + strings.Repeat("<m:rad><m:e>", 100) + "<m:r><m:t>" + strings.Repeat("x", 60_000) + "</m:t></m:r>" + strings.Repeat("</m:e></m:rad>", 100) + "</m:oMath></w:p>"},
	} {
		t.Run(c.name, func(t *testing.T) { //nolint:paralleltest // as above
			data := pack(t, parts{"word/document.xml": c.xml, "word/numbering.xml": simple})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			from := time.Now()
			doc, err := Read(data)
			took := time.Since(from)
			runtime.ReadMemStats(&after)
			if err != nil {
				require.Equal(t, rag.CodeTooLarge, rag.ErrorCode(err), "%v", err)
			}
			sound(t, doc)
			t.Logf("%d KB in %v, %d MB allocated", len(c.xml)>>10, took, (after.TotalAlloc-before.TotalAlloc)>>20)
			require.Less(t, took, 30*time.Second)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(60*len(c.xml)+(16<<20)))
		})
	}
}
