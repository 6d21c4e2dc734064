package split_test

import "testing"

func TestBlindGerman(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Der Termin ist am 17. März um 9 Uhr.¦ Bitte seien Sie pünktlich.",
		"Das Medikament (z.B. Ibuprofen 400 mg) wirkt nach ca. 30 Min. bei den meisten Patienten.¦ Nicht auf nüchternen Magen einnehmen.",
		"„Das ist unmöglich“, sagte Frau Dr. Lehmann.¦ „Wir haben keine Zeit.“",
		"Er kam um 8 Uhr, sie erst um 9.¦ Warum?",
		"Im 2. Stock befindet sich die Abt. Chirurgie.¦ Im 3. OG ist die Kantine.",
		"Lt. Angaben des BMI stieg die Zahl um 3,4 %.¦ 2019 waren es 2,1 %.",
		"Öffnen Sie die Datei config.yaml.¦ Tragen Sie dort den Wert 1.500 ein.",
		"Die Fa. Schulze & Söhne GmbH, Inh. K. Schulze, liefert u. a. Schrauben.¦ Bestellungen bis Fr., 12 Uhr.",
		"Wer war’s?!¦ Ich nicht!¦ „Du etwa?“",
		"Friedrich II. von Preußen spielte Flöte.¦ Sein Vater hasste das.",
		"Vgl. dazu BGH, Urt. v. 12.3.2014 – XII ZR 33/12, Rn. 14.¦ Anders das OLG Köln.",
		"Prüfen Sie den Füllstand (s. Abb. 2).¦ Bei Bedarf nachfüllen.",
	)
}

func TestBlindDutchAndNordic(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"De vergadering is op 12 okt. a.s. om 10.00 uur.¦ Graag op tijd komen.",
		"‘Ik kom niet’, zei hij.¦ ‘Ik ben ziek.’",
		"Zie art. 12, lid 3, sub b.¦ Dat artikel geldt sinds 1 jan. 2015.",
		"Mr. dr. A.B. van der Berg is hoogleraar te Leiden.¦ Prof. De Wit ook.",
		"De patiënt kreeg 2 x daags 500 mg amoxicilline p.o. gedurende 7 dgn. en herstelde.",
		"Waarom niet?¦ Omdat het regent!¦ O ja...",
		"Controleer het bestand /etc/hosts.¦ Herstart daarna de server.",
		"Er waren ca. 1.500 bezoekers, m.n. jongeren.¦ Het was druk.",
		"Mødet er den 3. oktober kl. 9.30 i lokale 12.¦ Husk kaffe.",
		"Patienten fik 5 mg i.v. hver 6. time.¦ Det hjalp ikke.",
		"”Jeg kommer ikke,” sagde han.¦ ”Jeg er syg.”",
		"Ifølge § 12, stk. 3, jf. § 14, er det ulovligt.¦ Straffen er bøde.",
		"Frk. Nielsen og fru Holm bor i Nørregade 5, 2. tv.¦ De er søstre.",
		"Der var ca. 1.500 gæster, bl.a. borgmesteren.¦ Festen varede til kl. 3.¦ Alle gik hjem.",
		"Dronning Margrethe 2. fylder år den 16. april.¦ Flaget er hejst.",
		"Start tjenesten på nytt.¦ Sjekk loggen (se kap. 4).¦ Virker det?",
		"Hun er f.eks. god i matte, engelsk o.l.¦ Han er god i norsk.",
		"Mötet är den 3 okt. kl. 9.30.¦ Glöm inte fikat.",
		"Enligt 12 § 3 st. miljöbalken krävs tillstånd.¦ Ansökan görs hos länsstyrelsen.",
		"Patienten fick 5 mg iv. var 6:e timme.¦ Det hjälpte inte.",
		"– Kommer du?¦ – Nej, jag är sjuk.¦ – Synd!",
	)
}

func TestBlindFrench(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"La réunion aura lieu le 3 oct. 2022 à 9 h 30, salle no 12.¦ Soyez à l'heure.",
		"« Je ne viens pas, dit-il. Je suis malade. »¦ Elle raccrocha.",
		"Le patient a reçu 500 mg d'amoxicilline p.o. 2 fois/j. pendant 7 j. et a guéri.",
		"Selon Dubois et al. (2018), c'est faux.¦ Cf. p. 45 sq. et note 3.",
		"Pourquoi pas ?¦ Parce qu'il pleut !¦ Ah oui…",
		"Ouvrez le fichier config.yaml.¦ Saisissez la valeur 1 500 dans le champ.",
		"Le Pr Martin et le Dr Petit, ainsi que M. et Mme De La Tour, étaient là.¦ Tous ont voté.",
		"Aux termes de l'art. L. 121-1 C. consom., c'est interdit.¦ L'amende est de 1.500 €.",
		"Louis XIV.¦ Il régna 72 ans.",
		"Elle habite au 12 bis, bd. Saint-Michel, Paris 5e.¦ Lui, à Lyon.",
		"Les états-unis (É.-U.) ont refusé.¦ Le R.-U. a accepté.",
		"Qu'est-ce que c'est que ça ?!¦ — Rien, répondit M. Hulot.",
	)
}

