package docx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract/compose"
)

// sound checks what must hold for every document that was read.
func sound(tb testing.TB, doc compose.Document) {
	tb.Helper()
	text := func(s string, lines bool) {
		if !utf8.ValidString(s) {
			tb.Fatalf("not UTF-8: %q", s)
		}
		for _, r := range s {
			if unicode.IsControl(r) && r != '\t' && (r != '\n' || !lines) || r == '\ufeff' {
				tb.Fatalf("%U in %q", r, s)
			}
		}
	}
	inline := func(words []compose.Inline) {
		for _, in := range words {
			text(in.Text, true)
			text(in.Href, false)
		}
	}
	var walk func(blocks []compose.Block, depth int)
	walk = func(blocks []compose.Block, depth int) {
		if depth > 100 {
			tb.Fatal("nested too deeply")
		}
		for i := range blocks {
			b := &blocks[i]
			text(b.Label, false)
			text(b.Code, true)
			inline(b.Words)
			for _, c := range b.Cells {
				inline(c)
			}
			switch b.Kind {
			case rag.BlockHeading:
				require.True(tb, b.Level >= 1 && b.Level <= 6)
				require.NotEmpty(tb, b.Words)
			case rag.BlockParagraph:
				require.NotEmpty(tb, b.Words)
			case rag.BlockList:
				require.NotEmpty(tb, b.Children)
				for k := range b.Children {
					require.Equal(tb, rag.BlockItem, b.Children[k].Kind)
					require.Equal(tb, b.Ordered, b.Children[k].Label != "")
				}
			case rag.BlockTable:
				for k := range b.Children {
					require.Equal(tb, rag.BlockRow, b.Children[k].Kind)
					require.True(tb, !b.Children[k].Header || k == 0)
				}
			default:
			}
			walk(b.Children, depth+1)
		}
	}
	walk(doc.Blocks, 0)
	text(doc.Title, false)
}

// known says that an error is one for a user.
func known(tb testing.TB, err error) {
	tb.Helper()
	if code := rag.ErrorCode(err); code != rag.CodeInvalid && code != rag.CodeTooLarge {
		tb.Fatalf("%v", err)
	}
}

func FuzzParts(f *testing.F) {
	f.Add(par("", "a")+item(1, 0, "b")+tbl("", tr("<w:tblHeader/>", words("c", "d")...), tr("", words("e", "f")...)), simple, pstyle("H", "heading 1", "", ""))
	f.Add(styled("H", "a")+item(1, 1, "b")+"<w:p>"+run(`<w:vertAlign w:val="superscript"/>`, "9")+"</w:p>", simple, pstyle("H", "Warning", "", `<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>`))
	f.Add(`<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>EQ \f(1,\r(2,x))</w:instrText><w:fldChar w:fldCharType="end"/><w:sym w:font="Symbol" w:char="F0A3"/></w:r><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num></m:f></m:oMath></w:p>`,
		abstractNum(0, `<w:numStyleLink w:val="L"/>`)+num(1, 0, `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="-7"/></w:lvlOverride>`), `<w:style w:type="numbering" w:styleId="L"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`)
	f.Add(tbl("", tr("", tc(`<w:gridSpan w:val="3"/><w:vMerge w:val="restart"/>`, item(1, 0, "a")+item(1, 0, "b"))), tr("", tc("<w:vMerge/>", tbl("", tr("", words("x")...))))), simple, "")
	f.Fuzz(func(t *testing.T, document, numbering, styles string) {
		if len(document)+len(numbering)+len(styles) > 1<<18 {
			return
		}
		from := time.Now()
		doc, err := Read(pack(t, parts{"word/document.xml": document, "word/numbering.xml": numbering, "word/styles.xml": styles}))
		if d := time.Since(from); d > 5*time.Second {
			t.Fatalf("took %v", d)
		}
		if err != nil {
			known(t, err)
			return
		}
		sound(t, doc)
		if strings.Count(document, "\x00") > 0 {
			t.Fatal("a NUL was read")
		}
	})
}

func FuzzFile(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "golden", "*.docx"))
	require.NoError(f, err)
	for _, p := range paths {
		data, err := os.ReadFile(filepath.Clean(p))
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\xD0\xCF\x11\xE0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<18 {
			return
		}
		doc, err := Read(data)
		if err != nil {
			known(t, err)
			return
		}
		sound(t, doc)
	})
}
