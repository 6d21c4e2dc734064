package split_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/split"
)

// around shows what surrounds a procedure, one line each.
func around(x rag.Extraction, p rag.Procedure) string {
	var b strings.Builder
	for _, s := range p.Around {
		b.WriteString(string(s.Kind) + ": " + strings.ReplaceAll(s.Span.In(x.Text), "\n", "⏎") + "\n")
	}
	return b.String()
}

// What stands around a procedure is recorded as what it is.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		lead, tail       string
	}{
		{
			"every kind, in paragraphs",
			"Intro.\n\n**Prerequisites:**\n\n- x\n\n> **Warning**\n> Hot.\n\nTo fix it:\n\n1. A\n2. B\n\nVerify it:\n\n```\nls\n```\n\nRoll back if it fails.\n\nMore.\n",
			"precondition: **Prerequisites:**⏎⏎- x\nwarning: > **Warning**⏎> Hot.\nlead_in: To fix it:\nverification: Verify it:⏎⏎```⏎ls⏎```\nrollback: Roll back if it fails.\n",
			"**Prerequisites:**\n\n- x\n\n> **Warning**\n> Hot.\n\nTo fix it:", "Verify it:\n\n```\nls\n```\n\nRoll back if it fails.",
		},
		{
			"every kind, in sections",
			"# Fix\n\n## Before you begin\n\n- x\n\n## Warnings\n\nHot.\n\n## Steps\n\n1. A\n2. B\n\n## Verification\n\nLook.\n\n## Rollback\n\nUndo it.\n\n## Other\n",
			"precondition: ## Before you begin⏎⏎- x\nwarning: ## Warnings⏎⏎Hot.\nverification: ## Verification⏎⏎Look.\nrollback: ## Rollback⏎⏎Undo it.\n",
			"## Before you begin\n\n- x\n\n## Warnings\n\nHot.", "## Verification\n\nLook.\n\n## Rollback\n\nUndo it.",
		},
		{
			"sections around steps that are sections",
			"## Prerequisites\n\nx\n\n## Procedure\n\nIntro.\n\n### Step 1: A\n\ny\n\n### Step 2: B\n\nz\n\n## Validation\n\nLook.\n",
			"precondition: ## Prerequisites⏎⏎x\nverification: ## Validation⏎⏎Look.\n",
			"## Prerequisites\n\nx", "## Validation\n\nLook.",
		},
		{
			"a roll-back in steps is named, and is a procedure of its own",
			"## Steps\n\n1. A\n2. B\n\n## Rollback\n\n1. C\n2. D\n",
			"rollback: ## Rollback⏎⏎1. C⏎2. D\n",
			"", "",
		},
		{
			"preconditions in steps",
			"## Prerequisites\n\n1. A\n2. B\n\n## Steps\n\nGo:\n\n1. C\n2. D\n",
			"precondition: ## Prerequisites⏎⏎1. A⏎2. B\nlead_in: Go:\n",
			"Go:", "",
		},
		{
			"German",
			"## Voraussetzungen\n\nx\n\n## Vorgehen\n\n**Achtung:** heiß.\n\n1. A\n2. B\n\nÜberprüfen Sie das Ergebnis.\n\n## Rückgängig machen\n\ny\n",
			"precondition: ## Voraussetzungen⏎⏎x\nwarning: **Achtung:** heiß.\nverification: Überprüfen Sie das Ergebnis.\nrollback: ## Rückgängig machen⏎⏎y\n",
			"## Voraussetzungen\n\nx\n\n## Vorgehen\n\n**Achtung:** heiß.", "Überprüfen Sie das Ergebnis.\n\n## Rückgängig machen\n\ny",
		},
		{
			"French",
			"## Prérequis\n\nx\n\n## Étapes\n\n1. A\n2. B\n\n## Vérification\n\ny\n\n## Retour arrière\n\nz\n",
			"precondition: ## Prérequis⏎⏎x\nverification: ## Vérification⏎⏎y\nrollback: ## Retour arrière⏎⏎z\n",
			"## Prérequis\n\nx", "## Vérification\n\ny\n\n## Retour arrière\n\nz",
		},
		{
			"Spanish, Italian, Portuguese and Dutch",
			"Antes de empezar, x.\n\n1. A\n2. B\n\nVerificare il risultato.\n\nPara reverter, y.\n",
			"precondition: Antes de empezar, x.\nverification: Verificare il risultato.\nrollback: Para reverter, y.\n",
			"Antes de empezar, x.", "Verificare il risultato.\n\nPara reverter, y.",
		},
		{
			"a note that says no more is a lead-in",
			"> [!TIP]\n> Do it at night.\n\n1. A\n2. B\n",
			"lead_in: > [!TIP]⏎> Do it at night.\n",
			"> [!TIP]\n> Do it at night.", "",
		},
		{
			"nothing of it",
			"## Background\n\nx\n\n## Fix\n\nIt is so.\n\n1. A\n2. B\n\nIt was so.\n\n## Verification\n\ny\n",
			"", "", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, o := outline(t, "a.md", c.text)
			p := o.Procedures[len(o.Procedures)-1]
			if strings.HasPrefix(c.name, "a roll-back") {
				p = o.Procedures[0]
			}
			require.Equal(t, c.want, around(x, p))
			require.Equal(t, c.lead, p.Lead.In(x.Text))
			require.Equal(t, c.tail, p.Tail.In(x.Text))
		})
	}
}

