package analyze_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag/analyze"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"words are stemmed", "Rotating the brokers' certificates", "rotat the broker certif"},
		{"metric", "kube_pod_status_phase", "kube_pod_status_phase kube pod status phase"},
		{"error code", "ERR-4012", "err-4012 err 4012"},
		{"CVE", "(CVE-2026-3172)", "cve-2026-3172 cve 2026 3172"},
		{"range with an en dash", "INR 2.0–3.0", "inr 2.0-3.0 2.0 3.0"},
		{"range with a hyphen", "INR 2.0-3.0", "inr 2.0-3.0 2.0 3.0"},
		{"flag", "--dry-run=client", "dry-run dri run client"},
		{"path", "/etc/kafka/server.properties", "etc/kafka/server.properties etc kafka server.properties server properti"},
		{"version", "v1.28.3", "v1.28.3 1.28.3 1.28"},
		{"dose", "5mg/kg", "5mg/kg 5mg 5 mg kg"},
		{"dose with blanks", "5 mg/kg", "5 mg/kg mg kg"},
		{"camel case", "CoreDNSErrorsHigh", "corednserrorshigh core dns error high"},
		{"acronym in camel case", "HTTPServer", "httpserver http server"},
		{"plural of an acronym", "PVCs", "pvc pvcs"},
		{"plural in lower case", "pvcs", "pvc"},
		{"decimal", "0.25 mg", "0.25 mg"},
		{"thousands", "1,550,000 rows", "1550000 row"},
		{"two numbers", "2,5", "2 5"},
		{"genitive", "the node's disk", "the node disk"},
		{"contraction", "don’t", "dont"},
		{"host and port", "kafka-1:9092", "kafka-1:9092 kafka-1 kafka 1 9092"},
		{"URL", "https://kb.example.com/a?x=1", "http kb.example.com/a kb.example.com kb exampl com a x 1"},
		{"Latin abbreviation", "e.g. this", "e.g this"},
		{"accents", "Übergröße naïve", "ubergross naiv"},
		{"accents in capitals", "GRÖẞE STRAßE ŁÓDŹ Ægir ÆGIR Þór", "gross strass lodz aegir aegir thor"},
		{"Greek", "Άνθρωπος ΟΔΌΣ", "ανθρωποσ οδοσ"},
		{"full-width", "ＥＲＲ－４０１２", "err-4012 err 4012"},
		{"Chinese", "重启服务器", "重启 启服 服务 务器"},
		{"one character", "水", "水"},
		{"Chinese around ASCII", "使用kubectl命令", "使用 kubectl 命令"},
		{"Thai", "เริ่ม", "เร ริ ิ่ ่ม"},
		{"Arabic", "هل يمكن warfarin؟", "هل يمكن warfarin"},
		{"Hindi", "हिन्दी", "हिन्दी"},
		{"programming languages", "C++ and C#", "c++ and c#"},
		{"micro sign", "5µg", "5μg 5 μg"},
		{"nothing but signs", "--- *** :|&! '\"", ""},
		{"NUL", "a\x00b", "a b"},
		{"invalid bytes", "a\xff\xfeb", "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, strings.Join(analyze.Terms(c.text), " "))
		})
	}
}

// T57, T58: a question is a list of words, whatever it holds.
func TestQueryTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"stop words", "How do I rotate the broker certs?", "rotat broker cert"},
		{"each once", "broker, Brokers and BROKER", "broker"},
		{"stop words only", "who is it", "who is it"},
		{"capitals are names", "WHO guideline", "who guidelin"},
		{"query syntax", "a:|&! (b) \"c d\" -e *", "b c d e"},
		{"empty", "", ""},
		{"SQL", "'; drop table units; --", "drop tabl unit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, strings.Join(analyze.QueryTerms(c.text), " "))
		})
	}
	require.Len(t, analyze.QueryTerms(strings.Repeat("lorem1 ", 10)+manyWords(1_000)), analyze.MaxQueryTerms)
}

// An identifier in a question must find it in a text, however either wrote it.
func TestQuestionMeetsText(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"what does 4012 mean", "ERR-4012 says that the lease is gone."},
		{"ERR 4012", "ERR-4012"},
		{"kubernetes 1.28", "Tested with v1.28.3."},
		{"dry run", "kubectl apply --dry-run"},
		{"INR 2.0–3.0", "Keep the INR at 2.0-3.0."},
		{"pod status", "kube_pod_status_phase{phase=\"Failed\"}"},
		{"server.properties", "Edit /etc/kafka/server.properties first."},
		{"5 mg", "Give 5mg/kg."},
		{"vms", "The VMs are down."},
	} {
		text := make(map[string]bool)
		for _, term := range analyze.Terms(c[1]) {
			text[term] = true
		}
		found := 0
		for _, term := range analyze.QueryTerms(c[0]) {
			if text[term] {
				found++
			}
		}
		require.Positive(t, found, "%q in %q", c[0], c[1])
	}
}

