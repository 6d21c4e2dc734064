package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/embed/uselite/weights"
)

func floats(values ...float32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func TestIntegrityIsChecked(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, checkIntegrity([]byte("another archive")), "pinned is sha512-cVuM")
}

func TestUnpackDropsTheFolderOfTheArchive(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	gz := gzip.NewWriter(&buf)
	tw := tar.NewWriter(gz)
	require.NoError(t, tw.WriteHeader(&tar.Header{Name: "package/dist/vocab.json", Mode: 0o644, Size: 2}))
	_, err := tw.Write([]byte("[]"))
	require.NoError(t, err)
	require.NoError(t, tw.Close())
	require.NoError(t, gz.Close())

	files, err := unpack(buf.Bytes())
	require.NoError(t, err)
	require.Equal(t, map[string][]byte{"dist/vocab.json": []byte("[]")}, files)

	_, err = unpack(buf.Bytes()[:20])
	require.Error(t, err)
}

func TestReadVocabularyTakesNullForZero(t *testing.T) {
	t.Parallel()
	got, err := readVocabulary([]byte(`[["\u2581the",-3.5],[":",null]]`))
	require.NoError(t, err)
	require.Equal(t, []weights.Entry{{Piece: "\u2581the", Score: -3.5}, {Piece: ":", Score: 0}}, got)

	for _, bad := range []string{`[[1,-3.5]]`, `[["a","b"]]`, `{`} {
		_, err := readVocabulary([]byte(bad))
		require.ErrorContains(t, err, "vocab.json", bad)
	}
}

func TestReadTensorsJoinsShards(t *testing.T) {
	t.Parallel()
	const manifest = `{"weightsManifest":[{"paths":["a","b"],"weights":[
		{"name":"one","shape":[2],"dtype":"float32"},
		{"name":"axis","shape":[],"dtype":"int32"},
		{"name":"two","shape":[1,2],"dtype":"float32"}]}]}`
	all := append(floats(1, 2), 9, 0, 0, 0)
	all = append(all, floats(3, 4)...)
	files := func(data []byte) map[string][]byte {
		return map[string][]byte{"dist/model.json": []byte(manifest), "dist/a": data[:5], "dist/b": data[5:]}
	}
	got, err := readTensors(files(all))
	require.NoError(t, err)
	require.Equal(t, map[string]tensor{
		"one": {shape: []int{2}, data: floats(1, 2)},
		"two": {shape: []int{1, 2}, data: floats(3, 4)},
	}, got)

	_, err = readTensors(files(all[:len(all)-1]))
	require.ErrorContains(t, err, `tensor "two"`)
	_, err = readTensors(files(append(all, 0)))
	require.ErrorContains(t, err, "belong to no tensor")
}

func TestConvert(t *testing.T) {
	t.Parallel()
	vector, err := convert("v", tensor{shape: []int{1, 2}, data: floats(1, -2)})
	require.NoError(t, err)
	require.Equal(t, weights.Tensor{Name: "v", Kind: weights.Float32, Shape: []int{2}, Data: string(floats(1, -2))}, vector)

	half, err := convert("m", tensor{shape: []int{1, 1, 2, 2}, data: floats(1, -2, 0.5, 0)})
	require.NoError(t, err)
	require.Equal(t, weights.Tensor{
		Name: "m", Kind: weights.Float16, Shape: []int{2, 2}, Data: "\x00\x3c\x00\xc0\x00\x38\x00\x00",
	}, half)

	_, err = convert("m", tensor{shape: []int{2, 2}, data: floats(1, 1, 1, 70_000)})
	require.ErrorContains(t, err, "does not fit")
}

func TestPackNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := pack(map[string][]byte{"dist/vocab.json": []byte("[]"), "dist/model.json": []byte(`{"weightsManifest":[]}`)})
	require.ErrorContains(t, err, `no tensor "module/Embeddings_en"`)
}
