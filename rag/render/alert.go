package render

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
)

// maxAlert is the longest kind of an alert, in bytes.
const maxAlert = 40

// alert finds the kind of note that a quote begins with, "[!WARNING]" as GitHub
// and Obsidian write it, and where it ends in the source.
func alert(n *ast.Text, source []byte) (kind string, end int) {
	p := n.Parent()
	if p == nil || p.FirstChild() != n || p.Parent() == nil || p.Parent().Kind() != ast.KindBlockquote || p.Parent().FirstChild() != p {
		return "", 0
	}
	s := n.Segment.Value(source)
	shut := bytes.IndexByte(s, ']')
	if !bytes.HasPrefix(s, []byte("[!")) || shut < 3 || shut > maxAlert {
		return "", 0
	}
	for _, c := range s[2:shut] {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return "", 0
		}
	}
	word := bytes.ToLower(s[2:shut])
	end = shut + 1
	if end < len(s) && (s[end] == '-' || s[end] == '+') { // folded, in Obsidian
		end++
	}
	return string(bytes.ToUpper(word[:1])) + string(word[1:]), n.Segment.Start + end
}
