package ingest

import (
	"context"
	"errors"
	"slices"

	"passage/rag"
	"passage/rag/split"
)

// embedBatch is how many units are embedded between two looks at the context.
const embedBatch = 256

// embed fills in the vectors of a version, batch by batch. Those that an earlier
// try made, or that the live version has for the same text, are not made again.
func (in *Ingester) embed(ctx context.Context, t *try, v *rag.NewVersion) error {
	if in.embedder == nil {
		return nil
	}
	kept, err := t.kept(ctx, in.embedder.ID())
	if err != nil {
		return err
	}
	missing := make([]int, 0, len(v.Index))
	for i := range v.Index {
		vector := kept[v.Index[i].Hash]
		if len(vector) == v.Dimension && len(vector) > 0 {
			v.Index[i].Vector = vector
			continue
		}
		missing = append(missing, i)
	}
	done := len(v.Index) - len(missing)
	for len(missing) > 0 {
		if err := t.show(ctx, rag.StageEmbedding, done, len(v.Index)); err != nil {
			return err
		}
		batch := missing[:min(embedBatch, len(missing))]
		missing = missing[len(batch):]
		if err := embed(ctx, in.embedder, v.Title, v.Text, v.Outline, v.Outline.Units, v.Index, batch); err != nil {
			return err
		}
		made := make([]rag.UnitIndex, len(batch))
		for n, i := range batch {
			made[n] = v.Index[i]
		}
		if err := t.keep(ctx, in.embedder.ID(), made, len(missing) > 0); err != nil {
			return err
		}
		done += len(batch)
	}
	return nil
}

// embedAll fills in the vectors of all units in index, which runs parallel to
// units.
func embedAll(ctx context.Context, e rag.Embedder, title, text string, outline rag.Outline, units []rag.Unit, index []rag.UnitIndex) error {
	all := make([]int, len(units))
	for i := range all {
		all[i] = i
	}
	for batch := range slices.Chunk(all, embedBatch) {
		if err := embed(ctx, e, title, text, outline, units, index, batch); err != nil {
			return err
		}
	}
	return nil
}

// embed fills in the vectors of those units whose places are given.
func embed(ctx context.Context, e rag.Embedder, title, text string, outline rag.Outline, units []rag.Unit, index []rag.UnitIndex, places []int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	texts := make([]string, len(places))
	for n, i := range places {
		texts[n] = split.EmbedText(title, outline.Sections[units[i].Section], units[i], text)
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return err
	}
	if len(vectors) != len(texts) {
		return errors.New("embedder returned another number of vectors than it was given texts")
	}
	for n, i := range places {
		index[i].Vector = vectors[n]
	}
	return nil
}
