package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what an abbreviation says about the full stop after it.
type kind uint8

const (
	plain        kind = iota // no abbreviation
	never                    // never ends a sentence: "e.g."
	beforeName               // a name or noun follows: "Dr."
	beforeNumber             // a number follows, or the sentence ends: "Fig. 7", "no."
	withName                 // ends a sentence only before a word that starts one: "U.S.", "Inc."
	mayEnd                   // ends a sentence before any capital: "etc.", "min."
	ofTime                   // as mayEnd, but a time zone or day may follow: "a.m."

	capital kind = 0x80 // only when written with a capital: "He sat. Then" is no Saturday
)

// abbreviation gives the kind of a word that stands before a full stop, given
// without that stop, in any case.
func abbreviation(w string) kind {
	if len(w) > longWord {
		return plain
	}
	var buf [longWord]byte
	n := 0
	for n < len(w) && w[n] < utf8.RuneSelf {
		c := w[n]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		buf[n] = c
		n++
	}
	var k kind
	if n == len(w) {
		k = english(string(buf[:n]))
		if k == plain {
			k = european(string(buf[:n]))
		}
	} else {
		k = european(strings.ToLower(w))
	}
	if k&capital == 0 {
		return k
	}
	if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
		return k &^ capital
	}
	return plain
}

// english holds the abbreviations of general, medical and technical English,
// and the Latin ones.
func english(w string) kind {
	switch w {
	case "e.g", "eg", "i.e", "ie", "viz", "cf", "c.f", "vs", "approx", "ca", "incl", "excl", "resp", "f.e", "a.k.a", "esp", "w.r.t", "ibid", "n.b",
		"abbr", "transl", "orig", "cont", "usu":
		return never
	case "mr", "mrs", "ms", "mx", "drs", "profs", "rev", "revd", "hon", "sen", "sens", "rep", "reps", "gov", "govs", "pres", "gen", "col",
		"capt", "cpt", "cmdr", "comdr", "lt", "maj", "sgt", "adm", "cpl", "pvt", "supt", "supts", "det", "insp", "atty", "messrs", "msgr", "br",
		"mt", "mts", "ft", "amb", "dir", "asst", "assoc", "maj.-gen", "lt.-col":
		return beforeName | capital
	case "dr", "prof":
		return beforeName
	case "no", "nos", "nr", "nrs", "fig", "figs", "eq", "eqs", "eqn", "ch", "chap", "chaps", "vol", "vols", "p", "pp", "pg", "pgs", "art", "arts",
		"para", "paras", "sect", "sects", "sec", "op", "app", "ex", "exs", "tab", "tbl", "ver", "v", "s", "n", "c", "rs", "ed", "eds", "ref", "refs", "tel", "fax", "ext",
		"lot", "suppl", "ser", "ln", "sched", "stat", "usc":
		return beforeNumber
	case "al", "jr", "sr", "esq", "phd", "ph.d", "m.d", "m.sc", "b.sc", "b.a", "m.a", "d.phil", "r.n", "m.b.a", "u.s", "u.k", "e.u", "u.n", "u.s.a", "d.c",
		"inc", "ltd", "co", "corp", "llc", "bros", "plc", "pty", "llp", "dept", "univ", "assn", "intl", "natl", "govt", "mfg", "inst", "acad",
		"admin", "med", "pharm", "surg", "psych", "gyn", "ave", "blvd", "rd", "hwy", "pkwy", "bldg", "apt", "st", "ste":
		return withName
	case "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
		"mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
		"ala", "ariz", "ark", "calif", "colo", "conn", "del", "fla", "ga", "ill", "ind", "kan", "ky", "la", "md", "mich", "minn", "miss", "mont",
		"neb", "nev", "okla", "ont", "ore", "penn", "que", "tenn", "tex", "va", "vt", "wash", "wis", "wyo":
		return withName | capital
	case "etc", "btw", "misc", "i.v", "i.m", "s.c", "p.o", "b.i.d", "t.i.d", "q.i.d", "p.r.n", "q.d", "min", "max", "hr", "hrs", "mins", "secs", "msec",
		"oz", "lb", "lbs", "yd", "yds", "mi", "qt", "gal", "tbsp", "tsp", "wt", "ht", "temp", "conc", "avg", "std", "dev", "diff", "config", "cfg",
		"spec", "specs", "repo", "param", "params", "env", "info", "doc", "docs", "b.c", "a.d", "b.c.e", "c.e", "est", "addr", "attn", "auth", "bal", "calc", "prev", "recd", "qty", "tech", "vet":
		return mayEnd
	case "a.m", "p.m":
		return ofTime
	}
	return plain
}

