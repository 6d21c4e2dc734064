package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHyphens(t *testing.T) {
	t.Parallel()
	slow(t)
	const rest = "is what this line of the text is about and"
	for name, tc := range map[string]struct {
		lines []string
		want  string
	}{
		"a divided word":                    {[]string{rest + " hyphen-", "ation is named."}, rest + " hyphenation is named."},
		"a soft hyphen":                     {[]string{rest + " soft\u00ad", "ware is named."}, rest + " software is named."},
		"a prefix that keeps its hyphen":    {[]string{rest + " non-", "steroidal drugs."}, rest + " non-steroidal drugs."},
		"the document has the hyphen":       {[]string{rest + " low-", "dose drugs. Take low-dose drugs."}, rest + " low-dose drugs. Take low-dose drugs."},
		"the document has no hyphen":        {[]string{rest + " Non-", "sense, or nonsense."}, rest + " Nonsense, or nonsense."},
		"a name with a number":              {[]string{rest + " COVID-", "19 patients."}, rest + " COVID-19 patients."},
		"an option":                         {[]string{rest + " --dry-", "run of it."}, rest + " --dry-run of it."},
		"a range":                           {[]string{rest + " 2.0-", "3.0 at most."}, rest + " 2.0-3.0 at most."},
		"a range with a dash":               {[]string{rest + " 2.0–", "3.0 at most."}, rest + " 2.0–3.0 at most."},
		"a dash between blanks":             {[]string{rest + " this –", "and that."}, rest + " this – and that."},
		"a name":                            {[]string{rest + " Anglo-", "American rules."}, rest + " Anglo-American rules."},
		"a compound that has one already":   {[]string{rest + " state-of-the-", "art rules."}, rest + " state-of-the-art rules."},
		"a path":                            {[]string{rest + " /etc/my-", "app/conf there."}, rest + " /etc/my-app/conf there."},
		"a slash":                           {[]string{rest + " and/", "or that."}, rest + " and/or that."},
		"a German compound left half open":  {[]string{rest + " Ein- und", "Ausgang."}, rest + " Ein- und Ausgang."},
		"a word divided behind punctuation": {[]string{rest + " (hyphen-", "ation) is named."}, rest + " (hyphenation) is named."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := read(t, (&maker{}).page(column(60, 300, 14, set{}, tc.lines...)...))
			require.Equal(t, "paragraph ⟨1⟩"+tc.want+"\n", got)
		})
	}
}

func TestLetters(t *testing.T) {
	t.Parallel()
	slow(t)
	for name, tc := range map[string]struct {
		puts []set
		want string
	}{
		"a raised number is no digit of the number before it": {
			[]set{{x: 60, y: 300, text: "Start below 10"}, {x: 125.5, y: 296, text: "9", size: 6}, {x: 129, y: 300, text: "/l only."}},
			"Start below 10⁹/l only.",
		},
		"a lowered number": {
			[]set{{x: 60, y: 300, text: "The SpO"}, {x: 95.5, y: 302, text: "2", size: 6}, {x: 102, y: 300, text: "is measured."}},
			"The SpO₂ is measured.",
		},
		"letters one by one, in no order": {
			[]set{{x: 71.1, y: 300, text: "se"}, {x: 60, y: 300, text: "Do"}, {x: 84, y: 300, text: "5 mg"}},
			"Dose 5 mg",
		},
		"signs of a symbol font":   {[]set{{x: 60, y: 300, text: "Give"}, {x: 84, y: 300, text: "³", font: sign}, {x: 94, y: 300, text: "5 mg"}}, "Give ≥ 5 mg"},
		"the same line twice high": {[]set{{x: 60, y: 300, text: "Left"}, {x: 81, y: 300.8, text: "right"}}, "Left right"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "paragraph ⟨1⟩"+tc.want+"\n", read(t, (&maker{}).page(tc.puts...)))
		})
	}
}

// A heading whose letters are set apart is words, not letters.
func TestWideLetters(t *testing.T) {
	t.Parallel()
	slow(t)
	for _, apart := range []string{"1", "2", "3"} {
		m := (&maker{}).raw(apart + " Tc " + set{x: 60, y: 100, text: "WARNINGS AND CAUTIONS"}.code("1 0 0 1"))
		require.Equal(t, "paragraph ⟨1⟩WARNINGS AND CAUTIONS\n", read(t, m), apart)
	}
}

func TestTurned(t *testing.T) {
	t.Parallel()
	slow(t)
	side := set{x: 40, y: 500, text: "Printed copies are not controlled"}
	upright := set{x: 60, y: 100, text: "Open the valve slowly."}

	m := (&maker{}).raw(side.code("0 1 -1 0") + upright.code("1 0 0 1"))
	require.Equal(t, "paragraph ⟨1⟩Open the valve slowly.\nparagraph Printed copies are not controlled\n", read(t, m))

	// A page shown turned: its text stands upright for the reader.
	m = &maker{extra: []string{"/Rotate 90"}}
	m.raw(set{x: 100, y: 742, text: "Open the valve"}.code("0 1 -1 0") + set{x: 114, y: 742, text: "slowly."}.code("0 1 -1 0"))
	require.Equal(t, "paragraph ⟨1⟩Open the valve slowly.\n", read(t, m))

	// A watermark on every page is left out.
	draft := set{x: 150, y: 600, text: "DRAFT", size: 80}
	m = &maker{}
	for _, s := range []string{"Open the valve.", "Close the valve.", "Lock the valve."} {
		m.raw(draft.code("0.7 0.7 -0.7 0.7") + set{x: 60, y: 100, text: s}.code("1 0 0 1"))
	}
	require.NotContains(t, read(t, m), "DRAFT")
}

