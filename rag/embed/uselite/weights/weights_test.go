package weights

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFloat16KnownValues(t *testing.T) {
	t.Parallel()
	// IEEE 754-2008, binary16: sign 1, exponent 5 (bias 15), fraction 10.
	cases := map[string]struct {
		bits  uint16
		value float32
	}{
		"zero":               {0x0000, 0},
		"one":                {0x3c00, 1},
		"minus two":          {0xc000, -2},
		"largest":            {0x7bff, 65504},
		"smallest normal":    {0x0400, 0x1p-14},
		"largest subnormal":  {0x03ff, 0x1p-14 - 0x1p-24},
		"smallest subnormal": {0x0001, 0x1p-24},
		"a third":            {0x3555, 0.33325195},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.value, FromFloat16(c.bits)) //nolint:testifylint // the value is exact by definition
			got, ok := ToFloat16(c.value)
			require.True(t, ok)
			require.Equal(t, c.bits, got)
		})
	}
}

func TestFloat16EveryFiniteValueComesBack(t *testing.T) {
	t.Parallel()
	for h := range uint16(0x7c00) {
		for _, bits := range []uint16{h, h | 0x8000} {
			got, ok := ToFloat16(FromFloat16(bits))
			require.True(t, ok)
			require.Equal(t, bits, got)
		}
	}
}

func TestFloat16Rounds(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		value float32
		want  uint16
		ok    bool
	}{
		"tie to even, down":            {1 + 0x1p-11, 0x3c00, true},
		"tie to even, up":              {1 + 3*0x1p-11, 0x3c02, true},
		"just over a tie":              {1 + 0x1p-11 + 0x1p-20, 0x3c01, true},
		"up to the next power":         {2 - 0x1p-12, 0x4000, true},
		"subnormal up to normal":       {0x1p-14 - 0x1p-26, 0x0400, true},
		"half the smallest is zero":    {0x1p-25, 0x0000, true},
		"over half the smallest":       {0x1p-25 + 0x1p-30, 0x0001, true},
		"negative keeps its sign":      {-0x1p-30, 0x8000, true},
		"too large":                    {65505, 0, false},
		"not a number":                 {float32(math.NaN()), 0, false},
		"smaller than any half of one": {1e-20, 0, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := ToFloat16(c.value)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.want, got)
		})
	}
}

func sample() *File {
	return &File{
		Vocabulary: []Entry{{Piece: "\u2581the", Score: -3.5}, {Piece: "", Score: 0}},
		Tensors: []Tensor{
			{Name: "wide", Kind: Float32, Shape: []int{2}, Data: "\x00\x00\x80\x3f\x00\x00\x00\xc0"},
			{Name: "half", Kind: Float16, Shape: []int{1, 3}, Data: "\x00\x3c\x00\xc0\x00\x00"},
		},
	}
}

func TestFileComesBack(t *testing.T) {
	t.Parallel()
	data, err := sample().Append(nil)
	require.NoError(t, err)
	require.NoError(t, Verify(data))
	got, err := Parse(string(data))
	require.NoError(t, err)
	require.Equal(t, sample(), got)

	half, err := got.Tensor("half", 1, 3)
	require.NoError(t, err)
	v := make([]float32, 2)
	half.Floats(v, 1)
	require.Equal(t, []float32{-2, 0}, v)
	wide, err := got.Tensor("wide", 2)
	require.NoError(t, err)
	wide.Floats(v, 0)
	require.Equal(t, []float32{1, -2}, v)

	_, err = got.Tensor("half", 3, 1)
	require.ErrorContains(t, err, "shape [1 3]")
	_, err = got.Tensor("absent")
	require.ErrorContains(t, err, `no tensor "absent"`)
}

func TestVerifySeesOneChangedBit(t *testing.T) {
	t.Parallel()
	data, err := sample().Append(nil)
	require.NoError(t, err)
	data[20] ^= 1
	require.ErrorContains(t, Verify(data), "checksum")
	require.ErrorContains(t, Verify(data[:8]), "shorter")
}

func TestParseRefusesEveryCut(t *testing.T) {
	t.Parallel()
	data, err := sample().Append(nil)
	require.NoError(t, err)
	body := data[:len(data)-32]
	for n := range body {
		_, err := Parse(string(body[:n]) + strings.Repeat("x", 32))
		require.Error(t, err, "cut after %d bytes", n)
	}
	_, err = Parse(string(body) + strings.Repeat("x", 33))
	require.ErrorContains(t, err, "too many")
}

func TestAppendRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	f := sample()
	f.Tensors[0].Shape = []int{3}
	_, err := f.Append(nil)
	require.ErrorContains(t, err, `tensor "wide"`)
	f = sample()
	f.Vocabulary[1].Piece = strings.Repeat("x", 256)
	_, err = f.Append(nil)
	require.ErrorContains(t, err, "vocabulary entry 1")
}
