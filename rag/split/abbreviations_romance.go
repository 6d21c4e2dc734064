package split

// Those of French, Spanish, Italian, Portuguese and Romanian.
var romanceLists = []abbreviations{
	// French.
	{kind: never, words: "p.ex c.-à-d càd c.à.d éd réf env suiv c-à-d"},
	{only: french, kind: never, words: "env av ap suiv sv svt civ pén adj adv boul bd réf tél int rom mar appli add ann art chap coll dép ex hab id inf sup trad tom z i"},
	{kind: beforeName | capital, words: "mme mmes mlle mlles mm me mgr"},
	{kind: beforeNumber, words: "n° nº no° № tél tel"},
	{only: french, kind: beforeNumber, words: "art al fig tab p pp t vol ch éq not"},
	{kind: mayEnd, words: "janv févr avr juil déc j.-c av.j.-c ap.j.-c"},
	{only: french, kind: mayEnd, words: "sept oct nov"},
	{kind: withName, words: "cie ste éts"},
	// Spanish.
	{kind: never, words: "p.ej ej aprox admón ee.uu ee izq izqda dcha máx mín tfno adm excmo ilmo excma ilma"},
	{only: spanish, kind: never, words: "dto pza pl avda v vid col trad r urb"},
	{kind: beforeName | capital, words: "sres sra sras srta srtas dra dras dña dn lic arq ud uds vd vds avda av gral tte cnel mons pdte"},
	{only: spanish, kind: beforeName, words: "sr dr ing prof d fr"},
	{kind: beforeNumber, words: "núm núms pág págs cap caps apdo tlf telf párr ss"},
	{only: spanish | italian | portuguese, kind: beforeNumber, words: "art fig tab vol sec lám"},
	{kind: withName, words: "s.a s.l s.a.u s.l.u c.v uu dpto depto prov cía hnos"},
	{kind: mayEnd, words: "a.c d.c"},
	// Italian.
	{kind: never, words: "p.es es.it ad.es cfr segg seg ss sgg d.lgs d.l d.p.r d.m l.r ecc.mo ill.mo u.s n.d.r"},
	{only: italian, kind: never, words: "es ca cit co trad art lett"},
	{kind: beforeName, words: "sig sigg sig.ra sig.na dott dott.ssa prof.ssa on.le avv p.zza c.so v.le"},
	{only: italian, kind: beforeName, words: "arch geom rag cav comm mons circ ing on dir fra s ss suor d"},
	{kind: beforeName | capital, words: "spett egr gent"},
	{kind: beforeNumber, words: "pag pagg nn artt tav"},
	{only: italian, kind: beforeNumber, words: "n p sec c par"},
	{kind: withName, words: "s.r.l s.p.a s.n.c s.a.s"},
	{kind: mayEnd, words: "ecc gg"},
	// Portuguese.
	{kind: never, words: "p.ext"},
	{only: portuguese, kind: never, words: "obs ex hab aprox av r trav"},
	{kind: beforeName | capital, words: "eng engª sto sta exmo exma exa v.exa v.ex v.s"},
	{only: portuguese, kind: beforeName, words: "sr sra dra prof profa arq d s pe"},
	{kind: beforeNumber, words: "séc apto"},
	{only: portuguese | spanish | italian, kind: beforeNumber, words: "sec séc"},
	{kind: withName, words: "ltda cia s.a.r.l lda"},
	{only: spanish | italian | portuguese, kind: beforeName | capital, words: "cap dep cel sen gob ten maj sgt cmte pres min"},
	// Romanian.
	{kind: never, words: "ș.a.m.d.r nr.crt resp d-l d-na"},
	{only: romanian, kind: never, words: "ex cca"},
	{only: romanian, kind: beforeNumber, words: "art alin nr pag str bd lit"},
	{only: romanian, kind: beforeName, words: "dl dna dlui"},
	// Months.
	{only: french | spanish | italian | portuguese | romanian, kind: mayEnd, words: "jan fev mar abr mai jun jul ago set out nov dez ene feb may sep sept oct dic gen apr mag giu lug ott ian iun iul aug"},
	{kind: mayEnd, words: "ș.a ș.a.m.d î.hr d.hr"},
}
