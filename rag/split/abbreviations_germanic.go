package split

// Those of German, Dutch, the Nordic languages and Finnish.
var germanicLists = []abbreviations{
	// German.
	{kind: never, words: "bzw z.b d.h u.a o.ä u.ä i.d.r u.u o.g s.o s.u v.a z.t z.z z.zt i.a i.e.s i.s.v i.v.m i.s.d i.h.v i.b s.a m.e m.w o.b.d.a a.a.o a.d o.e v.l v.r z.hd u.z " +
		"evtl ggf ggfs inkl exkl zzgl abzgl sog vgl gest bes allg einschl entspr insb insbes hrsg übers zit österr engl franz abl ugs kaufm urspr ehem wiss bzgl bspw usf " +
		"tgl tägl wchtl monatl jährl stdl zul zust zuzgl höchst möglw vorauss eigtl bisw gegr verh durchschn dgl desgl zw hl"},
	{only: german, kind: never, words: "gem rd mind verst erg geb ca max min an lfd wg v od u o bes ges ev kath jur med techn chem phys math lat griech dt"},
	{kind: beforeName, words: "dipl dipl.-ing dipl.-kfm h.c rer phil jur habil"},
	{only: german, kind: beforeName, words: "abt inh fa gebr nachf rh frhr gf hr fr frl ing mag med pol nat sen univ.-prof str.-nr"},
	{kind: beforeNumber, words: "abb abbn abs bd bde kap ziff anm aufl jg lit anl art.-nr tel.-nr hs.-nr plz bl rn rdnr rz nrn §§ anh beil abschn zif"},
	{only: german, kind: beforeNumber, words: "s f ff teil buchst hs q st"},
	{kind: withName | capital, words: "ag kg"},
	{kind: withName, words: "gmbh mio mrd mill jh jhd jhdt bhd std tbl tabl amp"},
	{only: german, kind: withName, words: "str wg mo di mi do fr sa so pl gr"},
	{kind: mayEnd, words: "usw u.s.w u.v.m u.v.a v.chr n.chr u.dgl etc.pp o.dgl m.w.n"},
	// Dutch.
	{kind: never, words: "bijv bv o.a d.w.z m.b.t t.o.v m.a.w i.p.v t.a.v t.b.v t.g.v t.n.v n.a.v o.l.v i.v.m i.o m.u.v m.i.v zgn z.g resp o.i.d e.d e.v dd"},
	{kind: beforeName, words: "dhr mevr mej drs mr.dr ir ds"},
	{only: dutch, kind: beforeName, words: "hr jhr mw heer"},
	{kind: beforeNumber, words: "blz hfst afb jrg"},
	{kind: withName, words: "n.v b.v"},
	{kind: mayEnd, words: "enz e.a"},
	// Danish, Norwegian, Swedish.
	{kind: never, words: "bl.a f.eks t.ex dvs d.v.s s.k jf jfr feks mht ifm ift m.h.t i.f.m pga p.g.a pr ca ang evt inkl ekskl eks tidl maks hhv vha t.o.m fr.o.m m.a.o iht alm gl nuv opr vedr vedk exkl enl fd f.d ev tilsv"},
	{only: nordic, kind: never, words: "div el o fx st p"},
	{only: nordic, kind: beforeName, words: "hr fr adj lekt cand mag ing kapt"},
	{kind: beforeName | capital, words: "fru frk"},
	{kind: beforeNumber, words: "stk kap jvf tlf sml"},
	{only: nordic, kind: beforeNumber, words: "nr s kap bd fig tab"},
	{kind: mayEnd, words: "osv o.s.v m.m m.fl o.l m.v mv o.dyl o.d mfl kr"},
	{kind: ofTime, words: "kl"},
	// Finnish.
	{kind: never, words: "esim vrt nk"},
	{only: finnish, kind: never, words: "ks mm ym n.s ns so ts em s v puh prof"},
	{kind: mayEnd, words: "jne yms jkr ekr"},
	// Months.
	{only: german | dutch | nordic, kind: mayEnd, words: "jan jän feb mär mrt apr jun jul aug sep sept okt nov dez des dec"},
}
