package archive_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/extract/archive"
)

// pack makes a ZIP file of names and contents.
func pack(tb testing.TB, files ...[2]string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f[0])
		require.NoError(tb, err)
		_, err = w.Write([]byte(f[1]))
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

func paths(a *archive.Archive) []string {
	var out []string
	for _, e := range a.Entries {
		out = append(out, e.Path)
	}
	return out
}

func TestOpen(t *testing.T) {
	t.Parallel()
	data := pack(t,
		[2]string{"b/", ""}, [2]string{"b/two.MD", "# Two"}, [2]string{"a.txt", "one"}, [2]string{"b/logo.png", "x"}, [2]string{"LICENSE", "x"},
		[2]string{"b/c.png", "x"}, [2]string{".git/x.md", "x"}, [2]string{"__MACOSX/._a.txt", "x"}, [2]string{"b/~$two.docx", "x"},
		[2]string{"inner.zip", "x"}, [2]string{`win\dir\three.md`, "3"}, [2]string{"../../etc/four.md", "4"}, [2]string{"C:/five.md", "5"},
	)
	require.True(t, archive.Is("Export.ZIP"))
	require.False(t, archive.Is("a.docx"))
	a, err := archive.Open("export.zip", data)
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt", "b/two.MD", "etc/four.md", "five.md", "win/dir/three.md"}, paths(a))
	require.Equal(t, "4 files of export.zip are of kinds that are not read and were left out: 2 .png, 1 without an ending, 1 .zip.", a.LeftOutNote())
	got, err := a.Entries[1].Read()
	require.NoError(t, err)
	require.Equal(t, "# Two", string(got))
	require.NoError(t, a.Close())

	file := filepath.Join(t.TempDir(), "export.zip")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	a, err = archive.OpenFile(file)
	require.NoError(t, err)
	got, err = a.Entries[0].Read()
	require.NoError(t, err)
	require.Equal(t, "one", string(got))
	require.NoError(t, a.Close())
	_, err = archive.OpenFile(file + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Files whose names differ only in what is taken off them are all there.
func TestPathsAreToldApart(t *testing.T) {
	t.Parallel()
	a, err := archive.Open("a.zip", pack(t,
		[2]string{"b.md", "1"}, [2]string{"a/../b.md", "2"}, [2]string{"b\x01.md", "3"}, [2]string{"b (2).md", "4"},
		[2]string{"A: intro.md", "5"}, [2]string{"B: intro.md", "6"}, [2]string{"D:/b.md", "7"},
	))
	require.NoError(t, err)
	got := map[string]string{}
	for _, e := range a.Entries {
		data, err := e.Read()
		require.NoError(t, err)
		got[e.Path] = string(data)
	}
	require.Equal(t, map[string]string{
		"b.md": "1", "b (2).md": "2", "b (3).md": "3", "b (2) (2).md": "4", "A: intro.md": "5", "B: intro.md": "6", "b (4).md": "7",
	}, got)
}

func TestLongNamesAreShortened(t *testing.T) {
	t.Parallel()
	a, err := archive.Open(strings.Repeat("x", 500)+".zip", pack(t, [2]string{"a.md", "x"}, [2]string{"b." + strings.Repeat("y", 50_000), "x"}))
	require.NoError(t, err)
	require.Less(t, len(a.LeftOutNote()), 300)
}

// Names that are not UTF-8 are in code page 437, whatever a packer's flag says.
func TestNamesOfOldPackers(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "Gr\x94\xe1e.md", NonUTF8: true})
	require.NoError(t, err)
	_, err = w.Write([]byte("x"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	a, err := archive.Open("a.zip", b.Bytes())
	require.NoError(t, err)
	require.Equal(t, []string{"Größe.md"}, paths(a))
	require.Empty(t, a.LeftOutNote())
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		data []byte
		code rag.Code
		says string
	}{
		{"no archive", []byte("# Title"), rag.CodeInvalid, "cannot be opened as a ZIP archive"},
		{"cut", pack(t, [2]string{"a.md", "x"})[:40], rag.CodeInvalid, "cannot be opened as a ZIP archive"},
		{"empty", pack(t), rag.CodeInvalid, "holds no document"},
		{"only pictures", pack(t, [2]string{"a.png", "x"}), rag.CodeInvalid, "holds no document"},
		{"only an archive", pack(t, [2]string{"a.zip", "x"}), rag.CodeInvalid, "holds no document"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := archive.Open("x.zip", c.data)
			require.Equal(t, c.code, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), c.says)
			require.Contains(t, rag.ErrorMessage(err), "“x.zip”")
		})
	}
}

