package extract

import (
	"bytes"
	"errors"
	"strings"

	"gopkg.in/yaml.v3"

	"passage/rag"
)

// frontMax is how far the end of front matter is looked for.
const frontMax = 64 << 10

// front is the front matter of a Markdown file.
type front struct {
	block   rag.Block
	meta    map[string]string
	warning string
}

var errNoFront = errors.New("no front matter")

// frontMatter reads the front matter that a text begins with: YAML between
// lines of "---" (the end may be "..."), or TOML between lines of "+++". What
// only looks like it, because the lines between two rules are prose, is left
// to the Markdown reader.
func frontMatter(src []byte) (front, error) {
	var fence string
	switch {
	case bytes.HasPrefix(src, []byte("---")):
		fence = "---"
	case bytes.HasPrefix(src, []byte("+++")):
		fence = "+++"
	default:
		return front{}, errNoFront
	}
	start := lineEnd(src, 0)
	if len(trimRight(src[3:start])) != 0 || start == len(src) {
		return front{}, errNoFront
	}
	start++
	for at := start; at < len(src) && at < frontMax; {
		end := lineEnd(src, at)
		line := string(trimRight(src[at:end]))
		if line == fence || (fence == "---" && line == "...") {
			f := front{block: rag.Block{
				Kind:    rag.BlockMeta,
				Span:    rag.Span{Start: 0, End: at + len(line)},
				Content: rag.Span{Start: start, End: max(start, at-1)},
			}}
			body := src[start:at]
			if fence == "+++" {
				f.meta = simpleMeta(body, '=')
				return f, nil
			}
			err := f.readYAML(body)
			return f, err
		}
		at = end + 1
	}
	return front{}, errNoFront
}

// readYAML takes the scalar values of the top level, as written: a date stays
// the text that it is in the file.
func (f *front) readYAML(body []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(body, &doc); err != nil {
		f.meta = simpleMeta(body, ':')
		if len(f.meta) == 0 {
			return errNoFront
		}
		f.warning = "The front matter is not valid YAML (" + strings.TrimPrefix(err.Error(), "yaml: ") +
			"); its simple “key: value” lines were used."
		return nil
	}
	if len(doc.Content) == 0 { // nothing, or comments
		return nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return errNoFront
	}
	f.meta = make(map[string]string, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind == yaml.ScalarNode && value.Kind == yaml.ScalarNode && value.Tag != "!!null" {
			f.meta[strings.ToLower(key.Value)] = strings.TrimSpace(value.Value)
		}
	}
	return nil
}

// simpleMeta reads lines of the form key<sep>value up to the first table of
// TOML. Lists, tables and lines of any other form are passed over.
func simpleMeta(body []byte, sep byte) map[string]string {
	meta := map[string]string{}
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, "[") {
			break
		}
		key, value, ok := strings.Cut(line, string(sep))
		key = strings.TrimSpace(key)
		value = strings.TrimSpace(value)
		if !ok || value == "" || !isKey(key) || line[0] == ' ' || line[0] == '\t' || strings.ContainsRune("[{|>&*!", rune(value[0])) {
			continue
		}
		if q := value[0]; q == '"' || q == '\'' {
			value, _, _ = strings.Cut(value[1:], string(q))
		} else {
			value, _, _ = strings.Cut(value, " #")
			value = strings.TrimSpace(value)
		}
		meta[strings.ToLower(key)] = value
	}
	return meta
}

func isKey(s string) bool {
	for _, c := range []byte(s) {
		if !isLetter(c) && !isDigit(c) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return s != ""
}
