package split

import "passage/rag"

// beforeWords are how a paragraph before a procedure begins, in small letters.
var beforeWords = map[rag.SurroundingKind][]string{
	rag.Precondition: {
		"prerequisite", "precondition", "before you", "before start", "before begin", "before proceed", "make sure", "ensure ", "you need", "you must have", "you will need",
		"requirements:", "required:", "requires ",
		"voraussetzung", "bevor sie", "bevor du", "stellen sie sicher", "stelle sicher", "sie benötigen", "vor dem start",
		"prérequis", "pré-requis", "avant de ", "assurez-vous", "vous devez avoir", "vérifiez que vous",
		"requisitos", "prerrequisitos", "antes de ", "asegúrese", "asegúrate", "necesita ",
		"prerequisiti", "requisiti", "prima di ", "assicurarsi", "assicurati",
		"pré-requisitos", "certifique-se", "vereisten", "voorwaarden", "voordat ", "zorg ervoor", "controleer vooraf",
	},
	rag.Warning: {
		"warning", "caution", "danger", "important", "attention", "note:", "note that", "you must ", "do not ", "don't ", "never ",
		"achtung", "warnung", "vorsicht", "wichtig", "gefahr", "niemals", "hinweis:",
		"avertissement", "mise en garde", "ne jamais", "n'oubliez", "remarque :",
		"atención", "advertencia", "precaución", "peligro", "nunca ", "nota:",
		"attenzione", "avvertenza", "pericolo", "importante",
		"atenção", "aviso", "cuidado", "perigo", "waarschuwing", "let op", "gevaar", "belangrijk", "nooit ", "pas op",
	},
}

// afterWords are how a paragraph after a procedure begins, in small letters.
var afterWords = map[rag.SurroundingKind][]string{
	rag.Verification: {
		"verif", "validat", "to verify", "to validate", "to check that", "to check whether", "to confirm", "confirm ", "post-check", "postcheck", "you should now", "you should see",
		"überprüf", "prüfen sie", "zur überprüfung", "zur kontrolle", "kontrollieren sie", "stellen sie sicher",
		"vérifi", "pour vérifier", "contrôlez", "comprobar", "compruebe", "para verificar", "para comprobar", "per verificare", "controllare", "controlla ",
		"para confirmar", "confirme ", "controleer", "ter controle",
	},
	rag.Rollback: {
		"rollback", "roll back", "roll-back", "to roll back", "rolling back", "back out", "backout", "back-out", "revert", "to revert", "to undo", "undo", "if this fails",
		"if the procedure fails", "if any step fails", "if a step fails", "if something goes wrong", "if anything goes wrong", "abort",
		"rückgängig", "zum zurückrollen", "zurückrollen", "falls etwas schiefgeht", "wenn etwas schiefgeht", "bei problemen",
		"retour arrière", "pour annuler", "annulation", "en cas d'échec", "en cas de problème", "revertir", "para revertir", "para deshacer", "si algo falla", "reversión",
		"ripristin", "per annullare", "per ripristinare", "in caso di errore", "reverter", "para reverter", "para desfazer", "se algo falhar", "em caso de falha",
		"terugdraaien", "om terug te draaien", "als het misgaat", "bij problemen", "ongedaan maken",
	},
}
