package pdf

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// body is a page of ordinary text.
func body(words ...string) []set {
	lines := []string{"The pump is calibrated before it is used for the first time and", "once a year after that, by the people who made it."}
	return column(60, 300, 14, set{}, append(lines, words...)...)
}

func read(t *testing.T, m *maker) string {
	t.Helper()
	doc, err := Read(context.Background(), m.bytes())
	require.NoError(t, err)
	return dump(doc)
}

func TestPagesWithoutText(t *testing.T) { // T55
	t.Parallel()
	slow(t)
	nothing := set{text: "x", font: noMap, x: 60, y: 100}
	for name, tc := range map[string]struct {
		pages []string
		want  []string
	}{
		"one scanned page":        {[]string{"text", scanned}, []string{"There is no text on page 2: it is probably scanned. Run text recognition (OCR) and upload the file again."}},
		"a range":                 {[]string{"text", scanned, scanned, scanned}, []string{"There is no text on pages 2–4: they are probably scanned. Run text recognition (OCR) and upload the file again."}},
		"several ranges":          {[]string{scanned, "text", scanned, scanned, "text", scanned}, []string{"There is no text on pages 1, 3–4 and 6: they are probably scanned. Run text recognition (OCR) and upload the file again."}},
		"an empty page":           {[]string{"text", ""}, []string{"There is no text on page 2: it is empty."}},
		"fonts without a meaning": {[]string{"text", nothing.code("1 0 0 1")}, []string{"The text on page 2 cannot be read: its fonts do not say which letters they show. Run text recognition (OCR) and upload the file again."}},
		"all is well":             {[]string{"text"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &maker{}
			for _, p := range tc.pages {
				if p == "text" {
					m.page(body()...)
				} else {
					m.raw(p)
				}
			}
			doc, err := Read(context.Background(), m.bytes())
			require.NoError(t, err)
			require.Equal(t, tc.want, doc.Warnings)
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	slow(t)
	locked, err := os.ReadFile("testdata/locked/password.pdf")
	require.NoError(t, err)
	whole := (&maker{}).page(body()...).bytes()
	for name, tc := range map[string]struct {
		data []byte
		code rag.Code
		want string
	}{
		"no bytes":       {nil, rag.CodeInvalid, "cannot be opened as PDF"},
		"no PDF":         {[]byte("Dear reader,\nthis is a letter.\n"), rag.CodeInvalid, "cannot be opened as PDF"},
		"only a head":    {[]byte("%PDF-1.7\n"), rag.CodeInvalid, "cannot be opened as PDF"},
		"its first half": {whole[:200], rag.CodeInvalid, "cannot be opened as PDF"},
		"no pages":       {(&maker{}).bytes(), rag.CodeInvalid, "cannot be opened as PDF"},
		"a password":     {locked, rag.CodeInvalid, "protected with a password"},
		"only pictures":  {(&maker{}).raw(scanned).raw(scanned).bytes(), rag.CodeInvalid, "There is no text in this PDF: its pages are probably scanned. Run text recognition (OCR)"},
		"no letters": {
			(&maker{}).page(set{font: noMap, text: "x", x: 60, y: 90}).bytes(), rag.CodeInvalid,
			"The text in this PDF cannot be read: its fonts do not say which letters they show.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(context.Background(), tc.data)
			require.Error(t, err)
			require.Equal(t, tc.code, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), tc.want)
		})
	}
}

// A file that only its owner may change can be read by everybody.
func TestOwnersPassword(t *testing.T) {
	t.Parallel()
	slow(t)
	data, err := os.ReadFile("testdata/locked/owner.pdf")
	require.NoError(t, err)
	doc, err := Read(context.Background(), data)
	require.NoError(t, err)
	require.Contains(t, dump(doc), "The pump is calibrated")
}

func TestTooManyPages(t *testing.T) {
	t.Parallel()
	slow(t)
	m := &maker{}
	for range maxPages + 1 {
		m.raw("")
	}
	_, err := Read(context.Background(), m.bytes())
	require.Equal(t, rag.CodeTooLarge, rag.ErrorCode(err))
	require.Equal(t, "This PDF has 2001 pages; the limit is 2000. Divide it into several files.", rag.ErrorMessage(err))
}

// A file whose middle is damaged, as after a broken download, gives what is
// left of it or a clear refusal, and the next file is read as ever.
func TestCutFiles(t *testing.T) {
	t.Parallel()
	slow(t)
	whole := (&maker{}).page(body()...).page(body("More.")...).bytes()
	for cut := 100; cut < len(whole); cut += 257 {
		doc, err := Read(context.Background(), whole[:cut])
		if err != nil {
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
			continue
		}
		require.Contains(t, dump(doc), "The pump")
	}
	doc, err := Read(context.Background(), whole)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(dump(doc), "The pump"))
}