// In plain text, whose headings are usual names.
func TestSurroundingsOfPlainText(t *testing.T) {
	t.Parallel()
	x, o := outline(t, "a.txt", "RESTART THE QUEUE\n\nPrerequisites:\n- a shell\n\nSteps:\n1. Stop it.\n2. Start it.\n\nVerification\n\nLook at it.\n\nROLLBACK\n\nNone.\n")
	require.Len(t, o.Procedures, 1)
	require.Equal(t, "precondition: Prerequisites:⏎- a shell\nverification: Verification⏎⏎Look at it.\nrollback: ROLLBACK⏎⏎None.\n", around(x, o.Procedures[0]))
}

// T23: a procedure in a cell is not cut, and its row comes with the header.
func TestStepsInACell(t *testing.T) {
	t.Parallel()
	text := "| alarm | what to do |\n|---|---|\n| A | 1. Stop it.<br>2. Start it. |\n"
	x, o := outline(t, "a.md", text)
	require.Empty(t, o.Procedures)
	units := o.UnitsOf(rag.SentenceSet)
	require.Len(t, units, 2)
	require.Equal(t, "| A | 1. Stop it.<br>2. Start it. |", units[1].Span.In(x.Text))
	require.Equal(t, "| alarm | what to do |", units[1].Header.In(x.Text))
}

// Surroundings are in order, on their side of the steps, and Lead and Tail hold
// those next to it.
func TestSurroundingsOfDocuments(t *testing.T) {
	t.Parallel()
	kinds := map[rag.SurroundingKind]int{}
	for _, x := range readings(t, ".md") {
		o, err := split.Split(x, split.Options{})
		require.NoError(t, err)
		for _, p := range o.Procedures {
			at := 0
			lead, tail := rag.Span{}, rag.Span{}
			for _, s := range p.Around {
				kinds[s.Kind]++
				require.GreaterOrEqual(t, s.Span.Start, at)
				require.False(t, s.Span.Empty())
				require.Equal(t, strings.TrimSpace(s.Span.In(x.Text)), s.Span.In(x.Text))
				before := s.Kind == rag.LeadIn || s.Kind == rag.Warning || s.Kind == rag.Precondition
				require.Equal(t, before, s.Span.End <= p.Span.Start, s.Kind)
				require.Equal(t, !before, s.Span.Start >= p.Span.End, s.Kind)
				at = s.Span.End
				if before {
					lead = s.Span
				} else if tail.Empty() {
					tail = s.Span
				}
			}
			require.True(t, p.Lead.Empty() || p.Lead.End == lead.End)
			require.True(t, p.Tail.Empty() || p.Tail.Start == tail.Start)
		}
	}
	t.Log(kinds)
}
