package split_test

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/split"
)

// Each case is written as its sentences; the text is these joined by a blank,
// or by a line break where one starts with "⏎", or by nothing after "¬".
func TestSentences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		sentences []string
	}{
		{"T06 degree with an apostrophe and a colon", []string{"The M.D.'s note.", "Ph.D.: required."}},
		{"T07 Latin abbreviations", []string{"Use a PPI, e.g. omeprazole, as in Lee et al. 2019."}},
		{"T09 short abbreviation at the end", []string{"Dose is 5 mg.", "Stop at 10 a.m.", "Restart later."}},
		{"T10 figure and decimals", []string{"(Fig. 7d, e).", "21.0% vs. 20.2%"}},
		{"T11 a word that is an abbreviation elsewhere", []string{"Look at no.", "Then stop."}},
		{"T11 country at the end", []string{"Made in the U.S.A.", "It works."}},
		{"T14 two Arabic questions with an English name", []string{"هل يمكن استخدام warfarin؟", "ما هي جرعة amoxicillin؟"}},
		{"Urdu", []string{"کیا حال ہے۔", "میں ٹھیک ہوں۔"}},
		{"Hindi", []string{"यह ठीक है।", "आप कैसे हैं?", "मैं ठीक हूँ।"}},
		{"Chinese", []string{"先停止服务。¬", "再检查日志！¬", "好了吗？¬", "“好了。”他说。¬", "完成。"}},
		{"Japanese with a quotation", []string{"これは手順です。¬", "「今日は。」と言った。¬", "次へ進む。"}},
		{"full-width stop", []string{"一つ目．¬", "値は３．５です．"}},
		{"Armenian colon", []string{"Այսօր երկուշաբթի է:", "Վաղը երեքշաբթի է:"}},
		{"Greek question mark", []string{"Πού είναι;", "Εδώ είναι."}},
		{"Ethiopic", []string{"እንደምን አለህ፧¬", "መልካም ቀን።"}},
		{"German", []string{"Am 3. Oktober kam z. B. Dr. Müller mit ca. 5 Mio. Euro.", "„Wann kommst du?“, fragte er.", "Das war’s."}},
		{"French", []string{"M. Dupont, p. ex., est né en 1950.", "Où est-il ?", "Il part, etc.", "Elle reste."}},
		{"Spanish", []string{"¿Cómo está la Sra. Ruiz?", "¡Muy bien!", "Vive en EE.UU. desde ayer."}},
		{"Russian", []string{"А. С. Пушкин родился в 1799 г.", "Он жил в г. Москве, т.е. в столице.", "Да."}},
		{"Dutch", []string{"Dhr. Jansen woont o.a. in Delft.", "Hij is thuis.", "...en toen ging hij."}},
		{"Danish", []string{"Jeg bor i E.U.", "Hvad med dig, f.eks.?"}},
		{"Polish", []string{"To słowo bałt. jest skrótem, tj. krótkie.", "Tak."}},
		{"Slovak", []string{"Sú to vojaci XII. Pluku firmy A s. r. o. z Nitry.", "Dňa 15. 7. 2014 odišli."}},
		{"Roman numbers", []string{"It was World War II.", "It ended."}},
		{"initials and titles", []string{"Mrs. J. R. Clark and Prof. Lee met St. Mary's staff.", "They agreed."}},
		{"I and initial I", []string{"It was you and I.", "Ask Albert I. Jones."}},
		{"companies", []string{"He works at Foo Inc. in Berlin and at Bar Ltd.", "She does not."}},
		{"months", []string{"On Jan. 5 it failed.", "In Sept. it worked."}},
		{"date in words", []string{"Nato il 5 gen. 1960 a Roma.", "Punto."}},
		{"time zone", []string{"It starts at 3 p.m. EST on Monday.", "It ends at 5 p.m.", "Then rest."}},
		{"ellipses", []string{"Wait...", "It goes on … and on.", "Is it … done?", "I never meant that....", "She left."}},
		{"spaced ellipses", []string{"It . . . was so.", "It ends.", ". . . Next one."}},
		{"stop runs", []string{"Really?!", "No!!", "Yes."}},
		{"name with a mark", []string{"She works at Yahoo! in the kitchen.", "Fine."}},
		{"quotation inside", []string{`He said "Stop. Now." and left.`, `"Why?" she asked.`, `"Because."`, "He ran."}},
		{"broken-off speech", []string{`"I was going to--"`, "He stopped."}},
		{"brackets", []string{"Restart it (see step 3. It takes 5 min.) and wait.", "(It was late.)", "They slept."}},
		{"apostrophes open nothing", []string{"The '90s were good.", "The workers' rights too.", "It's done."}},
		{"markup after the stop", []string{"**Done.**", "*Next.*", "<b>Bold.</b>", "[A link.](https://x.y/z.html)", "End."}},
		{"code is opaque", []string{"Run `a. B` first.", "Then `kubectl get pods -o wide`.", "`ls` lists."}},
		{"URLs, mail, files", []string{"See https://x.com/a.b?c=1.2.", "Mail a.b@c.de.", "Edit /etc/a.conf.", "See README.md.", "Done."}},
		{"versions and flags", []string{"Upgrade to v1.28.3.", "Set --dry-run.", "--force is off.", "Node.js runs."}},
		{"numbers", []string{"It has 600.", "Port 443.", "The value is 0.5.", "It costs $.50 or .50!"}},
		{"lower case after a word", []string{"The pod is killed.", "kubectl says so.", "iPhones work."}},
		{"lower case after an abbreviation", []string{"The max. value and the approx. size of the spec. file."}},
		{"footnotes", []string{"It is so.[1][2]", "It was (type 2).10", "From 14% to 45%. [1] [2–4]", "By contrast, no."}},
		{"emoji", []string{"Done 🎉.", "🚀 Launch it!", "Bye 👋"}},
		{"list markers", []string{"1. Drain the node.", "2. Stop it.", "a) here", "⏎ii) there"}},
		{"a list inside a paragraph", []string{"1. Drain the node", "2. Stop the broker", "3. Start it"}},
		{"a number that is no marker", []string{"1. Scale it to 2.", "Then restart."}},
		{"bullets inside a paragraph", []string{"• one", "• two"}},
		{"blank line", []string{"No stop", "⏎⏎Next paragraph"}},
		{"short lines of plain text", []string{"Name: foo", "⏎Owner: bar"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			want := make([]string, len(c.sentences))
			for i, s := range c.sentences {
				breaks := len(s) - len(strings.TrimLeft(s, "⏎"))
				s = s[breaks:]
				switch {
				case breaks > 0:
					text.WriteString(strings.Repeat("\n", breaks/len("⏎")))
				case i > 0 && !strings.HasSuffix(c.sentences[i-1], "¬"):
					text.WriteByte(' ')
				}
				want[i] = strings.TrimSuffix(s, "¬")
				text.WriteString(want[i])
			}
			require.Equal(t, want, cut(text.String(), split.Sentences(text.String())))
		})
	}
}

