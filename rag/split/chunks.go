package split

import (
	"iter"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"passage/rag"
	"passage/rag/tokens"
)

// AddChunks appends the chunks of a strategy to the outline, and says when some
// are longer than the embedder takes at once. They stay as they are: their size
// was chosen, and an embedder makes one vector of the parts of a long text.
func AddChunks(text string, o *rag.Outline, strategy rag.Strategy, opts Options) error {
	units, err := Chunks(text, o, strategy, opts.Chunker())
	if err != nil {
		return err
	}
	if w := opts.Limit.longChunks(opts.Title, text, o.Sections, units); w != "" {
		o.Warnings = append(o.Warnings, w)
	}
	o.Units = append(o.Units, units...)
	return nil
}

// Chunks cuts the whole text, front matter included, into pieces of one size,
// each sharing overlap tokens or characters with the one before. They are cut
// at exactly that size, wherever it falls: this is the plain baseline. A
// character is what a reader counts as one (a grapheme cluster) and stays whole.
// Tokens are cut between code points, so those that are parts of one count as
// one, and a chunk of one token holds one code point at least. The last chunk
// holds what is left and at least one token or character of its own; a chunk of
// nothing but white space is left out. Errors: CodeInvalid for a strategy that
// is not fixed or breaks its limits, or tokens without a tokenizer.
func Chunks(text string, outline *rag.Outline, strategy rag.Strategy, tok tokens.Tokenizer) ([]rag.Unit, error) {
	if err := strategy.Validate(); err != nil {
		return nil, err
	}
	var ends iter.Seq[int]
	switch {
	case strategy.Kind == rag.FixedChars:
		ends = characterEnds(text)
	case strategy.Kind != rag.FixedTokens:
		return nil, rag.Errorf(rag.CodeInvalid, "A %s strategy has no chunks of fixed size.", strategy.Kind)
	case tok == nil:
		return nil, rag.Errorf(rag.CodeInvalid, "Chunks of tokens need a tokenizer.")
	default:
		ends = func(yield func(int) bool) {
			for _, end := range tok.Ends(text) {
				if !yield(end) {
					return
				}
			}
		}
	}
	sentences := outline.UnitsOf(rag.SentenceSet)
	set := strategy.UnitSet("")
	if tok != nil {
		set = strategy.UnitSet(tok.Name())
	}
	var units []rag.Unit
	for _, span := range fixed(ends, strategy.Size, strategy.Overlap) {
		if blank(span.In(text)) {
			continue
		}
		u := rag.Unit{
			Set: set, Ordinal: len(units), Kind: rag.UnitChunk, Span: span,
			Section: sectionAt(outline.Sections, span.Start), Procedure: -1, Step: -1,
		}
		if i := firstUnit(sentences, span.Start); i < len(sentences) {
			u.Paragraph = sentences[i].Paragraph
			if sentences[i].Header.End <= span.Start && sentences[i].Span.Start < span.End {
				u.Header = sentences[i].Header
			}
		}
		units = append(units, u)
	}
	return units, nil
}

// fixed groups the ends of tokens or characters: every group starts size minus
// overlap after the one before it, and the last one ends with the text.
func fixed(ends iter.Seq[int], size, overlap int) []rag.Span {
	var out []rag.Span
	step := size - overlap
	n, last := 0, 0
	starts := []int{0}
	for end := range ends {
		n++
		last = end
		if n%step == 0 {
			starts = append(starts, end)
		}
		if n >= size && (n-size)%step == 0 {
			out = append(out, rag.Span{Start: starts[len(out)], End: end})
		}
	}
	if len(out) == 0 && last > 0 || len(out) > 0 && out[len(out)-1].End < last {
		out = append(out, rag.Span{Start: starts[len(out)], End: last})
	}
	return out
}

// characterEnds gives the end of each grapheme cluster (UAX #29).
func characterEnds(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		state := -1
		for at := 0; at < len(text); {
			// Between two ASCII characters there is always a boundary, but in CRLF.
			if text[at] < utf8.RuneSelf && text[at] != '\r' && (at+1 == len(text) || text[at+1] < utf8.RuneSelf) {
				at++
				state = -1
			} else {
				var cluster string
				cluster, _, _, state = uniseg.FirstGraphemeClusterInString(text[at:], state)
				at += len(cluster)
			}
			if !yield(at) {
				return
			}
		}
	}
}
