package split

// Those of general, medical, technical and legal English, and the Latin ones of
// all languages.
var englishLists = []abbreviations{
	{kind: never, words: "e.g eg i.e ie viz cf c.f vs approx ca incl excl resp f.e a.k.a esp w.r.t ibid n.b abbr transl orig cont usu op.cit loc.cit et.seq"},
	{kind: beforeName | capital, words: "mr mrs ms mx drs profs rev revd hon sen sens rep reps gov govs pres gen col capt cpt cmdr comdr lt maj sgt adm cpl pvt supt supts det insp atty " +
		"messrs msgr br mt mts ft amb dir asst assoc maj.-gen lt.-col brig cdr ens gens cols"},
	{kind: beforeName, words: "dr prof"},
	{kind: beforeNumber, words: "no nos nr nrs fig figs eq eqs eqn eqns ch chap chaps vol vols p pp pg pgs art arts para paras sect sects sec secs op app ex exs tab tbl ver v s n c rs ed eds ref refs " +
		"tel fax ext lot suppl ser ln sched stat usc cl regs plat thm §"},
	{kind: withName, words: "al jr sr esq phd ph.d m.d m.sc b.sc b.a m.a d.phil r.n m.b.a u.s u.k e.u u.n u.s.a d.c inc ltd co corp llc bros plc pty llp dept univ assn intl natl govt mfg inst acad " +
		"admin med pharm surg psych gyn ave blvd rd hwy pkwy bldg apt st ste div sq ct pk plz ter cres hts pky"},
	{kind: withName | capital, words: "mon tue tues wed thu thur thurs fri sat sun ala ariz ark calif colo conn del fla ga ill ind kan ky la md mich minn miss mo mont neb nev okla ont ore penn que tenn tex va vt " +
		"wash wis wyo fed crim civ proc evid cir supp cal"},
	{kind: mayEnd | capital, words: "jan feb mar apr jun jul aug sep sept oct nov dec"},
	{kind: mayEnd, words: "etc btw i.v i.m s.c p.o b.i.d t.i.d q.i.d p.r.n q.d q.h q.h.s o.d h.s s.l p.c p.r a.c gtt tabs caps hr hrs mins secs msec sec wk wks yr yrs mo mos pt pts ft oz lb lbs yd yds mi qt gal tbsp tsp " +
		"kg mg g mm cm dm km ml dl cl l ms kb mb gb tb hz khz mhz ghz kw kwh mv mmhg bpm rpm mph kcal kj hpa mmol mcg iu μl µl μm µm μg µg μmol µmol b.c a.d b.c.e c.e"},
	{kind: adjective, words: "min max misc wt ht temp conc avg std dev diff config cfg spec specs repo param params env info doc docs est addr attn auth bal calc prev recd qty tech vet mem " +
		"lab neg pos alt int ext adj adv abs ann acc exp obs obj mil mod reg sub dep dia imp var sim symp hosp hx dx rx tx fx amt cert mgmt"},
	{kind: ofTime, words: "a.m p.m"},
}