// A soft line break is no end of a sentence, in the middle of a line that was
// wrapped.
func TestWrappedLines(t *testing.T) {
	t.Parallel()
	text := "The service runs on three nodes and is restarted by the supervisor when\nit fails, which happens in the middle of the night on the\nfirst of May."
	require.Equal(t, []string{text}, cut(text, split.Sentences(text)))
}

// A paragraph is cut alike wherever it stands.
func TestParagraphsAreCutAlone(t *testing.T) {
	t.Parallel()
	paragraphs := []string{
		"Er kam am 3. Oktober. Dr. Weiß (s. Abb. 2) ging.", "See no. 5 of art. 3. It is here.", "Vive en la pág. 3. ¿Sí? 😀", "1. Drain it 2. Stop it", "`a. B", "(open. Still", "“open. Still",
		"В 1945 г. Германия пала.", "W 1920 r. Polska. Koniec.", "Nothing", "a) one b) two", "🎉", "...", "Նա եկավ: Ես.", "好。“好。", "Ende.",
	}
	for _, first := range paragraphs {
		for _, second := range paragraphs {
			want := append(cut(first, split.Sentences(first)), cut(second, split.Sentences(second))...)
			text := first + "\n \r\n" + second
			require.Equal(t, want, cut(text, split.Sentences(text)), "%q", text)
		}
	}
}

// T09, T21, T30: nothing but white space is between sentences.
func requireTiled(t *testing.T, text string, spans []rag.Span) {
	t.Helper()
	at := 0
	for _, s := range spans {
		require.GreaterOrEqual(t, s.Start, at)
		require.Greater(t, s.End, s.Start)
		require.Empty(t, strings.TrimFunc(text[at:s.Start], unicode.IsSpace), "lost before %q", s.In(text))
		first, _ := utf8.DecodeRuneInString(s.In(text))
		last, _ := utf8.DecodeLastRuneInString(s.In(text))
		require.False(t, unicode.IsSpace(first) || unicode.IsSpace(last), "%q is not trimmed", s.In(text))
		at = s.End
	}
	require.Empty(t, strings.TrimFunc(text[at:], unicode.IsSpace))
}

// Unclosed brackets and marks by the thousand take no more than linear time.
func TestSentencesTakeLinearTime(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"(a. B ", "\"a. B ", "`", "'a. B", "[a](b. ", "1. A ", "a. ", ". . ", "…", "!\n", "。", "“a。", "(", ".[1] A", "a.1 ", "x a.m. ",
		"»a. ", "„a. B ", "a.\u00a0» B", "«a. ", "s. r. o. ", "1 г. А ", "2024. 3. ", "A.The ", "a.b/c_d ", "¹.¹ A", "”a. B ", "no. x ", "א. ", "ա: ", "α; ", "क| ", "ก ", "😀 The ", "a. 😀", "۔ا ", "。」你说", "'a b. c ", "x\u300d。",
	} {
		text := strings.Repeat(piece, 250_000/len(piece))
		start := time.Now()
		spans := split.Sentences(text)
		require.Less(t, time.Since(start), 5*time.Second, "%q", piece)
		require.NotEmpty(t, spans)
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"", " ", ".", "A. B", "a.\n\nb", "e.g. x. Y", "(a. B). C", "\"A. B.\" C", "1. a 2. b", "。」", "a . . . . B", "“x”. Y", "U.S. The", "\xff. A", "a.[1] B", "`a. B` c. D", ".\r\nA", "…\u200dA", "„a. B” c. D", "« a ! » B", "a. C. d", "2024. 3. 5. 장", "ա:. Ա", "α; Β", "क | ख", "ก ครับ ก", "a 😀 The", "ایم۔اے۔", "a.The b", "x’s. A", "'s. 's A", "5 г. А"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		requireTiled(t, text, split.Sentences(text))
	})
}