func TestParagraphs(t *testing.T) {
	t.Parallel()
	slow(t)
	t.Run("runs over a page and keeps where", func(t *testing.T) {
		t.Parallel()
		m := &maker{}
		m.page(column(60, 686, 14, set{}, "The pump is a small one, and it stands where everybody can see it.", "The pump is calibrated before it is used for the first time and")...)
		m.page(column(60, 100, 14, set{}, "once a year after that, by the people who made it.", "Keep the record.")...)
		require.Equal(t, "paragraph ⟨1⟩The pump is a small one, and it stands where everybody can see it. The pump is calibrated before it is used for the first time and ⟨2⟩once a year after that, by the people who made it.\nparagraph Keep the record.\n", read(t, m))
	})
	t.Run("by distance", func(t *testing.T) {
		t.Parallel()
		p := append(column(60, 100, 14, set{}, "The pump is calibrated before it is used for the first time and", "once a year after that, by the people who made it, as they like."),
			column(60, 140, 14, set{}, "The record is kept in the folder that hangs beside the pump, for", "everybody who wants to read in it.")...)
		require.Equal(t, "paragraph ⟨1⟩The pump is calibrated before it is used for the first time and once a year after that, by the people who made it, as they like.\nparagraph The record is kept in the folder that hangs beside the pump, for everybody who wants to read in it.\n", read(t, (&maker{}).page(p...)))
	})
	t.Run("by indentation", func(t *testing.T) {
		t.Parallel()
		p := column(60, 100, 14, set{}, "The pump is calibrated before it is used for the first time and", "once a year after that, by the people who made it, as they like.",
			"", "everybody who wants to read in it.")
		p[2] = set{x: 75, y: 128, text: "The record is kept in the folder that hangs beside it, for"}
		require.Equal(t, "paragraph ⟨1⟩The pump is calibrated before it is used for the first time and once a year after that, by the people who made it, as they like.\nparagraph The record is kept in the folder that hangs beside it, for everybody who wants to read in it.\n", read(t, (&maker{}).page(p...)))
	})
}

func TestLists(t *testing.T) {
	t.Parallel()
	slow(t)
	t.Run("runs over a page", func(t *testing.T) {
		t.Parallel()
		m := &maker{}
		m.page(append(column(60, 660, 14, set{}, "1.", "2."), column(78, 660, 14, set{}, "Close the inlet.", "Open the outlet and wait until the pressure is")...)...)
		m.page(append(column(60, 114, 14, set{}, "3."), column(78, 100, 14, set{}, "gone.", "Take off the lid.")...)...)
		require.Equal(t, `ordered list
  item "1."
    paragraph ⟨1⟩Close the inlet.
  item "2."
    paragraph Open the outlet and wait until the pressure is ⟨2⟩gone.
  item "3."
    paragraph Take off the lid.
`, read(t, m))
	})
	t.Run("marks nest where nothing is indented", func(t *testing.T) {
		t.Parallel()
		p := column(60, 100, 14, set{}, "1. Close the inlet.", "a) Turn it left.", "b) Turn it right.", "2. Open the outlet.")
		require.Equal(t, `ordered list
  item "1."
    paragraph ⟨1⟩Close the inlet.
    ordered list
      item "a)"
        paragraph Turn it left.
      item "b)"
        paragraph Turn it right.
  item "2."
    paragraph Open the outlet.
`, read(t, (&maker{}).page(p...)))
	})
	t.Run("steps with a word", func(t *testing.T) {
		t.Parallel()
		p := column(60, 100, 14, set{}, "Step 1: Close the inlet.", "Step 2: Open the outlet.")
		require.Equal(t, "ordered list\n  item \"Step 1:\"\n    paragraph ⟨1⟩Close the inlet.\n  item \"Step 2:\"\n    paragraph Open the outlet.\n", read(t, (&maker{}).page(p...)))
	})
	t.Run("bullets and dashes", func(t *testing.T) {
		t.Parallel()
		p := append(column(60, 100, 14, set{}, "• Close the inlet.", "• Open the outlet:"), column(75, 128, 14, set{}, "– with the key", "– by hand")...)
		require.Equal(t, `list
  item ""
    paragraph ⟨1⟩Close the inlet.
  item ""
    paragraph Open the outlet:
    list
      item ""
        paragraph with the key
      item ""
        paragraph by hand
`, read(t, (&maker{}).page(p...)))
	})
	t.Run("a number at a line's beginning is no mark", func(t *testing.T) {
		t.Parallel()
		p := column(60, 100, 14, set{}, "The second reading is taken after the first one, in the minute", "2. After that the pump is switched off and it cools down for some", "12. Only then it may be opened.")
		require.Equal(t, "paragraph ⟨1⟩The second reading is taken after the first one, in the minute 2. After that the pump is switched off and it cools down for some 12. Only then it may be opened.\n", read(t, (&maker{}).page(p...)))
	})
	t.Run("a dose is no number of a section", func(t *testing.T) {
		t.Parallel()
		p := column(60, 100, 14, set{}, "Morphine is given as soon as it is there and the patient has pain, so", "that he is at ease.", "2.5 mg are enough.")
		require.Equal(t, "paragraph ⟨1⟩Morphine is given as soon as it is there and the patient has pain, so that he is at ease.\nparagraph 2.5 mg are enough.\n", read(t, (&maker{}).page(p...)))
	})
}