// european holds those of German, French, Spanish, Italian, Portuguese, Dutch,
// the Nordic and the Slavic languages. Words that mean something else in
// English are left out or need their capital.
func european(w string) kind {
	switch w {
	case "bzw", "z.b", "d.h", "u.a", "o.ä", "u.ä", "i.d.r", "u.u", "o.g", "s.o", "s.u", "v.a", "z.t", "z.z", "i.a", "evtl", "ggf", "ggfs", "inkl", "exkl", "zzgl", "abzgl",
		"sog", "vgl", "geb", "gest", "bes", "allg", "einschl", "entspr", "insb", "insbes", "lfd", "hrsg", "übers", "zit", "österr", "engl", "franz", "zw", "abl", "hl", "ugs", "kfm", "urspr", "ehem", "wiss",
		"p.ex", "c.-à-d", "càd", "éd", "réf", "p.ej", "ee.uu", "ee", "aprox", "admón", "dpto", "depto", "prov", "tlf", "p.es", "cfr",
		"np", "tzn", "tj", "tzw", "m.in", "zob", "tys", "mln", "mld", "zł", "bijv", "bv", "o.a", "d.w.z", "m.b.t", "i.v.m", "t.o.v", "m.a.w", "i.p.v", "t.a.v", "t.b.v", "zgn",
		"bl.a", "f.eks", "t.ex", "dvs", "s.k", "m.fl", "jf", "jfr", "feks", "mht", "ifm", "т.е", "т.к", "т.н", "напр", "см", "ср", "прим", "англ", "нем", "лат", "т.ч",
		"napr", "tzv", "t.j", "t.z", "vč", "příp", "např", "kupř", "б.а", "т.нар", "пр":
		return never
	case "mme", "mmes", "mlle", "mlles", "mm", "me", "mgr", "fr", "hr", "fru", "frk", "dipl", "dipl.-ing", "ing", "mag", "sres", "sra", "sras", "srta", "srtas", "dra", "dras", "dña", "lic", "arq",
		"ud", "uds", "vd", "vds", "avda", "av", "avv", "geom", "spett", "egr", "ks", "św", "hab", "dhr", "mevr", "ir", "ds", "mudr", "judr", "phdr", "rndr", "paeddr", "bc", "mvdr", "gl", "д-р":
		return beforeName | capital
	case "ag", "kg":
		return withName | capital
	case "sig", "sigg", "sig.ra", "sig.na", "dott", "dott.ssa", "inż", "акад", "проф", "доц", "гр", "им", "ул", "пос", "обл", "пл", "просп", "пер", "св", "инж", "тов", "бул", "nám", "ul", "rer", "phil", "jur", "habil", "डॉ", "श्री", "प्रा":
		return beforeName
	case "n°", "nº", "no°", "№", "abb", "abs", "bd", "kap", "ziff", "anm", "núm", "núms", "pág", "págs", "cap", "caps", "pag", "pagg", "tél", "telf", "poz", "rys", "rozdz", "ust",
		"стр", "рис", "табл", "гл", "п", "пп", "ст", "č", "čl", "blz", "hfst", "л", "с", "д", "кв":
		return beforeNumber
	case "gmbh", "s.a", "s.r.l", "s.p.a", "s.r.o", "a.s", "o.o", "z.o.o", "ooo", "str", "n.v", "b.v", "mio", "mrd", "jh", "jhd", "bhd", "wg":
		return withName
	case "usw", "u.s.w", "ecc", "itd", "itp", "osv", "enz", "atd", "atď", "stb", "m.m", "т.д", "т.п", "др", "г", "гг", "руб", "тыс", "млн", "млрд", "v.chr", "n.chr", "a.c", "pod", "ap", "л.с", "в", "вв", "м", "мм", "кг":
		return mayEnd
	case "kl", "hod", "godz":
		return ofTime
	}
	return plain
}

// zone says that a word after "a.m." goes on with the time: a time zone, a day
// or a month.
func zone(w string) bool {
	switch w {
	case "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "ET", "CT", "PT", "MT", "UTC", "GMT", "CET", "CEST", "BST", "IST", "JST", "AEST",
		"Eastern", "Central", "Mountain", "Pacific", "Greenwich",
		"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
		"January", "February", "March", "April", "June", "July", "August", "September", "October", "November", "December":
		return true
	}
	return false
}

// ordinalNoun says that a number with a full stop before the word is an
// ordinal, as German and its neighbours write it.
func ordinalNoun(w string) bool {
	switch w {
	case "Januar", "Jänner", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
		"January", "February", "March", "May", "June", "July", "October", "December",
		"Jahrhundert", "Jahrhunderts", "Weltkrieg", "Weltkriegs", "Weltkrieges", "Klasse", "Stock", "Mal", "Tag", "Jahr", "Jahrestag", "Auflage", "Kapitel", "Platz",
		"Lebensjahr", "Geburtstag", "Semester", "Quartal", "Etage", "Ausgabe", "Liga", "Bezirk", "Runde", "Spieltag":
		return true
	}
	return false
}
