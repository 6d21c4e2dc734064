package retrieve

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/analyze"
)

// An aspect is a side of a subject that questions ask for and headings name:
// "What causes it?" is answered below "Causes" or "Root cause", whatever words
// the sentences there use.
type aspect struct {
	cues     []string // of the question, in lower case
	headings []uint32 // terms of headings
}

// aspects are tried in order. The last one, what a thing is, is what a question
// asks for when it asks for nothing else.
var aspects = []aspect{
	newAspect("symptom|signs of|sign of|how does it show|look like", "symptoms signs manifestations presentation"),
	newAspect("cause|why |reason|due to|lead to|leads to|trigger", "causes cause etiology reasons why triggers"),
	newAspect("diagnos|detect|test for|tests for|find out|investigat|troubleshoot|look into|track down|check|how can i tell|how do i tell", "diagnosis diagnostics exams tests investigation troubleshooting detection check"),
	newAspect("treat|therap|mitigat|fix|resolve|remed|cure|repair|relieve|recover", "treatment treatments therapy mitigation management resolution remediation fix recovery solution"),
	newAspect("prevent|avoid|protect against|reduce the risk", "prevention prevent avoiding"),
	newAspect("complication|consequence|what happens if|impact|affects|harm", "complications consequences impact effects"),
	newAspect("at risk|who gets|risk factor|susceptib|more likely|inherit|genetic", "susceptibility risk risks inheritance genetics factors"),
	newAspect("how many people|how common|how often does|prevalen|frequen|affected by", "frequency epidemiology prevalence statistics incidence"),
	newAspect("what to do for|should i do about|recommend|advice|consider|living with", "considerations recommendations advice"),
	newAspect("outlook|prognos|life expectancy|survival", "outlook prognosis"),
	newAspect("research|trial|being studied", "research trials studies"),
	newAspect("dose|dosage|how much", "dose doses dosage dosing administration"),
	newAspect("contraindicat|must not be|should not take|side effect|adverse", "contraindications warnings adverse side effects interactions cautions"),
	newAspect("roll back|rollback|undo|revert|back out", "rollback undo revert backout"),
	newAspect("before i start|prerequisit|precondition|need before|requirement", "prerequisites preconditions requirements preparation"),
	newAspect("verify|confirm|validate|how do i know", "verification validation verify check"),
	newAspect("install|set up|setup|get started|getting started", "installation setup install quickstart started"),
	newAspect("alternative|other option|instead of|drawback|trade-off|tradeoff", "alternatives drawbacks tradeoffs rationale"),
	newAspect("what is|what are|what's|what does|mean|define|definition|explain|tell me about|describe", "information overview definition introduction meaning about description summary abstract background what"),
}

func newAspect(cues, headings string) aspect {
	return aspect{cues: strings.Split(cues, "|"), headings: hashes(analyze.Terms(headings))}
}

// asked finds the first aspect that the question names, nil for none.
func asked(question string) *aspect {
	for i := range aspects {
		if hasCue(question, aspects[i].cues) {
			return &aspects[i]
		}
	}
	return nil
}

// named says how far the headings above a unit name the aspect, from 0 to 1: a
// heading of one word more than "Symptoms of heart failure in old age".
func (a *aspect) named(u *rag.ProfileUnit) float64 {
	if a == nil || u.Lead == u.Title {
		return 0
	}
	n := 0
	for _, t := range u.Terms[u.Title:u.Lead] {
		for _, h := range a.headings {
			if t == h {
				n++
				break
			}
		}
	}
	return math.Min(1, float64(n)/math.Sqrt(float64(u.Lead-u.Title)))
}

// askingHow are cues of questions whose answer is a procedure.
var askingHow = strings.Split("how do |how to |how can |how should |how would |walk me|step|what should |what do i|what do we|what must |procedure|guide me|check|fix|resolve|recover|mitigat|troubleshoot|diagnos|instruction|where do i start|what now|help me|go through|investigat|in which order|which commands|runbook", "|")

func asksHow(question string) bool {
	return hasCue(question, askingHow)
}

// hasCue says that a cue stands in the question at the start of a word: "cause"
// in "What causes it?", but not "cure" in "Is it secure?".
func hasCue(question string, cues []string) bool {
	question = strings.ToLower(question)
	for _, cue := range cues {
		for at := 0; ; {
			i := strings.Index(question[at:], cue)
			if i < 0 {
				break
			}
			before, _ := utf8.DecodeLastRuneInString(question[:at+i])
			if at+i == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				return true
			}
			at += i + len(cue)
		}
	}
	return false
}

func hashes(terms []string) []uint32 {
	out := make([]uint32, len(terms))
	for i, t := range terms {
		out[i] = rag.TermHash(t)
	}
	return out
}
