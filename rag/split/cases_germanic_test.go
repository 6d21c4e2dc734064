package split_test

import "testing"

func TestGermanCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Am 3. Oktober feiern wir.¦ Am 24. und 25. Dezember ist zu.",
		"Das war im 19. Jahrhundert so.¦ Heute nicht mehr.",
		"Die 2. Auflage erschien 1998.¦ Die 3. Auflage folgte.",
		"Er wohnt in der Goethestr. 12 in Köln.¦ Tel. 0221 123456.",
		"Wir brauchen z. B. Wasser, d. h. 2,5 l pro Tag.¦ Mehr nicht.",
		"Die Dosis beträgt max. 3 x tgl. 500 mg p.o. über 5 Tage.¦ Danach absetzen.",
		"Siehe Abb. 3 und Tab. 4 auf S. 17 ff. des Handbuchs.¦ Dort steht alles.",
		"Nach § 5 Abs. 2 S. 1 BGB gilt das nicht.¦ Art. 3 GG bleibt unberührt.",
		"„Kommst du mit?“ fragte sie.¦ „Nein!“, rief er.¦ „Dann eben nicht.“",
		"»Ich weiß es nicht. Vielleicht morgen«, sagte er.¦ Dann ging er.",
		"Dr. med. Anna Schmidt und Prof. Dr. h.c. Karl Weber kamen um 14.30 Uhr.¦ Sie blieben bis 17 Uhr.",
		"Das kostet 1.250,50 Euro.¦ Ist das teuer?¦ Ja!",
		"Die Firma Müller GmbH & Co. KG sitzt in Ulm.¦ Sie hat ca. 300 Mitarbeiter.",
		"Ludwig XIV. war König.¦ Papst Johannes Paul II. besuchte Berlin.",
		"Es gibt Äpfel, Birnen usw.¦ Die Kinder mögen sie.",
		"Starten Sie den Dienst neu (vgl. Kap. 4).¦ Prüfen Sie danach das Log.",
		"Version 2.4.1 ist vom 12.03.2023.¦ Sie läuft stabil.",
		"Am Mo. und Di. ist geschlossen.¦ Am Mi. ist geöffnet.",
		"Das gilt seit dem 1. Januar 2020, s. o. und u. a. auch hier.",
		"Er sagte: „Das ist gut.“¦ Dann schwieg er.",
		"Bitte den Knoten mit der Nr. 7 leeren.¦ Nr. 8 bleibt aktiv.",
		"Sie wurde am 5.5.1980 in St. Gallen geboren.¦ Er auch.",
		"Im Jahr 44 v. Chr. wurde er ermordet.¦ Im Jahr 14 n. Chr. starb Augustus.",
		"Das ist … schwierig.¦ Ich weiß nicht …¦ Vielleicht.",
		"Rd. 50 Mio. Menschen, d.h. ca. 60 % der Bevölkerung, sind betroffen.¦ Bzgl. der Kosten ist nichts bekannt.",
		"Der Patient erhält 2x tägl. 1 Tbl. Ramipril 5 mg.¦ Die Fr. Dr. Klein kontrolliert den RR.",
		"Es waren 42.¦ Danach kamen mehr.",
		"Gem. Anl. 2 zum Vertrag v. 3. Mai 2011 ist das zul. Gesamtgewicht 3,5 t.",
	)
}

func TestDutchCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Dat is o.a. in Utrecht gebeurd, d.w.z. in het centrum.¦ Niemand zag het.",
		"Mevr. De Vries en dhr. Van Dijk wonen op nr. 12.¦ Ze zijn thuis.",
		"Zie blz. 14 e.v. en art. 3 lid 2.¦ Daar staat het.",
		"Het kost ca. € 1.250,50 per jaar.¦ Dat is veel.",
		"‘Kom je mee?’ vroeg hij.¦ ‘Nee!’ riep ze.",
		"\"Waar ben je?\" vroeg Jan.¦ \"Hier.\"",
		"Op 3 jan. 2020 om 14.30 uur viel de server uit.¦ De storing duurde max. 5 min. volgens het log.",
		"Drs. P. de Boer en prof. dr. J. Jansen spraken.¦ Ir. Smit niet.",
		"Neem 3 dd. 500 mg, bijv. na het eten.¦ Stop bij klachten.",
		"Hij werkt bij Bakker B.V. in Breda.¦ Zij bij de N.V. Gasunie.",
		"Wij verkopen kaas, brood, enz.¦ Ook op zondag.",
		"'s Avonds is het koud.¦ 's Morgens ook.",
		"Dit geldt m.b.t. de i.v.-toediening.¦ Verder niets.",
		"Wacht...¦ Wat was dat?!¦ Niets.",
		"Het is nu 20 °C.¦ Morgen wordt het 25 °C.",
		"Volgens Van den Berg et al. (2019) is dat t.g.v. de hitte.¦ Zie fig. 2.",
		"De 2e wereldoorlog begon in 1939.¦ In 1945 was het voorbij.",
	)
}

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
