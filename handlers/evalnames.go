package handlers

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"passage/rag"
	"passage/rag/evaluate"
)

// settingName is a setting in a row of a table.
func settingName(s evaluate.Setting) string {
	if rest, auto := strings.CutPrefix(s.String(), "auto"); auto {
		return "each type’s own" + rest
	}
	return s.String()
}

// family is the series of a picture that a setting belongs to, and label its mark
// in it.
func family(s evaluate.Setting) (name, label string) {
	name, label = "each type’s own", "own"
	if s.Strategy != nil {
		name = string(s.Strategy.Kind)
		switch s.Strategy.Kind {
		case rag.SentenceWindow:
			label = string(s.Strategy.Extent)
			if s.Strategy.Extent == rag.ExtentCount {
				label = "k=" + strconv.Itoa(s.Strategy.K)
			}
		case rag.ParentSection:
			label = strconv.Itoa(s.Strategy.SectionCap())
		default:
			label = fmt.Sprintf("%d/%d", s.Strategy.Size, s.Strategy.Overlap)
		}
	}
	s.Strategy = nil
	return name + strings.TrimPrefix(s.String(), "auto"), label
}

// figure writes a mean of a measure: shares with two decimals, milliseconds with
// one, counts with none, so that a column is aligned.
func figure(info evaluate.MeasureInfo, v float64) string {
	switch {
	case !info.Amount:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case info.Measure == evaluate.Latency:
		return grouped(v, 1)
	default:
		return grouped(v, 0)
	}
}

// grouped writes a number with commas between its thousands.
func grouped(v float64, places int) string {
	digits := strconv.FormatFloat(math.Abs(v), 'f', places, 64)
	whole, rest, _ := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if v < 0 {
		return "−" + whole
	}
	return whole
}

// signed writes a difference with its sign.
func signed(info evaluate.MeasureInfo, v float64) string {
	s := strings.TrimPrefix(strings.TrimPrefix(figure(info, v), "−"), "-")
	switch {
	case strings.Trim(s, "0.") == "":
		return "0"
	case v < 0:
		return "−" + s
	default:
		return "+" + s
	}
}

// interval writes the interval of an estimate; "" when it is a point.
func interval(info evaluate.MeasureInfo, e evaluate.Estimate) string {
	low, high := figure(info, e.Low), figure(info, e.High)
	if low == high {
		return ""
	}
	return low + "–" + high
}

// measureInfo describes a measure; one that is not known by its name alone.
func measureInfo(m evaluate.Measure) evaluate.MeasureInfo {
	if info, ok := evaluate.Info(m); ok {
		return info
	}
	return evaluate.MeasureInfo{Measure: m, Label: string(m)}
}

// capital begins a sentence with a label.
func capital(label string) string {
	if label == "" || strings.HasPrefix(label, "nDCG") {
		return label
	}
	return strings.ToUpper(label[:1]) + label[1:]
}
