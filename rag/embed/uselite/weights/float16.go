package weights

import "math"

// FromFloat16 widens an IEEE 754 binary16 value. Infinities and NaN, which a
// model has no use for, come out as numbers of 65536 and more.
//
// Moving the ten bits of fraction and five of exponent to their float32 places
// gives the value scaled by 2^-112 (the difference of the exponents' biases,
// 127-15), also for subnormals: one multiplication, no branch.
func FromFloat16(h uint16) float32 {
	const scale = 0x1p112
	v := math.Float32frombits(uint32(h&0x7fff)<<13) * scale
	return math.Float32frombits(math.Float32bits(v) | uint32(h&0x8000)<<16)
}

// ToFloat16 rounds to the nearest binary16 value, ties to even. It reports
// false when the value is too large or not a number.
func ToFloat16(f float32) (uint16, bool) {
	const largest = 65504 // the largest finite binary16
	sign := uint16(math.Float32bits(f) >> 16 & 0x8000)
	a := math.Abs(float64(f))
	if !(a <= largest) {
		return 0, false
	}
	// The step between neighbours is 2^-24 for subnormals and grows with the
	// exponent. Dividing by it is exact, so one rounding decides.
	exp := max(math.Ilogb(a), -14)
	units := math.RoundToEven(math.Ldexp(a, 10-exp)) // 0…2048; 1024 is the implicit bit
	if exp == -14 {
		return sign | uint16(units), true
	}
	return sign | uint16(exp+14)<<10 + uint16(units), true
}
