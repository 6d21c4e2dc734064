// Package split makes the outline of a version: its sections, its procedures
// and the units that are searched, all as spans of the version's text.
//
// Sections tile the text and are the parents; a procedure is kept as one
// thing with its steps, however its author wrote it; sentence units are small
// (a sentence, a list item, a table row, a code block) and fixed chunks are
// cut to size. Everything here is a pure function of the extraction, so a
// preview, an ingest and a test see the same pieces.
package split

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/tokens"
)

// ID names this splitter in recipes. The number rises whenever the same
// extraction would be cut in another way.
const ID = "split/3"

// Options say how to cut.
type Options struct {
	// Tokens counts sections. Without it they have no token counts and no parts.
	Tokens tokens.Tokenizer
	// Chunks cuts chunks of tokens; nil means Tokens. Without both, chunk sets of
	// tokens are refused.
	Chunks tokens.Tokenizer
	// Limit is what the embedder takes at once: sentence units over it are
	// divided. The zero Limit is none.
	Limit Limit
	// Title is the document's, which is embedded with every unit and counts
	// towards the limit.
	Title string
	// SectionCap is the most tokens of a section before it gets parts; 0 means
	// rag.DefaultCap.
	SectionCap int
	// Sets are the unit sets wanted besides the sentence set.
	Sets []rag.UnitSet
}

// Recipe names this splitter and the tokenizers that the sections and sentence
// units depend on: a version of another recipe is stale. Chunks are not in it,
// as their sets name their tokenizer.
func (o Options) Recipe() string {
	recipe := ID
	if o.Tokens != nil {
		recipe += " " + o.Tokens.Name()
	}
	if o.Limit.Most > 0 && !o.Limit.Average {
		recipe += fmt.Sprintf(" %s<=%d", o.Limit.Tokens.Name(), o.Limit.Most)
	}
	return recipe
}

// Chunker gives the tokenizer of chunks, nil for none.
func (o Options) Chunker() tokens.Tokenizer {
	if o.Chunks != nil {
		return o.Chunks
	}
	return o.Tokens
}

// ChunkTokens names the tokenizer of chunks, "" for none: see
// rag.Strategy.UnitSet.
func (o Options) ChunkTokens() string {
	if tok := o.Chunker(); tok != nil {
		return tok.Name()
	}
	return ""
}

// Split makes the outline: sections, procedures, the sentence units and then
// the chunk units of the sets asked for, in their order. Errors: CodeInvalid
// for a set that is none; an error without a code for blocks that are out of
// order or outside the text.
func Split(x rag.Extraction, opts Options) (rag.Outline, error) {
	if err := checkBlocks(x.Text, x.Blocks, rag.Span{End: len(x.Text)}); err != nil {
		return rag.Outline{}, err
	}
	// Every reader but the one of plain text has settled what a line break means.
	d := &document{text: x.Text, blocks: x.Blocks, marked: !strings.HasPrefix(x.Extractor, "text")}
	d.sections = sections(d)
	d.findProcedures()
	d.makeUnits()
	var warnings []string
	if opts.Limit.Most > 0 {
		warnings = d.divide(opts.Limit, opts.Title)
	}
	if opts.Tokens != nil {
		limit := opts.SectionCap
		if limit <= 0 {
			limit = rag.DefaultCap
		}
		d.countSections(opts.Tokens, limit)
	}
	o := rag.Outline{Sections: d.sections, Procedures: d.procedures, Units: d.units, Warnings: warnings}
	for _, set := range opts.Sets {
		if set == rag.SentenceSet {
			continue
		}
		strategy, err := parseSet(set, opts.ChunkTokens())
		if err != nil {
			return rag.Outline{}, err
		}
		if err := AddChunks(x.Text, &o, strategy, opts); err != nil {
			return rag.Outline{}, err
		}
	}
	return o, nil
}

// document is what the passes over one extraction share.
type document struct {
	text       string
	blocks     []rag.Block
	marked     bool // inline markup has a meaning and line breaks are soft
	sections   []rag.Section
	procedures []rag.Procedure
	// Procedures made of sections that end after the place reached.
	fromHeadings []rag.Procedure
	units        []rag.Unit
	paragraphs   int        // leaf blocks so far
	spans        []rag.Span // scratch
}

// checkBlocks makes sure that siblings are in order, children lie inside their
// parents and spans lie on rune boundaries: a reader's fault must not become a
// citation of the wrong bytes.
func checkBlocks(text string, blocks []rag.Block, within rag.Span) error {
	at := within.Start
	for i := range blocks {
		b := &blocks[i]
		if b.Span.Start < at || b.Span.End < b.Span.Start || b.Span.End > within.End || !b.Span.Contains(b.Content) && !b.Content.Empty() {
			return fmt.Errorf("block %s at [%d, %d) is out of order or outside [%d, %d)", b.Kind, b.Span.Start, b.Span.End, at, within.End)
		}
		for _, offset := range [...]int{b.Span.Start, b.Span.End} {
			if offset < len(text) && !utf8.RuneStart(text[offset]) {
				return fmt.Errorf("block %s at [%d, %d) breaks a character", b.Kind, b.Span.Start, b.Span.End)
			}
		}
		if err := checkBlocks(text, b.Children, b.Span); err != nil {
			return err
		}
		at = b.Span.End
	}
	return nil
}

// parseSet reads the name of a set of chunks, those of tokens by the tokenizer
// that is there.
func parseSet(set rag.UnitSet, tokenizer string) (rag.Strategy, error) {
	for _, kind := range []rag.StrategyKind{rag.FixedTokens, rag.FixedChars} {
		s := rag.Strategy{Kind: kind}
		form := strings.Replace(string(s.UnitSet(tokenizer)), "-0-0", "-%d-%d", 1)
		if n, _ := fmt.Sscanf(string(set), form, &s.Size, &s.Overlap); n == 2 && s.UnitSet(tokenizer) == set {
			return s, s.Validate()
		}
	}
	return rag.Strategy{}, rag.Errorf(rag.CodeInvalid, "There is no set of units %q here.", set)
}
