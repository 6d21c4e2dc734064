package split_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// steps shows each procedure of an outline as lines "number: text", with line
// breaks as "⏎"; procedures are divided by an empty line.
func steps(x rag.Extraction, o rag.Outline) string {
	var b strings.Builder
	for i, p := range o.Procedures {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, s := range p.Steps {
			b.WriteString(s.Number + ": " + strings.ReplaceAll(s.Span.In(x.Text), "\n", "⏎") + "\n")
		}
	}
	return b.String()
}

// How procedures are really written: each of these forms was found in runbooks.
func TestProcedureForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"plain", "1. Drain it.\n2. Stop it.\n", "1.: 1. Drain it.\n2.: 2. Stop it.\n"},
		{"brackets", "1) Drain it.\n2) Stop it.\n", "1): 1) Drain it.\n2): 2) Stop it.\n"},
		{"all ones", "1. Drain.\n1. Stop.\n1. Start.\n", "1.: 1. Drain.\n2.: 1. Stop.\n3.: 1. Start.\n"},
		{"from zero", "0. Drain.\n1. Stop.\n", "0.: 0. Drain.\n1.: 1. Stop.\n"},
		{"bullets below a name", "Steps:\n\n- Snapshot\n- Upgrade\n", ": - Snapshot\n: - Upgrade\n"},
		{"bullets below a bold name", "**Procedure:**\n\n- Snapshot\n- Upgrade\n", ": - Snapshot\n: - Upgrade\n"},
		{"tasks", "1. [ ] Drain.\n2. [x] Stop.\n", "1.: 1. [ ] Drain.\n2.: 2. [x] Stop.\n"},
		{"T78 starts at four", "4. Drain.\n   ```sh\n   cmd\n   ```\n5. Stop.\n", "4.: 4. Drain.⏎   ```sh⏎   cmd⏎   ```\n5.: 5. Stop.\n"},
		{"one item is no procedure", "1. Alone.\n", ""},
		{"fences at the margin, the author counts on", "1. A:\n```\nx\n```\n2. B:\n\n```\ny\n```\n\n3. C\n", "1.: 1. A:⏎```⏎x⏎```\n2.: 2. B:⏎⏎```⏎y⏎```\n3.: 3. C\n"},
		{"fences at the margin, all ones", "1. A:\n\n```\nx\n```\n\n1. B:\n\n```\ny\n```\n\n1. C\n", "1.: 1. A:⏎⏎```⏎x⏎```\n2.: 1. B:⏎⏎```⏎y⏎```\n3.: 1. C\n"},
		{"after text, a list at one is a new one", "1. A\n2. B\n\nOr else:\n\n1. C\n2. D\n", "1.: 1. A\n2.: 2. B\n\n1.: 1. C\n2.: 2. D\n"},
		{"two lists with code between", "1. A\n2. B\n\n```\nx\n```\n\n1. C\n2. D\n", "1.: 1. A\n2.: 2. B\n\n1.: 1. C\n2.: 2. D\n"},
		{"text, note, table and image between steps", "1. A\n\nText.\n\n> [!NOTE]\n> Mind.\n\n|a|\n|-|\n|b|\n\n![x](y.png)\n\n2. B\n", "1.: 1. A⏎⏎Text.⏎⏎> [!NOTE]⏎> Mind.⏎⏎|a|⏎|-|⏎|b|⏎⏎![x](y.png)\n2.: 2. B\n"},
		{"bullets at the margin between steps", "1. A:\n\n- x\n- y\n\n2. B\n", "1.: 1. A:⏎⏎- x⏎- y\n2.: 2. B\n"},
		{"numbered sections, pages apart", "14. A\n\n" + strings.Repeat("Prose.\n\n", 1_500) + "15. B\n", ""},
		{"a heading ends it", "1. A\n\n## H\n\n2. B\n3. C\n", "2.: 2. B\n3.: 3. C\n"},
		{"nested by two and three", "1. A\n  - x\n2. B\n   1. y\n   2. z\n3. C\n", "1.: 1. A⏎  - x\n2.: 2. B⏎   1. y⏎   2. z\n3.: 3. C\n"},
		{"last step leads to bullets at the margin", "1. A\n2. Check:\n\n- x\n- y\n\nEnd.\n", "1.: 1. A\n2.: 2. Check:⏎⏎- x⏎- y\n"},
		{"last step leads to code at the margin", "1. A\n2. **Run:**\n\n```\nx\n```\n\n```\nno part\n```\n", "1.: 1. A\n2.: 2. **Run:**⏎⏎```⏎x⏎```\n"},
		{"last step with code on the next line", "1. A\n2. Run it\n```\nx\n```\n", "1.: 1. A\n2.: 2. Run it⏎```⏎x⏎```\n"},
		{"bullets after a finished last step", "1. A\n2. B.\n\n- x\n- y\n", "1.: 1. A\n2.: 2. B.\n"},
		{"bullets that a lead-in calls steps", "Do the following:\n\n- A\n- B\n", ": - A\n: - B\n"},
		{"bullets that a heading calls steps", "## Recovery steps\n\nMind the gap.\n\n- A\n- B\n\nMore:\n\n- no\n- steps\n", ": - A\n: - B\n"},
		{"bullets of alternatives", "Follow one of these steps:\n\n- A\n- B\n", ""},
		{"plain bullets", "Things:\n\n- A\n- B\n", ""},
		{"sources are no steps", "## References\n\n1. A\n2. B\n", ""},
		{"in a quote and in a bullet", "> 1. A\n> 2. B\n\n- x\n  1. C\n  2. D\n", "1.: 1. A\n2.: 2. B\n\n1.: 1. C\n2.: 2. D\n"},
		{"step headings", "## Fix\n\n### Step 1: A\n\nText.\n\n1. x\n2. y\n\n### Step 2\n\n#### Sub\n\nEnd.\n\n### Other\n", "1: ### Step 1: A⏎⏎Text.⏎⏎1. x⏎2. y\n2: ### Step 2⏎⏎#### Sub⏎⏎End.\n"},
		{"step headings in words", "# Step one\n\nA\n\n# Step two: B\n", "1: # Step one⏎⏎A\n2: # Step two: B\n"},
		{"step headings that do not count up", "# Step 1\n\n# Step 3\n", ""},
		{"step paragraphs", "**Step 1:** A\n\n```\nx\n```\n\nStep 2 - B\n\nEnd.\n", "1: **Step 1:** A⏎⏎```⏎x⏎```\n2: Step 2 - B\n"},
		{"a word of a step", "Step 1 is hard.\n\nStep 2 is harder.\n\nSteps 2 and 3 too.\n", ""},
		{"numbers below front matter, with a comment between", "---\ntitle: T\n---\n1. A\n\n<!-- mind -->\n\n2. B\n", "1.: 1. A⏎⏎<!-- mind -->\n2.: 2. B\n"},
		{"a comment of the shell in a step", "1. A\n   ```sh\n   # no heading\n   ls\n   ```\n2. B\n", "1.: 1. A⏎   ```sh⏎   # no heading⏎   ls⏎   ```\n2.: 2. B\n"},
		{"the last step after one", "1. A\n   - x\n1. B\n", "1.: 1. A⏎   - x\n2.: 1. B\n"},
		{"sub-steps", "1. A\n   a. x\n   b. y\n      i. z\n      ii. q\n2. B\n", "1.: 1. A⏎   a. x⏎   b. y⏎      i. z⏎      ii. q\n2.: 2. B\n"},
		{"sub-steps at the margin", "1. A:\n\na) x\nb) y\n\n2. B:\n\na) z\nb) q\n", "1.: 1. A:⏎⏎a) x⏎b) y\n2.: 2. B:⏎⏎a) z⏎b) q\n"},
		{"sub-steps with numbers, at the margin", "1. A\n1.1 x\n1.2 y\n2. B\n", "1.: 1. A⏎1.1 x⏎1.2 y\n2.: 2. B\n"},
		{"another sign goes on", "1. A\n\n```\nx\n```\n\n2) B\n3) C\n", "1.: 1. A⏎⏎```⏎x⏎```\n2): 2) B\n3): 3) C\n"},
		{"letters", "a) A\nb) B\n\n```\nx\n```\n\nc) C\n", "a): a) A\nb): b) B⏎⏎```⏎x⏎```\nc): c) C\n"},
		{"steps with a colon", "Step 1: A\n\nText.\n\n```\nx\n```\n\nStep 2: B\n", "Step 1:: Step 1: A⏎⏎Text.⏎⏎```⏎x⏎```\nStep 2:: Step 2: B\n"},
		{"steps in bold as titles", "**Step 1 – Drain**\n\nText.\n\n**Step 2 – Stop**\n\nEnd.\n", "1: **Step 1 – Drain**⏎⏎Text.\n2: **Step 2 – Stop**\n"},
		{"steps in bold in German", "**Schritt 1:** A\n\n**Schritt 2:** B\n", "1: **Schritt 1:** A\n2: **Schritt 2:** B\n"},
		{"numbered headings that order", "## Diagnosis\n\n### 1. Check the logs\n\nx\n\n### 2. If it fails, restart it\n\ny\n\n## Z\n", "1: ### 1. Check the logs⏎⏎x\n2: ### 2. If it fails, restart it⏎⏎y\n"},
		{"numbered headings below steps", "## Steps\n\n### 1) The node\n\nx\n\n### 2) The broker\n\ny\n", "1: ### 1) The node⏎⏎x\n2: ### 2) The broker⏎⏎y\n"},
		{"phases below how to", "# How to migrate\n\n## Phase 1: Copy\n\nx\n\n## Phase 2: Switch\n", "1: ## Phase 1: Copy⏎⏎x\n2: ## Phase 2: Switch\n"},
		{"numbered chapters", "# Kafka upgrade procedure\n\n## 1. Overview\n\n## 2. Steps\n\n## 3. Rollback\n", ""},
		{"numbered chapters of a design", "# Design\n\n## 1. The API\n\nx\n\n## 2. The store\n\n## Phase 1: Alpha\n\n## Phase 2: Beta\n", ""},
		{"numbered cases", "## Mitigation\n\n### 1. If it is full, clean it\n\n### 2. If it is slow, wait\n", ""},
		{"tasks below a checklist", "## Release checklist\n\n- [ ] A\n- [x] B\n", ": - [ ] A\n: - [x] B\n"},
		{"bullets below what to reach", "To drain the node:\n\n- Cordon it\n- Move the pods\n- Stop it\n", ": - Cordon it\n: - Move the pods\n: - Stop it\n"},
		{"bullets below how to", "## How to drain a node\n\n* Cordon it\n* Move the pods\n* Stop it\n", ": * Cordon it\n: * Move the pods\n: * Stop it\n"},
		{"bullets below a remedy", "## Resolution\n\n- Restart it\n- Check the logs\n- Close the alert\n", ": - Restart it\n: - Check the logs\n: - Close the alert\n"},
		{"cases below a remedy", "## Resolution\n\n- If A, restart it\n- If B, check it\n- Close it\n", ""},
		{"things below a remedy", "## Mitigation\n\n- The node\n- The pods\n- The disk\n", ""},
		{"things below what to reach", "To drain the node:\n\n- A shell\n- A key\n- Time\n", ""},
		{"bullets in German", "Gehen Sie wie folgt vor:\n\n- A\n- B\n", ": - A\n: - B\n"},
		{"bullets in French", "Procédez comme suit :\n\n- A\n- B\n", ": - A\n: - B\n"},
		{"bullets in Spanish", "Siga los siguientes pasos:\n\n- A\n- B\n", ": - A\n: - B\n"},
		{"bullets in Italian", "## Istruzioni per il riavvio\n\n- A\n- B\n", ": - A\n: - B\n"},
		{"bullets in Portuguese", "## Passo a passo\n\n- A\n- B\n", ": - A\n: - B\n"},
		{"bullets in Dutch", "Doe het volgende:\n\n- A\n- B\n", ": - A\n: - B\n"},
		{"contents are no steps", "**Contents**\n\n1. A\n2. B\n", ""},
		{"definitions are no steps", "## Steps\n\nA\n: b\n: c\n", ""},
		{"next steps are no steps", "## Next steps\n\n- A\n- B\n", ""},
		{"in a note", "!!! note\n    1. A\n    2. B\n", "1.: 1. A\n2.: 2. B\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, o := outline(t, "a.md", c.text)
			require.Equal(t, c.want, steps(x, o))
		})
	}
}

