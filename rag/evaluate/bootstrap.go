package evaluate

import (
	"math/rand/v2"
	"slices"
)

// Of the bootstrap.
const (
	resamples  = 2_000
	confidence = 0.95
)

// interval gives the percentile bootstrap interval of the mean of the values
// (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13):
// the middle 95 of 100 means of as many values drawn from them with replacement.
// The same seed draws the same questions from lists of the same length, whatever
// is measured on them.
func interval(values []float64, seed uint64) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	if slices.Min(values) == slices.Max(values) {
		return values[0], values[0]
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(values)))) //nolint:gosec // a repeatable draw, no secret
	means := make([]float64, resamples)
	n := uint32(len(values))
	for i := range means {
		var total float64
		for range values {
			total += values[r.Uint32N(n)]
		}
		means[i] = total / float64(n)
	}
	slices.Sort(means)
	return quantile(means, (1-confidence)/2), quantile(means, (1+confidence)/2)
}

// quantile interpolates between the values of a sorted list: type 7 of Hyndman
// and Fan, "Sample Quantiles in Statistical Packages" (1996).
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	var total float64
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

func estimate(values []float64, amount bool, seed uint64) Estimate {
	e := Estimate{Mean: mean(values), N: len(values)}
	e.Low, e.High = interval(values, seed)
	if amount {
		sorted := slices.Sorted(slices.Values(values))
		e.P50, e.P95 = quantile(sorted, 0.5), quantile(sorted, 0.95)
	}
	return e
}

// Summarise gives the estimates of every measure that some outcome has.
func Summarise(outcomes []Outcome, seed uint64) Summary {
	s := Summary{}
	for _, info := range Measures() {
		if values := column(outcomes, info.Measure); len(values) > 0 {
			s[info.Measure] = estimate(values, info.Amount, seed)
		}
	}
	return s
}

// column gives a measure of the outcomes that have it.
func column(outcomes []Outcome, m Measure) []float64 {
	var values []float64
	for _, o := range outcomes {
		if v, ok := o.Values[m]; ok {
			values = append(values, v)
		}
	}
	return values
}

// summariseTypes does so for each document type that is expected.
func summariseTypes(outcomes []Outcome, seed uint64) map[string]Summary {
	types := map[string][]Outcome{}
	for _, o := range outcomes {
		if o.DocType != "" {
			types[o.DocType] = append(types[o.DocType], o)
		}
	}
	out := make(map[string]Summary, len(types))
	for name, list := range types {
		out[name] = Summarise(list, seed)
	}
	return out
}
