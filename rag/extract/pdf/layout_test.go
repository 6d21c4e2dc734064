package pdf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two columns of running text, with lines at different heights.
var (
	leftText = []string{
		"Before the pump is used for the", "first time it is calibrated by the", "people who made it. They write the", "value down and sign it with their",
		"names. Nobody else may change it,", "not even in a hurry, and nobody", "asks them to do so.",
	}
	rightText = []string{
		"The record is kept in the folder", "that hangs beside the pump, where", "everybody can read in it. A copy is", "sent to the maker once a year and",
		"is kept there for as long as the", "pump is in use, and ten years", "after that.",
	}
)

func TestColumns(t *testing.T) {
	t.Parallel()
	slow(t)
	left, right := strings.Join(leftText, " "), strings.Join(rightText, " ")
	t.Run("the left one before the right one", func(t *testing.T) {
		t.Parallel()
		p := append(column(60, 200, 13, set{}, leftText...), column(240, 204, 13, set{}, rightText...)...)
		require.Equal(t, "paragraph ⟨1⟩"+left+"\nparagraph "+right+"\n", read(t, (&maker{}).page(p...)))
	})
	t.Run("a title above and a line below", func(t *testing.T) {
		t.Parallel()
		p := append(column(60, 200, 13, set{}, leftText...), column(240, 200, 13, set{}, rightText...)...)
		p = append(p, set{x: 120, y: 160, text: "All about the calibration", size: 18, font: bold}, set{x: 60, y: 330, text: "This last sentence stands below both columns and is read after both of them."})
		require.Equal(t, "h1 ⟨1⟩All about the calibration\nparagraph "+left+"\nparagraph "+right+"\nparagraph This last sentence stands below both columns and is read after both of them.\n", read(t, (&maker{}).page(p...)))
	})
	t.Run("a sentence runs over the column", func(t *testing.T) {
		t.Parallel()
		p := append(column(60, 200, 13, set{}, leftText[:6]...), column(240, 200, 13, set{}, append([]string{"asks them to do so, in general."}, rightText...)...)...)
		got := read(t, (&maker{}).page(p...))
		require.Contains(t, got, "and nobody asks them to do so, in general.")
	})
	t.Run("in the order of the file mixed up", func(t *testing.T) {
		t.Parallel()
		var p []set
		for i := range leftText {
			p = append(p, set{x: 60, y: 200 + 13*float64(i), text: leftText[i]}, set{x: 240, y: 200 + 13*float64(i), text: rightText[i]})
		}
		require.Equal(t, "paragraph ⟨1⟩"+left+"\nparagraph "+right+"\n", read(t, (&maker{}).page(p...)))
	})
}

func TestTables(t *testing.T) {
	t.Parallel()
	slow(t)
	cells := func(y float64, font string, texts ...string) []set {
		var out []set
		for i, s := range texts {
			if s != "" {
				out = append(out, set{x: 60 + 140*float64(i), y: y, text: s, font: font})
			}
		}
		return out
	}
	join := func(parts ...[]set) *maker {
		var all []set
		for _, p := range parts {
			all = append(all, p...)
		}
		return (&maker{}).page(all...)
	}
	for name, tc := range map[string]struct {
		m    *maker
		want string
	}{
		"columns without lines, a bold header": {
			join(cells(100, bold, "Drug", "Dose", "Remark"), cells(115, "", "Morphine", "5 mg", "slowly"), cells(130, "", "Ketamine", "0.5 mg/kg", "with midazolam")),
			"table \n  header ⟨1⟩Drug ¦ Dose ¦ Remark\n  row Morphine ¦ 5 mg ¦ slowly\n  row Ketamine ¦ 0.5 mg/kg ¦ with midazolam\n",
		},
		"an empty cell stays empty": {
			join(cells(100, bold, "Drug", "Dose", "Remark"), cells(115, "", "Morphine", "", "slowly"), cells(130, "", "Ketamine", "0.5 mg/kg", "with midazolam"), cells(145, "", "Propofol", "1 mg/kg", "")),
			"table \n  header ⟨1⟩Drug ¦ Dose ¦ Remark\n  row Morphine ¦  ¦ slowly\n  row Ketamine ¦ 0.5 mg/kg ¦ with midazolam\n  row Propofol ¦ 1 mg/kg ¦ \n",
		},
		"a cell of two lines": {
			join(cells(100, "", "Morphine", "5 mg", "slowly, and stop when the"), cells(112, "", "", "", "patient is asleep"), cells(130, "", "Ketamine", "0.5 mg/kg", "with midazolam"), cells(148, "", "Propofol", "1 mg/kg", "alone")),
			"table \n  row ⟨1⟩Morphine ¦ 5 mg ¦ slowly, and stop when the patient is asleep\n  row Ketamine ¦ 0.5 mg/kg ¦ with midazolam\n  row Propofol ¦ 1 mg/kg ¦ alone\n",
		},
		"which row a line is of is unknown: no table, no word moved": {
			join(cells(100, "", "", "5 mg", ""), cells(113, "", "Morphine", "", "slowly"), cells(126, "", "", "2.5 mg", ""), cells(139, "", "Ketamine", "30 mg", "with midazolam"), cells(152, "", "Propofol", "1 mg/kg", "alone"), cells(165, "", "", "Half of it", "")),
			"paragraph ⟨1⟩5 mg\nparagraph Morphine slowly\nparagraph 2.5 mg\nparagraph Ketamine 30 mg with midazolam\nparagraph Propofol 1 mg/kg alone\nparagraph Half of it\n",
		},
		"marks with their items are a list": {
			join(
				[]set{{x: 60, y: 100, text: "1."}, {x: 90, y: 100, text: "Open it."}, {x: 60, y: 115, text: "2."}, {x: 90, y: 115, text: "Look inside."}, {x: 60, y: 130, text: "3."}, {x: 90, y: 130, text: "Close it."}}),
			"ordered list\n  item \"1.\"\n    paragraph ⟨1⟩Open it.\n  item \"2.\"\n    paragraph Look inside.\n  item \"3.\"\n    paragraph Close it.\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, read(t, tc.m))
		})
	}
}

