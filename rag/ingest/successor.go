package ingest

import (
	"path"
	"strings"
)

// successor reads from front matter what takes the document's place: a source
// URI or a title. A path that begins with a dot starts at the document's own
// folder, as a link in its text would.
func successor(meta map[string]string, uri string) string {
	for _, key := range []string{"superseded_by", "superseded-by", "replaced_by"} {
		ref := strings.TrimSpace(meta[key])
		switch {
		case ref == "":
		case strings.HasPrefix(ref, "./") || strings.HasPrefix(ref, "../"):
			return strings.TrimPrefix(path.Join("/", path.Dir(uri), ref), "/")
		default:
			return ref
		}
	}
	return ""
}
