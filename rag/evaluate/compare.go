package evaluate

// Compare says how every measure changes from a to b, over the questions that
// both measured, whether they are of one run or of two. The interval is that of
// the paired bootstrap: questions are drawn, and each brings its own difference,
// so that what is hard for both settings does not blur what is between them. The
// results need their outcomes; without common questions the list is empty.
func Compare(a, b Result, seed uint64) []Difference {
	return differ(a.Outcomes, b.Outcomes, seed)
}

func differ(a, b []Outcome, seed uint64) []Difference {
	var list []Difference
	for _, info := range Measures() {
		if d := difference(a, b, info.Measure, seed); d.N > 0 {
			list = append(list, d)
		}
	}
	return list
}

func difference(a, b []Outcome, m Measure, seed uint64) Difference {
	before := map[string]float64{}
	for _, o := range a {
		if v, ok := o.Values[m]; ok {
			before[o.Question] = v
		}
	}
	var from, to, change []float64
	for _, o := range b {
		v, ok := o.Values[m]
		old, both := before[o.Question]
		if ok && both {
			from, to, change = append(from, old), append(to, v), append(change, v-old)
		}
	}
	d := Difference{Measure: m, A: mean(from), B: mean(to), Mean: mean(change), N: len(change)}
	d.Low, d.High = interval(change, seed)
	return d
}
