package answer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag/analyze"
)

// class is what a word of a question is good for when it is decided whether the
// question says by itself what it is about.
type class int

// The classes.
const (
	function     class = iota // "the", "how", "does": says nothing
	filler                    // "explain", "take", "long": asks, but names nothing
	weak                      // "dose", "restart", "logs": needs something it is the dose or the restart of
	circumstance              // "staging", "children", "EKS": where or for whom, which a follow-up may change
	anchor                    // everything else: names what the question is about
)

// term is a word of a question.
type term struct {
	text   string // as it was written
	low    string // in lower case, with plain apostrophes
	stem   string // as the index knows it
	class  class
	clause int // number of commas, colons, stops and the like before it
	from   int // byte offset
}

// wordPattern finds words, and names and numbers with single joiners inside.
var wordPattern = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+(?:[-_./:@+'’][\p{L}\p{M}\p{N}]+)*[#+]*`)

// terms reads the words of a question.
func terms(question string) []term {
	var out []term
	clause, last := 0, 0
	loud := strings.ToUpper(question) == question // then capitals tell nothing
	for _, at := range wordPattern.FindAllStringIndex(question, -1) {
		if strings.ContainsAny(question[last:at[0]], ",;:.!?()\n—–") {
			clause++
		}
		last = at[1]
		t := term{text: question[at[0]:at[1]], clause: clause, from: at[0]}
		t.low = strings.ReplaceAll(strings.ToLower(t.text), "’", "'")
		t.stem = stem(t.text)
		t.class = t.classify(!loud)
		out = append(out, t)
	}
	for i := 1; i < len(out); i++ {
		switch before := out[i-1]; {
		case number(out[i].low) && before.stem == "step": // "step 4" names nothing
			out[i].class = filler
		case out[i].class != anchor || digits(out[i].low):
		case subjects[before.low] || before.low == "be", i == len(out)-1 && i > 2 && being[before.low]:
			out[i].class = weak // a verb: "How do I drain", "Who needs to be admitted", "Which follow-up is arranged"
		}
	}
	return out
}

func (t term) classify(capitals bool) class {
	name := capitals && utf8.RuneCountInString(t.text) > 1 && strings.ToUpper(t.text) == t.text && !number(t.low)
	switch {
	case circumstances[t.stem]:
		return circumstance
	case functions[t.low] && !name:
		return function
	case fillers[t.stem]:
		return filler
	case weaks[t.stem], number(t.low):
		return weak
	default:
		return anchor
	}
}

// analyzer remembers the stems of words that come again.
var analyzer analyze.Analyzer

// stem is the first term that the index has for a word.
func stem(word string) string {
	if list := analyzer.Terms(word); len(list) > 0 {
		return list[0]
	}
	return strings.ToLower(word)
}

func number(word string) bool {
	return word != "" && strings.Trim(word, "0123456789.") == ""
}

// digits says that a word holds a digit: a code, a version, a dose.
func digits(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

// anchors counts the words that name what a question is about. Scripts without
// blanks have many words in one.
func anchors(list []term) int {
	n := 0
	for _, t := range list {
		if t.class == anchor {
			n++
			if r, _ := utf8.DecodeRuneInString(t.text); unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				n += max(0, utf8.RuneCountInString(t.text)/2-2)
			}
		}
	}
	return n
}

func has(list []term, c class) bool {
	for _, t := range list {
		if t.class == c {
			return true
		}
	}
	return false
}

// content gives the words that a question carries over: all that name
// something, each once.
func content(list []term) []term {
	var out []term
	seen := map[string]bool{}
	for _, t := range list {
		if t.class > filler && !seen[t.stem] {
			seen[t.stem] = true
			out = append(out, t)
		}
	}
	return out
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func stemSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[stem(w)] = true
	}
	return m
}

// The words of each class. They are English; words of other languages count as
// anchors, so that a question in them is searched as it is unless it is short.
var (
	functions = set(`a about above after again all also am an and another any anybody anyone are as at back be because
		been before being below between both but by can cannot can't could couldn't did didn't do does doesn't doing don't
		down during each either else every few for from get gets getting got had has have having he her here hers him his how
		how's i i'd i'm i've if in into is isn't it it's its itself just let let's like many may me might mine more most much must my
		neither no none nor not now of off on once one ones only or other others our ours out over own per please rather
		same shall she should shouldn't since so some such than that that's the their theirs them then there there's these they
		they're this those though through till to too toward towards under until up upon us very via was wasn't we were
		weren't what what's when where where's whether which while who who's whom whose why will with within without won't
		would wouldn't yes yet you your yours ok okay`)

	subjects = set(`i we you they`)

	fillers = stemSet(`actually answer ask basically come continue describe detail doing done easier else elaborate example
		exactly explain far faster fast find first follow following give given go going good happen happens help idea information info
		instead kind know last later list long longer look make mean meaning mention need next often otherwise part
		please point possible previous question quick quickly really said say second see show simple simply slow soon sort
		specifically summary summarise summarize sure take talk tell thank thanks thing think third time try two understand
		use used using useful want way well work works worth yet best better bit correct different fine great important
		necessary normal ok okay recommend recommended require required right safe wrong usual usually walk wait
		step section page document documentation doc runbook guide guideline procedure instruction article passage source case`)

	weaks = stemSet(`abort access adjust admin advice affect alarm alert allow alternative amount apply approve approval arg argument
		avoid backup begin benefit cancel cause change check cleanup command component condition config configuration
		configure confirm contact contraindicate contraindication contraindicated cost count create deadline default
		delay delete deploy deployment difference disable downtime dose dosing dosage drug duration edit effect enable end
		environment error escalate escalation exception expect fail failure field file finish fire fix flag frequency
		frequently host impact indication indicated install interaction interval issue kind label length level limit link location log maintain
		maximum max medication medicine message metric minimum min missing monitor monitoring name note notify number
		option order output owner own parameter password path patient pause permission permit port precaution prepare
		prerequisite prevent price priority problem process progress dry purpose rate reason recover recovery redo remove repeat replace
		report request requirement reset resource response responsible restart restore result resume retry return revert
		review risk roll rollback route rule run running safety schedule script send service set setting setup severity
		side sign size skip start status stop stopped stuck succeed successful support switch symptom system tablet target team
		test therapy threshold timeout tool treat treatment trigger troubleshoot type undo uninstall unit update upgrade
		user validate value variable verify verification version warning weight mg ml mcg g kg l iu mmol ms gb mb gib mib percent microgram milligram kg day hour minute week
		month year daily weekly double half titrate titration stop withhold`)

	circumstances = stemSet(`adolescent adult aks arm arm64 aws azure baby breastfeeding child children cloud debian dev dialysis
		eks elderly elders gcp geriatric gke hepatic impairment impaired infant kid lactation linux mac macos minors neonate newborn
		nursing obese old older on-prem onprem openshift paediatric pediatric pregnancy pregnant prod production renal
		rhel staging stage teenager toddler ubuntu weekend windows women men woman man kidney liver allergic allergy
		preprod sandbox oral orally iv intravenous topical subcutaneous`)
)
