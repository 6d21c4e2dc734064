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
