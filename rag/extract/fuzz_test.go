package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"passage/rag"
)

// seeds gives the documents of the golden tests and some random ones, which
// are short, to a fuzz target.
func seeds(f *testing.F, ext string) {
	f.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "golden", "*"+ext))
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		data, err := os.ReadFile(filepath.Clean(p))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for i := range 100 {
		f.Add([]byte(randomDocument(uint64(i))))
	}
}

// checkFile reads a file and checks the result, also that a second reading
// gives the same text from it.
func checkFile(t *testing.T, name string, data []byte) {
	t.Helper()
	before := bytes.Clone(data)
	x, err := File(t.Context(), name, data)
	if !bytes.Equal(before, data) {
		t.Fatal("the file's bytes were changed")
	}
	if err != nil {
		if code := rag.ErrorCode(err); code != rag.CodeInvalid && code != rag.CodeTooLarge {
			t.Fatalf("error without a code: %v", err)
		}
		return
	}
	for _, fault := range faults(x) {
		t.Error(fault)
	}
	PlainText(x.Text)
}

func FuzzMarkdown(f *testing.F) {
	seeds(f, ".md")
	f.Fuzz(func(t *testing.T, data []byte) {
		checkFile(t, "a.md", data)
		src, _, err := decode("a.md", data)
		if err != nil {
			return
		}
		blocks, b := parseBlocks(src, string(src), true)
		if b.strays > 0 {
			t.Errorf("%d pieces of text were in no block", b.strays)
		}
		for _, fault := range faults(rag.Extraction{Text: string(src), Blocks: blocks}) {
			t.Error(fault)
		}
	})
}

func FuzzPlain(f *testing.F) {
	seeds(f, ".txt")
	f.Fuzz(func(t *testing.T, data []byte) { checkFile(t, "a.txt", data) })
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"\ufeffa\r\nb\x00", "\xff\xfea\x00\n\x00", "\xfe\xff\x00a", "\xff\xfe\x00\x00a\x00\x00\x00", "\x00\x00\xfe\xff\x00\x00\x00a",
		"a\x00b\x00c\x00d\x00", "caf\xe9", "\xc2\x85\xc2\x80\xef\xbb\xbf\v\f\x7f", "\xff\xfe\x3d\xd8\x7e\xdc",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, _, err := decode("a", data)
		if err != nil {
			if rag.ErrorCode(err) != rag.CodeInvalid {
				t.Fatalf("error without a code: %v", err)
			}
			return
		}
		if !utf8.Valid(text) {
			t.Fatal("not UTF-8")
		}
		if len(text) > 3*len(data) {
			t.Fatalf("%d bytes of %d", len(text), len(data))
		}
		again, dropped, _ := clean(text)
		if dropped > 0 || !bytes.Equal(again, text) {
			t.Fatalf("not clean: %q", text)
		}
	})
}

func FuzzPlainText(f *testing.F) {
	f.Add("**a** [b](c) `d` <e> &amp; \\* ~~f~~")
	f.Fuzz(func(t *testing.T, s string) {
		got := PlainText(s)
		if len(got) > 3*len(s) {
			t.Fatalf("%d bytes of %d", len(got), len(s))
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
	})
}
