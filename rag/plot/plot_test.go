package plot_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/plot"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sweep is a chart as an evaluation draws it.
func sweep() plot.Chart {
	window := plot.Series{Name: "sentence window"}
	for k, y := range []float64{0.41, 0.55, 0.62, 0.66, 0.67, 0.67} {
		window.Points = append(window.Points, plot.Point{
			X: float64(60 + 90*k), Y: y, Low: y - 0.06, High: y + 0.05, Label: fmt.Sprintf("k=%d", k), Strong: k == 3,
			Detail: fmt.Sprintf("window k=%d: %.2f at %d tokens", k, y, 60+90*k),
		})
	}
	return plot.Chart{
		ID: "all", Title: "Recall against tokens", Desc: "Recall rises to 0.67.",
		X: plot.Axis{Label: "tokens per question", Log: true, Zero: true},
		Y: plot.Axis{Label: "recall", Least: 0, Most: 1},
		Series: []plot.Series{window, {Name: "parent section", Points: []plot.Point{
			{X: 420, Y: 0.78, Low: 0.7, High: 0.86, Label: "512"}, {X: 610, Y: 0.81, Low: 0.74, High: 0.88, Label: "1024"},
		}}, {Name: "fixed", Apart: true, Points: []plot.Point{{X: 1280, Y: 0.6, Label: "256/32"}}}},
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]plot.Chart{
		"sweep": sweep(),
		"empty": {ID: "empty", Title: "Nothing", Y: plot.Axis{Most: 1}},
		"point": {ID: "point", Title: "One", Series: []plot.Series{{Name: "one", Points: []plot.Point{{X: 100, Y: 0.5, Label: "k=1"}}}}, Y: plot.Axis{Most: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", name+".svg")
			got := strings.ReplaceAll(c.SVG(), "><", ">\n<") + "\n"
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// element is an element of a drawing, with the text directly inside it.
type element struct {
	name string
	attr map[string]string
	text string
}

// parse reads a drawing as XML, which it has to be.
func parse(t *testing.T, svg string) []*element {
	t.Helper()
	var all, open []*element
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			require.Empty(t, open)
			return all
		}
		require.NoError(t, err, svg)
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(token)
			}
		}
	}
}

func ofClass(all []*element, class string) []*element {
	var found []*element
	for _, e := range all {
		for c := range strings.FieldsSeq(e.attr["class"]) {
			if c == class {
				found = append(found, e)
			}
		}
	}
	return found
}

var (
	numbers   = regexp.MustCompile(`-?\d+(\.\d+)?`)
	translate = regexp.MustCompile(`^translate\((-?[\d.]+) (-?[\d.]+)\)`)
)

// check says what holds for every drawing.
func check(t *testing.T, svg string) []*element {
	t.Helper()
	require.NotContains(t, svg, "NaN")
	require.NotContains(t, svg, "Inf")
	require.NotContains(t, svg, "style=", "a content security policy without inline styles takes it")
	all := parse(t, svg)
	root := all[0]
	require.Equal(t, "svg", root.name)
	require.Equal(t, "img", root.attr["role"])
	for id := range strings.FieldsSeq(root.attr["aria-labelledby"]) {
		n := 0
		for _, e := range all {
			if e.attr["id"] == id {
				n++
			}
		}
		require.Equal(t, 1, n, "id %q", id)
	}
	view := numbers.FindAllString(root.attr["viewBox"], -1)
	require.Len(t, view, 4)
	inside := func(x, y string) {
		for i, v := range []string{x, y} {
			n, err := strconv.ParseFloat(v, 64)
			require.NoError(t, err)
			most, err := strconv.ParseFloat(view[2+i], 64)
			require.NoError(t, err)
			require.True(t, n >= 0 && n <= most, "%s is in the picture", v)
		}
	}
	for _, e := range all {
		if e.name == "text" && e.attr["x"] != "" {
			inside(e.attr["x"], e.attr["y"])
		}
		if e.name == "line" {
			inside(e.attr["x1"], e.attr["y1"])
			inside(e.attr["x2"], e.attr["y2"])
		}
		if at := translate.FindStringSubmatch(e.attr["transform"]); at != nil {
			inside(at[1], at[2])
		}
	}
	return all
}

