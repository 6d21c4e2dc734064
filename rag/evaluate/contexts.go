package evaluate

import (
	"context"

	"passage/rag"
)

// contexts gives passages in code points. What compression left out of a passage
// divides it into several contexts.
func (j *job) contexts(ctx context.Context, q located, passages []rag.Passage) ([]Context, error) {
	if err := j.load(ctx, q, passages); err != nil {
		return nil, err
	}
	list := []Context{}
	for i, p := range passages {
		if s, ok := q.sources[Key{p.Document.SourceURI, p.Document.Space}]; ok && s.Document.VersionID != p.Version {
			return nil, errReplaced
		}
		text := j.texts.of[p.Version]
		if text == nil {
			return nil, errReplaced // deleted since it was found
		}
		for _, piece := range pieces(p) {
			s := text.points(piece)
			list = append(list, Context{
				DocID: p.Document.SourceURI, Space: p.Document.Space, Start: s.Start, End: s.End, Rank: i + 1, Score: p.Score,
			})
		}
	}
	return list, nil
}

// pieces cuts the gaps out of a passage.
func pieces(p rag.Passage) []rag.Span {
	var list []rag.Span
	rest := p.Span
	for _, gap := range p.Gaps {
		if piece := (rag.Span{Start: rest.Start, End: gap.Start}); !piece.Empty() {
			list = append(list, piece)
		}
		rest.Start = max(rest.Start, gap.End)
	}
	if !rest.Empty() {
		list = append(list, rest)
	}
	return list
}

// load reads the texts of the passages that are not at hand.
func (j *job) load(ctx context.Context, q located, passages []rag.Passage) error {
	var missing []int64
	for _, p := range passages {
		if j.texts.of[p.Version] == nil {
			missing = append(missing, p.Version)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	j.texts.trim(q)
	texts, err := j.o.Corpus.Texts(ctx, j.scope, missing)
	if err != nil {
		return err
	}
	for id, text := range texts {
		j.texts.plain(id, text)
	}
	return nil
}

// mostCached is how many bytes of texts a run keeps at hand.
const mostCached = 64 << 20

// textCache keeps texts by version.
type textCache struct {
	of   map[int64]*Text
	size int
}

func (c *textCache) plain(version int64, text string) {
	if c.of == nil {
		c.of = map[int64]*Text{}
	}
	if c.of[version] == nil {
		c.of[version] = NewText(text, nil)
		c.size += len(text)
	}
}

// tokens gives a text with its tokens.
func (c *textCache) tokens(version int64, text string, tok Tokenizer) *Text {
	c.plain(version, text)
	t := c.of[version]
	t.tokenize(tok)
	return t
}

// trim empties the cache when it is full, except for the texts of a question.
func (c *textCache) trim(q located) {
	if c.size < mostCached {
		return
	}
	kept := textCache{of: map[int64]*Text{}}
	for _, s := range q.sources {
		if t := c.of[s.Document.VersionID]; t != nil {
			kept.of[s.Document.VersionID] = t
			kept.size += len(t.text)
		}
	}
	*c = kept
}
