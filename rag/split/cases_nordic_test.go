package split_test

import "testing"

func TestDanishAndNorwegianCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Den 5. november kl. 14.30 mødes vi.¦ Kom til tiden.",
		"Han bor på 3. sal, nr. 12.¦ Hun bor på 2. sal.",
		"Vi har bl.a. brød, mælk og ost, dvs. morgenmad.¦ Det er nok.",
		"»Kommer du?« spurgte hun.¦ »Nej!« råbte han.",
		"Prisen er ca. 1.250,50 kr. inkl. moms.¦ Det er dyrt.",
		"Dr. Jensen og prof. Hansen talte.¦ Hr. Olsen gik.",
		"Se s. 14 ff. og fig. 3.¦ Der står det.",
		"Giv maks. 4 g paracetamol pr. døgn.¦ Stop ved bivirkninger.",
		"Jf. § 5, stk. 2, nr. 3, er det forbudt.¦ Det gælder også her.",
		"Firmaet A/S Nordlys solgte 2 mio. aktier.¦ Kursen faldt.",
		"Møtet er onsdag 1. mai kl. 10.¦ Etterpå spiser vi.",
		"Vi trenger f.eks. strøm, vann osv.¦ Resten ordner seg.",
		"«Hvor er du?» spurte han.¦ «Her,» sa hun.",
		"– Hva skjer?¦ – Ingenting, sa han.",
		"I det 19. århundrede var det sådan.¦ I dag er det anderledes.",
		"Kong Christian 4. byggede slottet.¦ Christian 5. fulgte efter.",
		"Det er 25 grader.¦ I morgen bliver det koldere.",
	)
}

func TestSwedishAndFinnishCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Vi ses den 5 nov. kl. 14.30.¦ Kom i tid.",
		"Det finns t.ex. te, kaffe m.m. i köket.¦ Ta vad du vill.",
		"Priset är ca 1 250,50 kr.¦ Det är dyrt.",
		"”Kommer du? Jag väntar”, sade hon.¦ ”Nej!” ropade han.",
		"S.k. experter, dvs. ingen, visste det.¦ Fråga dem inte.",
		"Se s. 14 och fig. 3 resp. tab. 2.¦ Där står det.",
		"Ge max. 4 g paracetamol per dygn.¦ Avbryt vid biverkningar.",
		"– Vad är det?¦ – Inget, svarade hon.",
		"Enl. lag (SFS 1998:204) 5 § 2 st. gäller detta.¦ Så är det.",
		"Karl XII. var kung.¦ Gustav II Adolf var det före honom.",
		"Hon bor i Göteborg sedan 1998.¦ Han bor i Malmö.",
		"Kokous on 5. tammikuuta klo 14.30.¦ Tule ajoissa.",
		"Ostin esim. leipää, maitoa jne.¦ Loput huomenna.",
		"”Missä olet?” hän kysyi.¦ ”Täällä.”",
		"Hän syntyi 3. toukokuuta 1950 mm. Turussa asuneeseen perheeseen.¦ Hän kuoli 1999.",
		"Ks. s. 14 ja kuva 3.¦ Siellä se on.",
	)
}