func TestEveryChartIsWellFormed(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	many := plot.Series{Name: "many"}
	for i := range 200 {
		many.Points = append(many.Points, plot.Point{X: float64(i), Y: float64(i%17) / 17, Low: 0, High: 1, Label: "k=" + strconv.Itoa(i)})
	}
	var families []plot.Series
	for i := range 20 {
		families = append(families, plot.Series{Name: strings.Repeat("family ", 9) + strconv.Itoa(i), Points: []plot.Point{{X: float64(i), Y: 1}}})
	}
	for name, c := range map[string]struct {
		chart plot.Chart
		marks int
	}{
		"no series":                   {plot.Chart{}, 0},
		"series without points":       {plot.Chart{Series: []plot.Series{{Name: "a"}, {Name: "b"}}}, 2},
		"one point":                   {plot.Chart{Series: []plot.Series{{Points: []plot.Point{{X: 3, Y: 0}}}}}, 1},
		"equal points":                {plot.Chart{Series: []plot.Series{{Points: []plot.Point{{X: 3, Y: 1}, {X: 3, Y: 1}}}}, Y: plot.Axis{Most: 1}}, 2},
		"200 points":                  {plot.Chart{Series: []plot.Series{many}, X: plot.Axis{Log: true, Zero: true}}, 201},
		"twenty series":               {plot.Chart{Series: families}, 40},
		"numbers that are none":       {plot.Chart{Series: []plot.Series{{Points: []plot.Point{{X: nan, Y: 1}, {X: 1, Y: inf}, {X: 1, Y: 1, Low: nan, High: inf}}}}}, 1},
		"huge, tiny and negative":     {plot.Chart{Series: []plot.Series{{Points: []plot.Point{{X: 1e18, Y: -1e18}, {X: 1e-300, Y: 1e18}}}}, X: plot.Axis{Log: true}}, 2},
		"a log axis with a zero":      {plot.Chart{Series: []plot.Series{{Points: []plot.Point{{X: 0, Y: 1}, {X: 5000, Y: 1}}}}, X: plot.Axis{Log: true}}, 2},
		"values outside their bounds": {plot.Chart{Series: []plot.Series{{Points: []plot.Point{{X: 1, Y: -2}, {X: 2, Y: 3}}}}, Y: plot.Axis{Most: 1}}, 2},
		"what has to be escaped": {plot.Chart{
			ID: `"><script>`, Title: "<b>&\x00\xff", Desc: `"'`, X: plot.Axis{Label: "</text>"}, Y: plot.Axis{Label: "<!--"},
			Series: []plot.Series{{Name: "</g>", Points: []plot.Point{{X: 1, Y: 1, Label: "<i>", Detail: "]]>&amp;"}}}},
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := check(t, c.chart.SVG())
			require.Len(t, ofClass(all, "plot-mark"), c.marks, "marks, those of the legend included")
			for _, e := range all {
				require.NotContains(t, []string{"script", "b", "i"}, e.name)
			}
		})
	}
}

func TestTextsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	all := check(t, plot.Chart{Title: "a < b & c", Series: []plot.Series{{Name: "x > y", Points: []plot.Point{{X: 1, Y: 1, Label: "k<3", Detail: `"quoted"`}}}}}.SVG())
	require.Equal(t, "a < b & c", all[1].text)
	require.Equal(t, "x > y", ofClass(all, "plot-legend")[0].text)
	require.Equal(t, "k<3", ofClass(all, "plot-point")[0].text)
	var titles []string
	for _, e := range all {
		if e.name == "title" {
			titles = append(titles, e.text)
		}
	}
	require.Equal(t, []string{"a < b & c", `"quoted"`}, titles)
}