// T57: the rules are those of English, and a word or a code in a text of another
// language is found by the same word all the same.
func TestWordsOfOtherLanguagesAreFound(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"German":     "Bei Fehler ERR-4012 das Zertifikat des Brokers erneuern, die Größe prüfen und den Knoten neu starten.",
		"French":     "En cas d'erreur ERR-4012, renouvelez le certificat du serveur et vérifiez l'espace libre.",
		"Spanish":    "Si aparece ERR-4012, renueve los certificados y reinicie el nodo después.",
		"Polish":     "Po błędzie ERR-4012 odnów certyfikat brokera i sprawdź węzły.",
		"Russian":    "При ошибке ERR-4012 обновите сертификат брокера и перезапустите узел.",
		"Greek":      "Σε σφάλμα ERR-4012 ανανεώστε το πιστοποιητικό.",
		"Arabic":     "عند الخطأ ERR-4012 جدد شهادة الخادم",
		"Hindi":      "त्रुटि ERR-4012 पर प्रमाणपत्र नवीनीकृत करें",
		"Chinese":    "出现 ERR-4012 时 请更新证书 并重启服务器 。",
		"Japanese":   "ERR-4012 が出たら 証明書を更新し サーバーを再起動する 。",
		"Korean":     "오류 ERR-4012 발생 시 인증서를 갱신하고 서버를 재시작하세요",
		"Vietnamese": "Khi gặp lỗi ERR-4012 hãy gia hạn chứng chỉ.",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held := analyze.Terms(text)
			require.Contains(t, held, "err-4012")
			require.Contains(t, held, "4012")
			for _, word := range strings.Fields(text) {
				for _, asked := range []string{word, strings.ToUpper(word), strings.Trim(word, ".,。") + "?"} {
					for _, term := range analyze.QueryTerms(asked) {
						require.Contains(t, held, term, "of %q", asked)
					}
				}
			}
		})
	}
	held := analyze.Terms("出现错误时请先重启服务器，然后更新证书。")
	for _, asked := range []string{"重启服务器", "证书", "更新证书"} {
		require.Subset(t, held, analyze.QueryTerms(asked), "a part of a text without blanks")
	}
}

func TestTermsAreBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("QmFzZTY0", 300), strings.Repeat("ä", 500), strings.Repeat("a/", 500)} {
		for _, term := range analyze.Terms(text) {
			require.LessOrEqual(t, len(term), analyze.MaxTerm)
			require.True(t, utf8.ValidString(term))
		}
	}
}

// A shared Analyzer gives the same terms as a fresh one, also when its memory
// of stems has been cleared.
func TestAnalyzerRemembers(t *testing.T) {
	t.Parallel()
	var a analyze.Analyzer
	text := "Rotating certificates of brokers"
	want := analyze.Terms(text)
	for i := range 3 {
		require.Equal(t, want, a.Terms(text))
		a.Terms(manyWords(40_000 * (i + 1)))
	}
	require.Equal(t, want, a.Terms(text))
}

func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		for j := i; ; j /= 26 {
			b.WriteByte(byte('a' + j%26))
			if j < 26 {
				break
			}
		}
		b.WriteString("zat ")
	}
	return b.String()
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "a", "--dry-run", "’s", "1,000,", "v1.2.3.", "ＥＲＲ", "水", "\xff", "C++", "C#", "a//b", "HTTPs", "U.S.A.", "é\u0301"} {
		f.Add(s)
	}
	var a analyze.Analyzer
	f.Fuzz(func(t *testing.T, text string) {
		terms := a.Terms(text)
		require.Equal(t, analyze.Terms(text), terms)
		for _, term := range append(terms, a.QueryTerms(text)...) {
			require.NotEmpty(t, term)
			require.LessOrEqual(t, len(term), analyze.MaxTerm)
			require.True(t, utf8.ValidString(term), "%q", term)
			require.NotContains(t, term, "\x00")
		}
	})
}

func BenchmarkTerms(b *testing.B) {
	lines := corpus(b)
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	var a analyze.Analyzer
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			a.Terms(line)
		}
	}
}

// corpus gives the lines of the long development documents.
func corpus(tb testing.TB) []string {
	tb.Helper()
	dir := os.Getenv("PASSAGE_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(dir, "eval", "docs", "design", "*", "*.md"))
	require.NoError(tb, err)
	if len(files) == 0 {
		tb.Skip("the development data ../shared/eval is not here")
	}
	var lines []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(tb, err)
		lines = append(lines, strings.Split(string(data), "\n")...)
	}
	return lines
}
