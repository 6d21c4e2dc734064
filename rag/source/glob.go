package source

import (
	"path"
	"strings"
)

// Match says whether a pattern matches a slash-separated path or a folder that
// it lies in. Patterns are those of path.Match, in which "**" stands for any
// number of folders, none as well. A pattern without a slash, "*.md" or
// "drafts", matches a name at any depth; one with a slash begins at the root. A
// final slash, "drafts/", matches folders only.
func Match(pattern, name string) bool {
	pattern, folders := strings.CutSuffix(pattern, "/")
	if rooted, ok := strings.CutPrefix(pattern, "/"); ok {
		pattern = rooted
	} else if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	want, have := strings.Split(pattern, "/"), strings.Split(name, "/")
	// at[i] says that the first i parts of the pattern match what was read.
	at := make([]bool, len(want)+1)
	at[0] = true
	skip(want, at)
	for i, part := range have {
		for j := len(want); j > 0; j-- {
			if want[j-1] == "**" {
				at[j] = at[j] || at[j-1]
				continue
			}
			ok, err := path.Match(want[j-1], part)
			at[j] = at[j-1] && ok && err == nil
		}
		at[0] = false
		skip(want, at)
		if at[len(want)] && (i < len(have)-1 || !folders) {
			return true
		}
	}
	return false
}

// skip lets every "**" stand for no folder.
func skip(want []string, at []bool) {
	for j, w := range want {
		if w == "**" && at[j] {
			at[j+1] = true
		}
	}
}

func validPattern(p string) bool {
	if p == "" || p == "/" || len(p) > 500 || strings.ContainsAny(p, "\x00\r\n") {
		return false
	}
	_, err := path.Match(p, "")
	return err == nil
}

// chosen says whether a path is among those that are looked at: matched by one
// of the patterns to include, if there are any, and by none to exclude.
func (c Config) chosen(name string) bool {
	for _, p := range c.Exclude {
		if Match(p, name) {
			return false
		}
	}
	for _, p := range c.Include {
		if Match(p, name) {
			return true
		}
	}
	return len(c.Include) == 0
}