func TestLabelsNeverLieOnEachOther(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var s plot.Series
		for i := range 40 {
			s.Points = append(s.Points, plot.Point{X: r.Float64(), Y: r.Float64(), Label: "k=" + strconv.Itoa(i), Strong: i == 7})
		}
		all := check(t, plot.Chart{Series: []plot.Series{s}}.SVG())
		texts := ofClass(all, "plot-point")
		require.NotEmpty(t, texts)
		require.Equal(t, "k=7", ofClass(all, "plot-strong")[0].text, "the one that is set off has its label")
		type at struct{ x, y float64 }
		seen := map[at]bool{}
		for _, e := range texts {
			x, _ := strconv.ParseFloat(e.attr["x"], 64)
			y, _ := strconv.ParseFloat(e.attr["y"], 64)
			wide := float64(len(e.text)) * 6
			if e.attr["text-anchor"] == "end" {
				x -= wide
			}
			for o := range seen {
				require.False(t, math.Abs(o.x-x) < 18 && math.Abs(o.y-y) < 12, "%v and %v", o, e)
			}
			seen[at{x, y}] = true
		}
	}
}

func ticks(t *testing.T, c plot.Chart) (x, y []string) {
	t.Helper()
	for _, e := range ofClass(check(t, c.SVG()), "plot-tick") {
		if e.attr["text-anchor"] == "middle" {
			x = append(x, e.text)
		} else {
			y = append(y, e.text)
		}
	}
	return x, y
}

func TestAxesHaveRoundTicks(t *testing.T) {
	t.Parallel()
	points := func(values ...float64) []plot.Series {
		var s plot.Series
		for i := 0; i+1 < len(values); i += 2 {
			s.Points = append(s.Points, plot.Point{X: values[i], Y: values[i+1]})
		}
		return []plot.Series{s}
	}
	for name, c := range map[string]struct {
		chart plot.Chart
		x, y  []string
	}{
		"fractions end at 1": {
			plot.Chart{Series: points(0, 0.62, 10, 0.99), Y: plot.Axis{Most: 1}},
			[]string{"0", "2", "4", "6", "8", "10"},
			[]string{"0.6", "0.7", "0.8", "0.9", "1.0"},
		},
		"tokens on a log axis": {
			plot.Chart{Series: points(45, 0, 3100, 1), X: plot.Axis{Log: true}},
			[]string{"20", "50", "100", "200", "500", "1,000", "2,000", "5,000"},
			[]string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"},
		},
		"tokens that are close": {
			plot.Chart{Series: points(410, 0, 1900, 1), X: plot.Axis{Log: true, Zero: true}},
			[]string{"0", "500", "1,000", "1,500", "2,000"},
			[]string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"},
		},
		"below zero": {
			plot.Chart{Series: points(-1500, 1, 500, 2), X: plot.Axis{Zero: true}},
			[]string{"−1,500", "−1,000", "−500", "0", "500"},
			[]string{"1.0", "1.2", "1.4", "1.6", "1.8", "2.0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, y := ticks(t, c.chart)
			require.Equal(t, c.x, x)
			require.Equal(t, c.y, y)
		})
	}
}

func TestMarksStandWhereTheirValuesAre(t *testing.T) {
	t.Parallel()
	c := plot.Chart{Series: []plot.Series{{Points: []plot.Point{{X: 0, Y: 0}, {X: 5, Y: 0.5}, {X: 10, Y: 1, Low: 0.5, High: 1}}}}}
	var at [][2]float64
	all := check(t, c.SVG())
	for _, e := range ofClass(all, "plot-mark") {
		m := translate.FindStringSubmatch(e.attr["transform"])
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		at = append(at, [2]float64{x, y})
	}
	require.Len(t, at, 3)
	require.InDelta(t, at[0][0]+at[2][0], 2*at[1][0], 0.2)
	require.InDelta(t, at[0][1]+at[2][1], 2*at[1][1], 0.2)
	require.Less(t, at[2][1], at[0][1], "up is more")
	bar := ofClass(all, "plot-bar")
	require.Len(t, bar, 3, "one error bar, of three lines")
	require.Equal(t, fmt.Sprint(at[1][1]), bar[0].attr["y1"], "its low end is as high as the point of that value")
	line := ofClass(all, "plot-line")[0].attr["points"]
	require.Equal(t, fmt.Sprintf("%v,%v %v,%v %v,%v", at[0][0], at[0][1], at[1][0], at[1][1], at[2][0], at[2][1]), line)
}
