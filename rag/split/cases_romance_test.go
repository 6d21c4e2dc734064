package split_test

import "testing"

func TestFrenchCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"M. Le Goff et Mme Martin sont arrivés à 14 h 30.¦ Ils sont repartis.",
		"MM. Dupont et Durand, p. ex., n'ont rien dit.¦ Le Dr. Petit non plus.",
		"Où est-il ?¦ Je ne sais pas !¦ Tant pis.",
		"Où est-il\u202f?¦ Je ne sais pas\u00a0!¦ Tant pis…¦ On verra.",
		"« Où vas-tu ? » demanda-t-elle.¦ « Nulle part ! » répondit Paul.",
		"«\u00a0Quoi\u202f!\u00a0»¦ Il sortit.¦ «\u00a0Bon.\u00a0»¦ Elle resta.",
		"— Tu viens ?¦ — Non, dit-il.¦ — Dommage.",
		"Voir p. 12 et suiv., fig. 3 et tab. 2.¦ L'art. 5, al. 2 du C. civ. s'applique.",
		"La dose est de 2,5 mg/kg, soit env. 150 mg, 3 fois p. j. pendant 5 jours.¦ Arrêter ensuite.",
		"Il est né au XIXe s. à Lyon.¦ Elle est née en 50 av. J.-C. à Rome.",
		"J.-J. Rousseau est mort en 1778.¦ J. M. Le Clézio vit encore.",
		"La société Dupond S.A. a vendu 1.250.000 titres.¦ La S.N.C.F. aussi.",
		"Pommes, poires, etc.¦ Les enfants aiment ça.",
		"Il m'a dit : « Viens. Je t'attends. » et il est parti.",
		"Le n° 5 est libre, le no 6 aussi.¦ Le n° 7 est pris.",
		"Redémarrez le service (cf. chap. 4).¦ Vérifiez ensuite les journaux.",
		"Il habite 12, av. Foch, bd. Voltaire ou rue St. Jacques.¦ Je ne sais plus.",
		"Le taux est passé de 3,5 % à 4 %.¦ C'est beaucoup.",
		"Vitamine C.¦ Le patient en prend 1 g par jour.",
		"Mgr. Dupanloup et Me Vergès, c.-à-d. deux hommes, parlaient.",
		"Il a réussi… enfin presque.¦ Elle… non.",
		"Le 1er janv. 2020, l'appli. a planté.¦ Depuis, tout va bien.",
		"La vitesse est de 90 km/h max. sur cette route.¦ Ralentissez !",
	)
}

func TestSpanishCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"El Sr. García y la Dra. Ruiz llegaron a las 10 a. m. de hoy.¦ Se fueron a las 5 p. m.¦ Después llovió.",
		"¿Dónde está?¦ ¡No lo sé!¦ Bueno.",
		"—¿Vienes? —preguntó Ana.¦ —No —dijo él—.¦ Estoy cansado.",
		"«¿Qué haces?», dijo.¦ «Nada».¦ Y se fue.",
		"Véase la pág. 12, fig. 3 y el cap. 4.¦ El art. 5 no aplica.",
		"Vive en la Av. Libertador n.º 25, 3.º izq., desde 1990.¦ Ud. lo conoce.",
		"La dosis es de 2,5 mg/kg (máx. 150 mg) c/8 h v.o. durante 5 días.¦ Luego suspender.",
		"En EE. UU. hay 330 millones de hab. aprox. según el censo.¦ En España, menos.",
		"Nació en el s. XIX.¦ Murió en 44 a. C. en Roma.",
		"La empresa Pérez S.A. de C.V. vendió 1.250.000 acciones.¦ Ganó mucho.",
		"Le dije que no.¦ Luego me fui.",
		"Compré pan, leche, etc.¦ También fruta.",
		"¿Y si no viene?¦ ¡Qué más da!¦ Vámonos.",
		"Reinicie el servicio (v. apdo. 3).¦ Compruebe los registros.",
		"El Gral. San Martín y D. José de la Fuente se vieron.¦ S. M. el Rey no.",
		"P. ej., el nodo n.º 5.¦ El núm. 6 no.",
		"Dijo: \"No puedo. Lo siento.\" y colgó.",
		"Espera... ya voy.¦ Un instante...¦ Listo.",
	)
}

func TestItalianCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"Il sig. Rossi e la dott.ssa Bianchi sono arrivati alle 14.30.¦ Poi sono partiti.",
		"«Dove vai?» chiese lei.¦ «Da nessuna parte!» rispose lui.",
		"“Non lo so. Forse domani” disse Marco.¦ Poi uscì.",
		"Vedi pag. 12 e segg., fig. 3 e cap. 4.¦ L'art. 5, co. 2, del D.Lgs. n. 81/2008 si applica.",
		"La dose è di 2,5 mg/kg (max. 150 mg) per 5 gg. e poi si sospende.",
		"La ditta Verdi S.p.A. ha venduto 1.250.000 azioni.¦ La Neri S.r.l. no.",
		"Mele, pere, ecc.¦ I bambini le adorano.",
		"Nacque nel sec. XIX a Roma.¦ Morì nel 44 a.C. in Senato.",
		"L'ing. G. Ferrari e l'avv. De Luca abitano in p.zza Dante, n. 5.¦ L'on. Conti no.",
		"Prof. Neri, come sta?¦ Bene, grazie.",
		"Cfr. la tab. 2 e p. es. la fig. 3.¦ Tutto qui.",
		"Che ne dici?!¦ Mah...¦ Forse.",
		"Egr. Dott. Bianchi, Le scrivo per il Suo ordine n. 123.¦ Cordiali saluti.",
		"Mi ha detto di no.¦ Poi è uscito.",
		"— Vieni?¦ — No, grazie.",
		"Il 5 gen. 2020 il server è caduto.¦ È ripartito alle 3.",
	)
}

func TestPortugueseCases(t *testing.T) {
	t.Parallel()
	requireCases(t,
		"O Sr. Silva e a Dra. Costa chegaram às 14h30.¦ Depois saíram.",
		"— Vens comigo?¦ — Não — disse ela.¦ — Pena.",
		"“Onde estás?”, perguntou.¦ “Aqui.”¦ E calou-se.",
		"Ver pág. 12, fig. 3 e cap. 4.¦ O art. 5.º não se aplica.",
		"A dose é de 2,5 mg/kg (máx. 150 mg) de 8/8 h por 5 dias.¦ Depois suspender.",
		"Mora na Av. Paulista, n.º 25, apto. 3, desde 1990.¦ V. Exa. conhece.",
		"A empresa Souza Ltda. vendeu 1.250.000 ações.¦ A Lima S.A. não.",
		"Comprei pão, leite, etc.¦ Também fruta.",
		"Nasceu no séc. XIX.¦ Morreu em 44 a.C. em Roma.",
		"O Prof. Doutor J. Sousa e o Eng. Melo falaram.¦ D. Maria não.",
		"Reinicie o serviço (cf. secção 3).¦ Verifique os registos.",
		"Espere... já vou.¦ Um instante...¦ Pronto.",
		"Ele disse: “Não posso. Desculpa.” e desligou.",
		"São aprox. 5 mil hab. segundo o IBGE.¦ Em 1990 eram 3 mil.",
	)
}
