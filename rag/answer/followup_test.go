package answer

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// talk makes a history of questions and answers in turn.
func talk(turns ...string) []rag.Message {
	var history []rag.Message
	for i, text := range turns {
		m := rag.Message{Role: rag.RoleUser, Text: text, State: rag.AnswerDone}
		if i%2 == 1 {
			m.Role, m.Model = rag.RoleAssistant, "m"
		}
		history = append(history, m)
	}
	return history
}

const (
	rotate   = "How do I rotate the broker certificates?"
	warfarin = "What is the INR target for patients on warfarin?"
)

// T61, T62: what is searched for from the second turn on, without a model.
var chats = []struct {
	name    string
	history []string // question, answer, question, …
	asked   string
	kind    kind
	has     string // words of what is searched for
	lacks   string // words that must not be in it
}{
	// The subject is carried over.
	{"another place", []string{rotate, ""}, "and on EKS?", follows, "broker certificates rotate EKS", ""},
	{"another place instead of the first", []string{"How do I rotate the broker certificates on staging?", ""}, "And on production?", follows, "broker certificates production", "staging"},
	{"that, how long", []string{rotate, ""}, "How long does that take?", follows, "broker certificates", ""},
	{"it, with a place", []string{rotate, ""}, "Can I do it on staging first?", follows, "broker certificates staging", ""},
	{"they", []string{"Which alerts does the Kafka controller raise?", ""}, "When do they fire?", follows, "Kafka controller fire", ""},
	{"there", []string{"Where are the etcd backups kept?", ""}, "Who has access there?", follows, "etcd backups access", ""},
	{"the same", []string{rotate, ""}, "Is it the same for Strimzi?", follows, "broker certificates Strimzi", ""},
	{"this, a noun behind it", []string{"What does KafkaUnderReplicated mean?", ""}, "Who is paged for this alert?", follows, "KafkaUnderReplicated paged", ""},
	{"that, a noun behind it", []string{"How do I drain node-17?", ""}, "Can I restart that node right away?", follows, "node-17 restart", ""},
	{"what about", []string{"How do I rotate the broker certificates?", ""}, "What about the schema registry?", follows, "schema registry rotate certificates", ""},
	{"how about, a long one", []string{"What is the retention of the audit log?", ""}, "How about the access log of the ingress controllers?", follows, "retention audit access ingress", ""},
	{"nothing but a noun that needs one", []string{rotate, ""}, "What are the prerequisites?", follows, "broker certificates prerequisites", ""},
	{"nothing but a verb", []string{rotate, ""}, "How do I verify?", follows, "broker certificates verify", ""},
	{"a verb the lists do not know", []string{rotate, ""}, "How do I troubleshoot the failures?", follows, "broker certificates", ""},
	{"why", []string{rotate, ""}, "Why?", follows, "broker certificates", ""},
	{"a step by its number", []string{rotate, ""}, "What happens in step 4?", follows, "broker certificates", ""},
	{"the last step", []string{rotate, ""}, "Why is the last step needed?", follows, "broker certificates", ""},
	{"a fragment", []string{rotate, ""}, "rollback?", follows, "broker certificates rollback", ""},
	{"a fragment that names something", []string{rotate, ""}, "Strimzi?", follows, "broker certificates Strimzi", ""},
	{"what if it fails", []string{rotate, ""}, "What if the restart fails?", follows, "broker certificates restart fails", ""},
	{"how long, by name", []string{rotate, ""}, "How long does the rotation take on EKS?", follows, "broker certificates rotation EKS", ""},
	{"which one", []string{"Which Kafka versions support KRaft?", ""}, "Which one is the default?", follows, "Kafka KRaft default", ""},
	{"two follow-ups in a row", []string{rotate, "", "How long does that take?", ""}, "and on EKS?", follows, "broker certificates EKS", ""},
	{"the place of a follow-up stays", []string{rotate, "", "and on EKS?", ""}, "How long does that take?", follows, "broker certificates EKS", ""},
	{"the place of a follow-up is replaced", []string{rotate, "", "and on staging?", ""}, "and on EKS?", follows, "broker certificates EKS", "staging"},
	{"the subject of the last question that had one", []string{rotate, "", "How do I restore etcd from a snapshot?", ""}, "How long does it take?", follows, "etcd snapshot restore", "broker certificates"},
	{"a number", []string{"How many replicas does the ingress need?", ""}, "and with 3 zones?", follows, "replicas ingress 3 zones", ""},
	{"in German", []string{rotate, ""}, "Und auf EKS?", follows, "broker certificates EKS", ""},

	{"a group of patients", []string{warfarin, ""}, "and in pregnancy?", follows, "INR warfarin pregnancy", ""},
	{"the dose", []string{"How is metformin started?", ""}, "What is the maximum dose?", follows, "metformin maximum dose", ""},
	{"the dose for a group", []string{"How is metformin started?", ""}, "What is the maximum dose in renal impairment?", follows, "metformin maximum dose renal impairment", ""},
	{"the dose in a disease", []string{"How is azathioprine dosed?", ""}, "What is the maximum dose in Crohn's disease?", follows, "azathioprine Crohn's", ""},
	{"she", []string{"How do I bridge warfarin before surgery?", ""}, "Can she take ibuprofen?", follows, "warfarin ibuprofen", ""},
	{"side effects", []string{"When is amiodarone indicated?", ""}, "What are the side effects?", follows, "amiodarone side effects", ""},
	{"another drug", []string{"What is the starting dose of metformin?", ""}, "What about gliclazide?", follows, "gliclazide starting dose", ""},
	{"another drug instead of the second", []string{"What is the starting dose of metformin?", "", "What about gliclazide?", ""}, "And sitagliptin?", follows, "sitagliptin dose", "gliclazide"},
	{"a group after another drug", []string{"What is the starting dose of metformin?", "", "What about gliclazide?", ""}, "and in the elderly?", follows, "gliclazide dose elderly", ""},
	{"a group instead of the first", []string{"What is the dose of amoxicillin in children?", ""}, "And in adults?", follows, "amoxicillin dose adults", "children"},
	{"a dose", []string{"What is the maximum daily dose of paracetamol?", ""}, "Is 5 g too much?", follows, "paracetamol 5", ""},
	{"crushing", []string{"Can omeprazole be given by tube?", ""}, "Can I crush the tablets?", follows, "omeprazole crush tablets", ""},

	// A question that says itself what it is about is not mixed with the subject before.
	{"another subject", []string{rotate, ""}, "How do I restore etcd from a snapshot?", alone, "etcd snapshot", "broker certificates"},
	{"another subject, short", []string{rotate, ""}, "What is Strimzi?", alone, "Strimzi", "broker certificates"},
	{"another subject, a code", []string{rotate, ""}, "What does ERR-4012 mean?", alone, "ERR-4012", "broker certificates"},
	{"nothing but a code", []string{rotate, ""}, "ERR-4012", alone, "ERR-4012", "broker certificates"},
	{"another subject, keywords", []string{rotate, ""}, "consumer lag dashboard grafana", alone, "consumer lag", "broker certificates"},
	{"a relative that", []string{rotate, ""}, "Which alert tells that the consumer lag of a topic is high?", alone, "consumer lag", "broker certificates"},
	{"an it that stands for nothing", []string{rotate, ""}, "Is it safe to delete a PersistentVolume?", alone, "PersistentVolume", "broker certificates"},
	{"an it that stands for nothing, with take", []string{rotate, ""}, "How long does it take to restore etcd?", alone, "etcd", "broker certificates"},
	{"an it named in the question", []string{rotate, ""}, "If the Prometheus disk is full, how do I grow it?", alone, "Prometheus disk", "broker certificates"},
	{"its own its", []string{rotate, ""}, "Where does Loki store its chunks?", alone, "Loki chunks", "broker certificates"},
	{"there is", []string{rotate, ""}, "Is there a runbook for a full Prometheus disk?", alone, "Prometheus disk", "broker certificates"},
	{"the error behind the colon", []string{rotate, ""}, "What does this mean: x509 unknown authority", alone, "x509 authority", "broker rotate"},
	{"at the same time", []string{rotate, ""}, "Can two Terraform plans run at the same time?", alone, "Terraform plans", "broker certificates"},
	{"the same word again", []string{rotate, ""}, "How do I restart the broker?", alone, "restart broker", "certificates"},
	{"a place first", []string{rotate, ""}, "In Postgres, how do I create a read replica?", alone, "Postgres replica", "broker certificates"},
	{"another drug, whole", []string{warfarin, ""}, "What is the starting dose of metformin?", alone, "metformin dose", "warfarin INR"},
	{"another disease", []string{warfarin, ""}, "How is a DKA treated in children?", alone, "DKA", "warfarin"},
	{"yes, and another subject", []string{rotate, "Shall I go on?"}, "Ok. How do I restore etcd from a snapshot?", alone, "etcd snapshot", "broker certificates"},
	{"a drug and a group", []string{warfarin, ""}, "Can apixaban be used in pregnancy?", alone, "apixaban pregnancy", "warfarin"},
	{"in German, whole", []string{rotate, ""}, "Wie stelle ich etcd aus einem Snapshot wieder her?", alone, "etcd Snapshot", "broker certificates"},
	{"in Chinese, whole", []string{rotate, ""}, "如何从快照恢复数据库集群？", alone, "如何从快照恢复数据库集群", "broker certificates"},
	{"in capitals", []string{rotate, ""}, "HOW DO I RESTORE ETCD FROM A SNAPSHOT?", alone, "ETCD SNAPSHOT", "broker certificates"},

	// A reply says nothing itself.
	{"yes, to nothing", []string{rotate, "Run certctl [1]."}, "yes", reply, "broker certificates", "yes"},
	{"yes, to an offer", []string{rotate, "Run certctl [1]. Would you like the rollback steps too?"}, "Yes please", reply, "rollback broker certificates", "yes please"},
	{"please do", []string{rotate, "Run certctl [1].\n\nI can also list the alerts that fire on expired keystores."}, "please do", reply, "alerts expired keystores broker certificates", ""},
	{"show me", []string{rotate, "Run certctl [1]. Do you want the command for Strimzi?"}, "ok show me", reply, "Strimzi command broker certificates", ""},
	{"no", []string{rotate, "Run certctl [1]. Do you want the command for Strimzi?"}, "no thanks", reply, "broker certificates", "Strimzi"},
	{"what cannot be offered", []string{rotate, "I could not find the rollback."}, "yes", reply, "broker certificates", "rollback"},
	{"a question quoted from a document", []string{rotate, "> Do you want the keystore?\n\nRun certctl [1]."}, "yes", reply, "broker certificates", "keystore"},
	{"yes, and a place", []string{rotate, "Would you like the rollback steps?"}, "Yes, and on EKS?", follows, "rollback EKS broker certificates", ""},
	{"more", []string{warfarin, "2.0–3.0 [1]."}, "tell me more", reply, "INR target warfarin", ""},
	{"yes, after a follow-up", []string{warfarin, "", "and with a mechanical valve?", "Aim higher [1]. Shall I list the interactions?"}, "yes", reply, "interactions INR warfarin mechanical valve", ""},
	{"in German, a yes", []string{rotate, "Run certctl [1]. Would you like the rollback?"}, "Ja, bitte", reply, "rollback broker certificates", ""},
	{"a sign", []string{rotate, ""}, "??", reply, "broker certificates", ""},
}

