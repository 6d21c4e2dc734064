package split

import (
	"strings"

	"passage/rag"
	"passage/rag/extract/names"
)

// callsSteps says that an unordered list is called steps: by a paragraph right
// before it, or by its heading when it is the first list there. It is meant to
// be strict, since most bullets are no steps.
func (d *document) callsSteps(blocks []rag.Block, i int, heading string) bool {
	list := &blocks[i]
	if len(list.Children) < 2 || list.Children[0].Label == ":" {
		return false
	}
	if i > 0 && blocks[i-1].Kind == rag.BlockParagraph {
		if names.Whole(d.plain(blocks[i-1].Span)) == names.Steps { // "Steps:", "**Procedure**"
			return true
		}
		words := strings.ToLower(d.plain(blocks[i-1].Span))
		open := strings.HasSuffix(words, ":")
		if open && (saysSteps(words) || asksToDo(words) && d.orders(list)) {
			return true
		}
		if open && choice(words) {
			return false
		}
	}
	switch part := names.Of(heading); {
	case part == names.Steps:
	case (part == names.Remedy || asksHow(heading)) && d.orders(list):
	default:
		return false
	}
	for k := i - 1; k >= 0 && blocks[k].Kind != rag.BlockHeading; k-- {
		if blocks[k].Kind == rag.BlockList {
			return false
		}
	}
	return true
}

// choice says that a lead-in, in lower case, offers alternatives.
func choice(words string) bool {
	return containsAny(words, "one of ", "any of ", "any or all of ", "depends on ", "depending on ", "either ", "some of ", "options", "eine der ", "einer der ", "einen der ", "l'une des ", "l’une des ", "l'un des ",
		"una de ", "uno de ", "una delle ", "uno dei ", "uma das ", "um dos ", "een van ", "één van ")
}

// saysSteps says that a lead-in, in lower case, announces steps to be done in
// order.
func saysSteps(words string) bool {
	return !choice(words) && containsAny(words,
		"following steps", "these steps", "steps below", "steps to ", "following procedure", "following instructions", "do the following", "in this order", "in order:",
		"in the following order", "perform the following", "complete the following", "carry out the following", "follow these", "proceed as follows", "do as follows",
		"following actions", "do this:", "step by step",
		"folgende schritte", "folgenden schritte", "diese schritte", "diesen schritten", "wie folgt vor", "in dieser reihenfolge", "in folgender reihenfolge", "tun sie folgendes",
		"folgendes tun",
		"étapes suivantes", "étapes ci-dessous", "ces étapes", "comme suit :", "comme suit:", "dans cet ordre", "dans l'ordre suivant", "opérations suivantes", "suivez ces",
		"siguientes pasos", "pasos siguientes", "estos pasos", "haga lo siguiente", "en este orden", "en el siguiente orden", "realice lo siguiente",
		"seguenti passaggi", "passaggi seguenti", "seguenti passi", "questi passaggi", "questi passi", "procedere come segue", "in quest'ordine", "nel seguente ordine",
		"seguenti operazioni", "fare quanto segue",
		"seguintes passos", "passos seguintes", "estes passos", "seguintes etapas", "etapas seguintes", "faça o seguinte", "nesta ordem", "na seguinte ordem", "passos abaixo",
		"volgende stappen", "deze stappen", "stappen hieronder", "in deze volgorde", "in de volgende volgorde", "als volgt te werk", "doe het volgende")
}

// asksToDo says that a lead-in, in lower case, says what to reach: "To drain a
// node:". The list below it must tell how.
func asksToDo(words string) bool {
	return !choice(words) && hasAnyPrefix(words, "to ", "in order to ", "if this happens", "when this happens")
}

// asksHow says that a heading asks for steps: "How to drain a node".
func asksHow(heading string) bool {
	return hasAnyPrefix(strings.ToLower(strings.TrimLeft(heading, "0123456789.) ")), "how to ", "how do i ", "how do we ", "to ")
}

// listsSources says that a numbered list is a bibliography or a table of
// contents: by the heading, or by the words right before it.
func (d *document) listsSources(blocks []rag.Block, i int, heading string) bool {
	if names.Whole(heading) == names.Sources {
		return true
	}
	return i > 0 && blocks[i-1].Kind == rag.BlockParagraph && names.Whole(d.plain(blocks[i-1].Span)) == names.Sources
}

func containsAny(s string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
