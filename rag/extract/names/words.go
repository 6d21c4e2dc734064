package names

import (
	_ "embed"
	"strings"
)

// words is the list of names: see its first lines.
//
//go:embed words.txt
var words string

// phrase is what a heading may begin or end with.
type phrase struct {
	words string
	part  Part
}

// lists are the names, made ready.
type lists struct {
	whole        map[string]Part
	starts, ends []phrase
}

var known = read(words)

func read(words string) lists {
	parts := map[string]Part{
		"steps": Steps, "remedy": Remedy, "before": Before, "warning": Warning,
		"check": Check, "undo": Undo, "sources": Sources, "chapter": Chapter,
	}
	out := lists{whole: map[string]Part{}}
	var how string
	var part Part
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			kind, name, _ := strings.Cut(strings.Trim(line, "[]"), " ")
			how, part = kind, parts[name]
			continue
		}
		for name := range strings.SplitSeq(line, ",") {
			name = strings.ReplaceAll(strings.TrimSpace(name), "~ ", " ")
			switch how {
			case "whole":
				out.whole[name] = part
			case "starts":
				out.starts = append(out.starts, phrase{name, part})
			case "ends":
				out.ends = append(out.ends, phrase{name, part})
			}
		}
	}
	return out
}