func TestChatsByRule(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(chats), 40)
	for _, c := range chats {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := read(c.asked, talk(c.history...))
			require.Equal(t, c.kind, got.kind, got.question)
			requireWords(t, got.question, c.has, c.lacks)
			require.NotContains(t, got.question, "\n")
			if c.kind == alone {
				require.Equal(t, c.asked, got.question)
			}
		})
	}
}

// requireWords looks for whole words, in any case.
func requireWords(t *testing.T, text, has, lacks string) {
	t.Helper()
	words := map[string]bool{}
	for _, w := range terms(text) {
		words[w.low] = true
	}
	for w := range strings.FieldsSeq(strings.ToLower(has)) {
		require.True(t, words[w], "%q lacks %q", text, w)
	}
	for w := range strings.FieldsSeq(strings.ToLower(lacks)) {
		require.False(t, words[w], "%q holds %q", text, w)
	}
}

// Whatever is asked after whatever: no fault, one line that ends with what was
// asked unless it is a reply, and the same each time.
func TestRuleProperties(t *testing.T) {
	t.Parallel()
	pieces := []string{"Kafka", "node-17", "ERR-4012", "重启", "ä", "\xff", ",", "?", "\n", ":", "(", "5 mg", "step 4", "the same as", "🩺", "that", "it", "there", "IT"}
	for _, words := range []map[string]bool{functions, subjects, openers, leads, places, taking, clauses, pickers, asking, aux, answers, replies, circumstances} {
		pieces = append(pieces, slices.Sorted(maps.Keys(words))...)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	sentence := func() string {
		var b strings.Builder
		for range rnd.IntN(9) {
			b.WriteString(pieces[rnd.IntN(len(pieces))] + " ")
		}
		return b.String()
	}
	for range 300 {
		var turns []string
		for range rnd.IntN(5) {
			turns = append(turns, sentence())
		}
		asked, history := sentence(), talk(turns...)
		if rnd.IntN(2) == 0 {
			history = cited(turns...)
		}
		got := read(asked, history)
		require.Equal(t, got, read(asked, history))
		switch got.kind {
		case alone:
			require.Equal(t, asked, got.question)
		case follows:
			require.True(t, strings.HasSuffix(oneLine(asked), oneLine(got.question[strings.Index(got.question, ": ")+1:])) || got.question == asked, "%q: %q", asked, got.question)
			require.Equal(t, got.swaps && firstCited(history) != nil, got.since == len(history))
		case reply:
			require.True(t, got.question == asked || !strings.Contains(got.question, "\n"))
		}
	}
}

// A chat of any length is read in a moment: only its end counts, and of a long
// message its beginning.
func TestRuleReadsTheEndOfALongChat(t *testing.T) {
	t.Parallel()
	var turns []string
	long := strings.Repeat("the pod does not start ", 170)
	for range 2_000 {
		turns = append(turns, long, "")
	}
	history := talk(append(turns, rotate, "")...)
	got := read("and on EKS?", history)
	require.Equal(t, "rotate broker certificates: and on EKS?", got.question)
	require.Equal(t, len(history)-2, got.since)
}

func BenchmarkRead(b *testing.B) {
	history := talk(rotate, "Run certctl [1].", "and on staging?", "Run it there [1]. Would you like the rollback steps?")
	for b.Loop() {
		read("How long does that take on EKS?", history)
	}
}