// A file that unpacks to more than it may is given up while it is read, and all
// files of an archive share one limit.
func TestBombs(t *testing.T) {
	t.Parallel()
	data := pack(t, [2]string{"big.md", strings.Repeat("0", extract.MaxBytes+1)}, [2]string{"a.md", "12345"},
		[2]string{"zeros.md", strings.Repeat("0", 2<<20)})
	require.Less(t, len(data), extract.MaxBytes/100)
	a, err := archive.Open("bomb.zip", data)
	require.NoError(t, err)
	small, big, zeros := a.Entries[0], a.Entries[1], a.Entries[2]
	_, err = zeros.Read()
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "“zeros.md” unpacks to more than 100 times its size")
	_, err = big.Read()
	require.Equal(t, rag.CodeTooLarge, rag.ErrorCode(err))
	require.Equal(t, fmt.Sprintf("“big.md” has more than %d MB. Divide it into several files.", extract.MaxBytes>>20), rag.ErrorMessage(err))

	a.Leave(9)
	got, err := small.Read()
	require.NoError(t, err)
	require.Equal(t, "12345", string(got))
	for _, e := range []archive.Entry{small, big, small} {
		_, err = e.Read()
		require.Equal(t, rag.CodeTooLarge, rag.ErrorCode(err))
		require.Equal(t, "“bomb.zip” unpacks to more than 1024 MB. Divide it into several archives.", rag.ErrorMessage(err))
	}
}

func TestEntriesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	sum := crc32.ChecksumIEEE([]byte("text"))
	for _, c := range []struct {
		name   string
		header zip.FileHeader
		says   string
	}{
		{"encrypted", zip.FileHeader{Flags: 1, CRC32: sum}, "protected by a password"},
		{"another method", zip.FileHeader{Method: 97, CRC32: sum}, "cannot be unpacked"},
		{"wrong check sum", zip.FileHeader{CRC32: sum + 1}, "cannot be unpacked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			h := c.header
			h.Name, h.CompressedSize64, h.UncompressedSize64 = "d/a.md", 4, 4
			w, err := z.CreateRaw(&h)
			require.NoError(t, err)
			_, err = w.Write([]byte("text"))
			require.NoError(t, err)
			require.NoError(t, z.Close())
			a, err := archive.Open("x.zip", b.Bytes())
			require.NoError(t, err)
			_, err = a.Entries[0].Read()
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), c.says)
			require.Contains(t, rag.ErrorMessage(err), "“a.md”")
		})
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(pack(f, [2]string{"a.md", "# A"}, [2]string{"../b/c.txt", "c"}, [2]string{"d.png", "x"}))
	f.Add(pack(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := archive.Open("a.zip", data)
		if err != nil {
			require.Contains(t, []rag.Code{rag.CodeInvalid, rag.CodeTooLarge}, rag.ErrorCode(err))
			return
		}
		for _, e := range a.Entries {
			require.NotEmpty(t, e.Path)
			require.NotContains(t, strings.Split(e.Path, "/"), "..")
			if _, err := e.Read(); err != nil {
				require.Contains(t, []rag.Code{rag.CodeInvalid, rag.CodeTooLarge}, rag.ErrorCode(err))
			}
		}
		_ = a.LeftOutNote()
	})
}