func TestPlainTextProcedures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"numbers", "1. Drain it.\n2. Stop it.\n", "1.: 1. Drain it.\n2.: 2. Stop it.\n"},
		{"brackets", "To fix it:\n\n  1) Drain it.\n  2) Stop it.\n", "1): 1) Drain it.\n2): 2) Stop it.\n"},
		{"letters", "a. Drain it.\nb. Stop it.\nc. Start it.\n", "a.: a. Drain it.\nb.: b. Stop it.\nc.: c. Start it.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, o := outline(t, "a.txt", c.text)
			require.Equal(t, c.want, steps(x, o))
		})
	}
	x, o := outline(t, "a.txt", "Step 1: Drain the node.\n\nStep 2: Stop the broker.\n\nStep 3: Start it.\n")
	require.Len(t, o.Procedures, 1)
	require.Len(t, o.Procedures[0].Steps, 3)
	require.Equal(t, "Step 2: Stop the broker.", o.Procedures[0].Steps[1].Span.In(x.Text))
}

// T22: every unit of a procedure knows its step, and what leads to the steps and
// verifies them knows the procedure.
func TestAroundProcedures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, lead, tail string }{
		{"lead-in and warning", "Intro.\n\n> [!WARNING]\n> Data loss.\n\nTo fix it:\n\n1. A\n2. B\n", "> [!WARNING]\n> Data loss.\n\nTo fix it:", ""},
		{"precondition", "**Before you start**, drain it.\n\n1. A\n2. B\n", "**Before you start**, drain it.", ""},
		{"plain text before", "It is so.\n\n1. A\n2. B\n\nIt was so.\n", "", ""},
		{"verification", "1. A\n2. B\n\nVerify the result:\n\n```\nls\n```\n\nRoll back if it fails.\n\nMore.\n", "", "Verify the result:\n\n```\nls\n```\n\nRoll back if it fails."},
		{"verification as the next section", "## Fix\n\n1. A\n2. B\n\n## Verification\n\nLook.\n\n## Other\n", "", "## Verification\n\nLook."},
		{"a section of that name further on", "## Fix\n\n1. A\n2. B\n\nText.\n\n## Verification\n\nLook.\n", "", ""},
		{"a higher section of that name", "### Fix\n\n1. A\n2. B\n\n## Rollback\n\nLook.\n", "", ""},
		{"list of preconditions", "**Prerequisites**\n\n- x\n- y\n\nRun:\n\n1. A\n2. B\n", "**Prerequisites**\n\n- x\n- y\n\nRun:", ""},
		{"a heading between", "To fix it:\n\n## Fix\n\n1. A\n2. B\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, o := outline(t, "a.md", c.text)
			p := o.Procedures[0]
			require.Equal(t, c.lead, p.Lead.In(x.Text))
			require.Equal(t, c.tail, p.Tail.In(x.Text))
			for _, u := range o.Units {
				switch {
				case p.Span.Contains(u.Span):
					require.Equal(t, 0, u.Procedure)
					require.True(t, p.Steps[u.Step].Span.Contains(u.Span))
				case p.Lead.Contains(u.Span), p.Tail.Contains(u.Span):
					require.Equal(t, []int{0, -1}, []int{u.Procedure, u.Step})
				default:
					require.Equal(t, []int{-1, -1}, []int{u.Procedure, u.Step})
				}
			}
		})
	}
}