func TestBlindSpanishAndPortuguese(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"La reunión es el 3 de oct. a las 9:30 h en la sala núm. 12.¦ Sean puntuales.",
		"—No voy —dijo—.¦ Estoy enfermo.¦ Ella colgó.",
		"El paciente recibió 500 mg de amoxicilina v.o. c/12 h por 7 días.¦ Mejoró.",
		"Según López et al. (2018), es falso.¦ Cf. p. 45 y ss.",
		"¿Por qué no?¦ ¡Porque llueve!¦ Ah, sí...",
		"Abra el archivo config.yaml.¦ Escriba el valor 1.500 en el campo.",
		"El Prof. Martínez y la Lic. Gómez, así como Dña. Carmen, votaron.¦ Nadie más lo hizo.",
		"Según el art. 12.3 de la Ley 30/1992, de 26 de nov., está prohibido.¦ La multa es de 300 €.",
		"Felipe II reinó en el s. XVI.¦ Carlos I. fue su padre.",
		"Vive en la C/ Mayor, 12, 3.º dcha., Madrid.¦ Él vive en Bs. As. desde 2010.",
		"«¡Fuera!», gritó el Cap. Alatriste.¦ Y todos salieron.",
		"A reunião é no dia 3 de out. às 9h30, na sala n.º 12.¦ Sejam pontuais.",
		"— Não vou — disse ele.¦ — Estou doente.¦ Ela desligou.",
		"O paciente recebeu 500 mg de amoxicilina v.o. de 12/12 h por 7 dias.¦ Melhorou.",
		"Segundo Souza et al. (2018), é falso.¦ Cf. p. 45 e segs.",
		"Por que não?¦ Porque chove!¦ Ah, sim...",
		"Abra o ficheiro config.yaml.¦ Escreva o valor 1.500 no campo.",
		"A Profa. Lima e o Dep. Gomes votaram.¦ O Exmo. Sr. Ministro não.",
		"Nos termos do art. 12, n.º 3, al. b), do CPC, é proibido.¦ A multa é de 300 €.",
		"Ela mora na R. Augusta, 12, apto. 5.¦ Ele, em S. Paulo.",
		"“Fora!”, gritou o Cap. Nascimento.¦ E todos saíram.",
	)
}

func TestBlindItalianAndRomanian(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"La riunione è il 3 ott. alle 9.30 nella sala n. 12.¦ Siate puntuali.",
		"«Non vengo» disse.¦ «Sono malato.»",
		"Il paziente ha ricevuto 500 mg di amoxicillina p.o. ogni 12 h per 7 gg. ed è guarito.",
		"Secondo Bianchi et al. (2018) è falso.¦ Cfr. p. 45 ss. e nota 3.",
		"Perché no?¦ Perché piove!¦ Ah, già...",
		"Aprite il file config.yaml.¦ Inserite il valore 1.500 nel campo.",
		"Il Prof. Conti e la Dott.ssa Riva, nonché l'Avv. Neri, hanno votato.¦ Tutti contrari.",
		"Ai sensi dell'art. 12, comma 3, lett. b), c.p.c., è vietato.¦ La multa è di 300 €.",
		"Vittorio Emanuele II regnò fino al 1878.¦ Papa Giovanni XXIII. morì nel 1963.",
		"Abita in V.le Monza, 12, int. 5, Milano.¦ Lui a Roma.",
		"Ședința este pe 3 oct. la ora 9:30, în sala nr. 12.¦ Fiți punctuali.",
		"„Nu vin. Sunt bolnav”, a spus el.¦ Ea a închis.",
		"Dl. Popescu și d-na Ionescu, precum și prof. dr. Marin, au votat.¦ Nimeni altcineva.",
		"Conform art. 12 alin. (3) din Legea nr. 31/1990, este interzis.¦ Amenda este de 300 lei.",
		"De ce nu?¦ Pentru că plouă!¦ A, da...",
	)
}
