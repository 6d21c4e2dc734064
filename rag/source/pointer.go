package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// maxPointer is the size below which a file of Git LFS that stands for another
// one stays, and pointerMark how it begins (Git LFS specification, "The
// Pointer").
const maxPointer = 1024

var pointerMark = []byte("version https://git-lfs.github.com/spec/v1\n")

const pointerNote = "%s is kept in Git LFS and only a pointer to it is here, which is not indexed. Put the file itself into the repository, or upload it."

// isPointer says whether bytes are a pointer of Git LFS and not the file.
func isPointer(data []byte) bool { return len(data) < maxPointer && bytes.HasPrefix(data, pointerMark) }

// clean makes a short text that can be shown of a name that cannot be one.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(name, string(utf8.RuneError)))
	for len(name) > 200 {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return name
}
