package plot

import (
	"math"
	"slices"
	"strconv"
)

// scale places values on an axis.
type scale struct {
	low, high float64
	log       bool
	ticks     []float64
	decimals  int
}

const (
	mostTicks = 7
	spanOfLog = 10.0 // an axis is logarithmic when the greatest value is this many times the smallest
)

// scale fits an axis around values.
func (a Axis) scale(values []float64) scale {
	low, high := a.ends(values)
	if a.Log && low > 0 && high/low >= spanOfLog {
		return logScale(low, high)
	}
	if a.Zero && (len(values) == 0 || slices.Min(values) >= 0) {
		low = 0
	}
	s := linear(low, high)
	if a.Least < a.Most { // rounding outwards may have passed a bound
		s.clip(a.Least, a.Most)
	}
	return s
}

// ends are the smallest and the greatest value, apart from each other.
func (a Axis) ends(values []float64) (low, high float64) {
	bounded := a.Least < a.Most
	if len(values) == 0 {
		if bounded {
			return a.Least, a.Most
		}
		return 0, 1
	}
	low, high = values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	if high-low < 1e-9*max(math.Abs(low), math.Abs(high), 1) { // one value, or as good as one
		pad := max(math.Abs(low)*0.1, 0.05)
		low, high = low-pad, high+pad
		if bounded {
			low, high = max(low, a.Least), min(high, a.Most)
		}
	}
	return low, high
}

// clip keeps the scale inside bounds, unless values lie outside of them.
func (s *scale) clip(least, most float64) {
	if s.low < least && least < s.high {
		s.low = least
	}
	if s.high > most && most > s.low {
		s.high = most
	}
	kept := s.ticks[:0]
	for _, t := range s.ticks {
		if t >= s.low && t <= s.high {
			kept = append(kept, t)
		}
	}
	s.ticks = kept
}

// linear widens the ends to round numbers and puts ticks on round numbers, as
// Paul Heckbert describes it: Nice numbers for graph labels, Graphics Gems, 1990.
func linear(low, high float64) scale {
	step := nice((high - low) / (mostTicks - 1))
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	s := scale{low: first * step, high: last * step, decimals: decimals(step)}
	for i := 0.0; i <= last-first && i <= 2*mostTicks; i++ {
		s.ticks = append(s.ticks, (first+i)*step)
	}
	return s
}

// nice is the next of 1, 2 and 5 times a power of ten.
func nice(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

func decimals(step float64) int {
	return min(max(int(-math.Floor(math.Log10(step)+1e-9)), 0), 6)
}

// logScale puts ticks on 1, 2 and 5 times the powers of ten, or on the powers
// alone when those would be too many.
func logScale(low, high float64) scale {
	s := scale{log: true}
	from, to := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	factors := []float64{1, 2, 5}
	if to-from > 3 {
		factors = factors[:1]
	}
	every := max(math.Ceil((to-from)/mostTicks), 1)
	for e := from; e <= to; e += every {
		for _, m := range factors {
			s.ticks = append(s.ticks, m*math.Pow(10, e))
		}
	}
	// The scale reaches from the last tick below the values to the first above.
	for len(s.ticks) > 2 && s.ticks[1] <= low {
		s.ticks = s.ticks[1:]
	}
	for n := len(s.ticks); n > 2 && s.ticks[n-2] >= high; n = len(s.ticks) {
		s.ticks = s.ticks[:n-1]
	}
	s.low, s.high = min(s.ticks[0], low), max(s.ticks[len(s.ticks)-1], high)
	s.decimals = decimals(s.low)
	return s
}

// to places a value between two coordinates.
func (s scale) to(v, from, to float64) float64 {
	low, high := s.low, s.high
	if s.log {
		v, low, high = math.Log10(v), math.Log10(low), math.Log10(high)
	}
	if high <= low {
		return (from + to) / 2
	}
	share := min(max((v-low)/(high-low), 0), 1)
	return from + share*(to-from)
}

// format writes a tick: thousands with a comma, no more decimals than the
// ticks differ by, powers for what is out of all proportion.
func (s scale) format(v float64) string {
	if math.Abs(v) >= 1e9 || v != 0 && math.Abs(v) < 1e-6 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	places := s.decimals
	if s.log && v >= 1 {
		places = 0
	}
	digits := strconv.FormatFloat(math.Abs(v), 'f', places, 64)
	whole := len(digits)
	if places > 0 {
		whole -= places + 1
	}
	for i := whole - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if v < 0 {
		return "−" + digits
	}
	return digits
}