// A grid that is drawn as one path, with a cell over two rows.
func TestGrid(t *testing.T) {
	t.Parallel()
	slow(t)
	grid := "0.5 w 60 742 m 360 742 l 60 722 m 360 722 l 160 702 m 360 702 l 60 682 m 360 682 l 60 742 m 60 682 l 160 742 m 160 682 l 360 742 m 360 682 l S\n"
	m := (&maker{}).raw(grid + set{x: 64, y: 114, text: "Drug"}.code("1 0 0 1") + set{x: 164, y: 114, text: "Dose"}.code("1 0 0 1") +
		set{x: 64, y: 134, text: "Ibuprofen"}.code("1 0 0 1") + set{x: 164, y: 134, text: "400 mg"}.code("1 0 0 1") + set{x: 164, y: 154, text: "200 mg in old age"}.code("1 0 0 1") +
		set{x: 60, y: 200, text: "Not with warfarin."}.code("1 0 0 1"))
	require.Equal(t, "table \n  row ⟨1⟩Drug ¦ Dose\n  row Ibuprofen ¦ 400 mg\n  row Ibuprofen ¦ 200 mg in old age\nparagraph Not with warfarin.\n", read(t, m))
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	slow(t)
	text := column(60, 130, 14, set{}, leftText...)
	t.Run("by size, then by weight, then by number", func(t *testing.T) {
		t.Parallel()
		p := append([]set{{x: 60, y: 60, text: "Pumps", size: 20}, {x: 60, y: 100, text: "1 Care", size: 14, font: bold}}, text...)
		p = append(p, set{x: 60, y: 250, text: "1.1 Cleaning", size: 14, font: bold})
		p = append(p, column(60, 270, 14, set{}, rightText...)...)
		p = append(p, set{x: 60, y: 390, text: "In a hurry", font: bold})
		p = append(p, column(60, 405, 14, set{}, leftText...)...)
		got := read(t, (&maker{}).page(p...))
		require.Contains(t, got, "h1 ⟨1⟩Pumps\n")
		require.Contains(t, got, "h2 1 Care\n")
		require.Contains(t, got, "h3 1.1 Cleaning\n")
		require.Contains(t, got, "h3 In a hurry\n")
	})
	t.Run("a bold sentence is none", func(t *testing.T) {
		t.Parallel()
		p := append([]set{{x: 60, y: 100, text: "Never open the pump while it runs.", font: bold}}, text...)
		require.Contains(t, read(t, (&maker{}).page(p...)), "paragraph ⟨1⟩**Never open the pump while it runs.**\n")
	})
	t.Run("two lines are one", func(t *testing.T) {
		t.Parallel()
		p := append([]set{{x: 60, y: 70, text: "The calibration of pumps that are", size: 18}, {x: 60, y: 92, text: "used in the theatre", size: 18}}, text...)
		require.Contains(t, read(t, (&maker{}).page(p...)), "h1 ⟨1⟩The calibration of pumps that are used in the theatre\n")
	})
}

func TestCode(t *testing.T) {
	t.Parallel()
	slow(t)
	p := column(60, 100, 14, set{}, leftText...)
	p = append(p, column(80, 210, 11, set{font: mono, size: 9}, "if ready; then", "    start \\", "        --dry-run", "", "fi")...)
	p = append(p, column(60, 280, 14, set{}, "Then wait.")...)
	require.Contains(t, read(t, (&maker{}).page(p...)), `code p1
  | if ready; then
  |     start \
  |         --dry-run
  | 
  | fi
paragraph Then wait.
`)
	// A document in a typewriter's type is not code from end to end.
	require.Equal(t, "paragraph ⟨1⟩"+strings.Join(leftText, " ")+"\n", read(t, (&maker{}).page(column(60, 100, 12, set{font: mono}, leftText...)...)))
}

func TestMeta(t *testing.T) {
	t.Parallel()
	slow(t)
	m := (&maker{info: "/Title (Microsoft Word - pumps.docx) /Author (Anna) /CreationDate (D:20240131120000+01'00') /ModDate (D:202402)"}).page(body()...)
	doc, err := Read(t.Context(), m.bytes())
	require.NoError(t, err)
	require.Empty(t, doc.Title)
	require.Equal(t, map[string]string{"author": "Anna", "created": "2024-01-31", "date": "2024-02-01"}, doc.Meta)

	for title, want := range map[string]string{
		"Pumps in the theatre": "Pumps in the theatre", "untitled": "", "report_final.pdf": "", "Untitled document": "",
		"Guideline v2.1": "Guideline v2.1", "C:\\docs\\x": "", "12.3": "", "Node.js at work": "Node.js at work",
	} {
		require.Equal(t, want, sensible(title), title)
	}
}
