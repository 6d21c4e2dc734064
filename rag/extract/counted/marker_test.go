package counted

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line   string
		marker string // "" when there is none
		number int
	}{
		{"a. x", "a.", 1},
		{"z) x", "z)", 26},
		{"B.\tx", "B.", 2},
		{"iv. x", "iv.", 4},
		{"XIV) x", "XIV)", 14},
		{"(lxxxix) x", "(lxxxix)", 89},
		{"(12) x", "(12)", 12},
		{"(c)", "(c)", 3},
		{"1.1 x", "1.1", 1},
		{"1.10. x", "1.10.", 10},
		{"1.2.3.4.5.6) x", "1.2.3.4.5.6)", 6},
		{"1.a) x", "1.a)", 1},
		{"2c. x", "2c.", 3},
		{"A.1 x", "A.1", 1},
		{"C.12.3) x", "C.12.3)", 3},
		{"A.1x", "", 0},
		{"a.1 x", "", 0},
		{"Step 12: x", "Step 12:", 12},
		{"step\u00a03. x", "step\u00a03.", 3},
		{"Étape 2 : x", "Étape 2 :", 2},
		{"ÉTAPE 2 — x", "ÉTAPE 2 —", 2},
		{"Passaggio 4) x", "Passaggio 4)", 4},
		{"1. x", "", 0},
		{"1) x", "", 0},
		{"1.1x", "", 0},
		{"1.1.2024 x", "", 0},
		{"1.2.3.4.5.6.7 x", "", 0},
		{"10.0.0.1 x", "", 0},
		{"1.2.0.1 x", "", 0},
		{"1234.1 x", "", 0},
		{"a.x", "", 0},
		{"a x", "", 0},
		{"ab. x", "", 0},
		{"iiii. x", "", 0},
		{"Iv. x", "", 0},
		{"vx) x", "", 0},
		{"xc) x", "", 0},
		{"(a x", "", 0},
		{"(1.1) x", "", 0},
		{"() x", "", 0},
		{"1.a x", "", 0},
		{"Step x", "", 0},
		{"Step 1", "", 0},
		{"Step 1 is hard", "", 0},
		{"Steps 1: x", "", 0},
		{"Step1: x", "", 0},
		{"", "", 0},
		{"(", "", 0},
		{"\xc3", "", 0},
		{"\xc3\xa9", "", 0},
	} {
		m, ok := Read([]byte(c.line))
		require.Equal(t, c.marker != "", ok, "%q", c.line)
		require.Equal(t, c.marker, c.line[:m.Len], "%q", c.line)
		require.Equal(t, c.number, m.Number, "%q", c.line)
	}
}

// No word for a step is turned away by its first letters.
func TestStepWords(t *testing.T) {
	t.Parallel()
	for _, w := range stepWords {
		for _, line := range []string{w + " 7: x", strings.ToUpper(w) + " 7. x"} {
			m, ok := Read([]byte(line))
			require.True(t, ok, line)
			require.Equal(t, 7, m.Number)
			require.True(t, m.IsStep())
		}
	}
}

func TestRomanNumbers(t *testing.T) {
	t.Parallel()
	for n := 1; n < 90; n++ {
		s := Roman(n)
		require.Equal(t, n, romanNumber([]byte(s)))
		require.Equal(t, n, romanNumber([]byte(strings.ToUpper(s))))
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b  string
		same  bool
		below bool // b counts below a
	}{
		{"a)", "b)", true, false},
		{"i)", "ii)", true, false},
		{"a)", "b.", false, false},
		{"1)", "a)", false, false},
		{"1)", "2)", true, false},
		{"1.", "2)", false, false},
		{"-", "-", true, false},
		{"1.1", "1.2", true, false},
		{"1.", "1.1", false, true},
		{"1)", "1.a)", false, true},
		{"2.", "1.1", false, false},
		{"1.2", "1.2.1", false, true},
		{"1.2", "1.3.1", false, false},
		{"1.", "1.2.1", false, false},
		{"Step 1:", "Step 2:", true, false},
		{"Step 1:", "1.1", false, false},
		{"A.", "A.1", false, true},
		{"A.1", "A.1.1", false, true},
		{"B.", "A.1", false, false},
		{"1.", "A.1", false, false},
	} {
		require.Equal(t, c.same, SameStyle(c.a, c.b), "%s %s", c.a, c.b)
		require.Equal(t, c.below, Below(c.b, c.a), "%s %s", c.b, c.a)
	}
}

// The scan looks at each line once, whatever the lists in it.
func TestScanKeepsFewLists(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 5_000 {
		text.WriteString(strings.Repeat(" ", i%300) + strings.Repeat(">", i%7) + "a) x\n\ny\n\n")
	}
	text.WriteString("a) x\nb) y\n")
	found := scan([]byte(text.String()))
	require.Len(t, found, 5_002)
	require.NotNil(t, markerAt(found, text.Len()-5))
	require.NotNil(t, markerAt(found, text.Len()-10))
}
