package names //nolint:misspell // words of seven languages

import "strings"

// whole holds the names that are a whole heading.
var whole = func() map[string]Part {
	all := map[string]Part{}
	for part, names := range map[Part]string{
		Steps: `steps, step by step, step-by-step, procedure, procedures, the procedure, instructions, checklist, walkthrough, what to do, action plan, runbook steps,
			schritte, schritt für schritt, vorgehen, vorgehensweise, anleitung, ablauf, durchführung, arbeitsschritte, checkliste,
			étapes, étapes à suivre, procédure, marche à suivre, mode opératoire, pas à pas,
			pasos, pasos a seguir, procedimiento, procedimientos, instrucciones, paso a paso, lista de comprobación,
			passaggi, passi, passi da seguire, procedura, istruzioni, passo dopo passo,
			passos, etapas, procedimento, procedimentos, instruções, passo a passo,
			stappen, stappenplan, stap voor stap, werkwijze, instructies, handelingen`,
		Remedy: `resolution, remediation, mitigation, fix, the fix, solution, recovery, workaround, how to fix,
			lösung, behebung, abhilfe, gegenmaßnahmen, wiederherstellung,
			résolution, remédiation, correction, solución, resolución, mitigación, corrección,
			soluzione, risoluzione, mitigazione, solução, resolução, mitigação, correção, oplossing, herstel`,
		Before: `prerequisites, prerequisite, pre-requisites, preconditions, requirements, what you need, before you begin, before you start, before starting, before beginning, before proceeding,
			voraussetzungen, voraussetzung, vorbedingungen, anforderungen, vorbereitung, vorbereitungen, bevor sie beginnen, vor dem start,
			prérequis, pré-requis, conditions préalables, avant de commencer, préparation,
			requisitos previos, prerrequisitos, requisitos, antes de empezar, antes de comenzar, preparación,
			prerequisiti, requisiti, prima di iniziare, prima di cominciare, preparazione,
			pré-requisitos, antes de começar, antes de iniciar, preparação,
			vereisten, voorwaarden, benodigdheden, voordat je begint, voordat u begint, voorbereiding`,
		Warning: `warning, warnings, caution, danger, important, safety, safety notes,
			achtung, warnung, warnungen, vorsicht, wichtig, gefahr, sicherheitshinweise, warnhinweise,
			avertissement, avertissements, attention, mise en garde, mises en garde,
			advertencia, advertencias, atención, precaución, precauciones, peligro, importante,
			avvertenza, avvertenze, attenzione, pericolo, avviso, aviso, avisos, atenção, cuidado, perigo,
			waarschuwing, waarschuwingen, let op, gevaar, belangrijk, pas op`,
		Check: `verification, verify, validation, validate, post-check, post-checks, post checks, checks afterwards, testing the result,
			überprüfung, prüfung, verifikation, verifizierung, validierung, erfolgskontrolle, kontrolle,
			vérification, vérifications, contrôle, contrôles, verificación, comprobación, comprobaciones, validación,
			verifica, verifiche, controllo, convalida, verificação, verificações, validação,
			verificatie, controle, validatie`,
		Undo: `rollback, roll back, roll-back, rollback plan, rolling back, backout, back out, back-out plan, backout plan, revert, reverting, undo,
			rückfallplan, rückbau, zurückrollen, rückgängig machen, zurücksetzen,
			retour arrière, retour en arrière, annulation, reversión, revertir, deshacer, vuelta atrás, marcha atrás,
			ripristino, annullamento, reversão, reverter, desfazer, terugdraaien, terugrollen, ongedaan maken`,
		Sources: `references, bibliography, footnotes, endnotes, sources, further reading, see also, table of contents, contents, toc, index, in this document, on this page,
			literatur, quellen, quellenverzeichnis, inhalt, inhaltsverzeichnis, références, sommaire, table des matières, bibliographie,
			referencias, índice, contenido, bibliografía, riferimenti, indice, bibliografia, referências, conteúdo, sumário, bronnen, inhoud, inhoudsopgave, verwijzingen`,
		Chapter: `next steps, nächste schritte, prochaines étapes, próximos pasos, prossimi passi, próximos passos, volgende stappen, overview, introduction, summary, purpose, scope, background, meaning, symptoms, diagnosis, impact, cause, causes, root cause, contact, contacts, escalation, notes, appendix, glossary, troubleshooting, description, responsibilities, definitions, details,
			überblick, übersicht, einleitung, einführung, zusammenfassung, zweck, ziel, hintergrund, symptome, diagnose, ursache, ursachen, auswirkung, auswirkungen, ansprechpartner, kontakt, eskalation, hinweise, beschreibung, anhang,
			aperçu, résumé, objectif, objet, contexte, symptômes, diagnostic, conséquences, remarques, annexe,
			resumen, introducción, objetivo, alcance, síntomas, diagnóstico, causa, causas, impacto, contacto, contactos, notas, descripción, anexo,
			panoramica, introduzione, riepilogo, scopo, obiettivo, sintomi, diagnosi, cause, impatto, contatti, note, descrizione, allegato,
			visão geral, introdução, resumo, sintomas, contato, contatos, descrição,
			overzicht, inleiding, samenvatting, doel, achtergrond, symptomen, oorzaak, oorzaken, gevolgen, contactpersonen, opmerkingen, bijlage`,
	} {
		for name := range strings.SplitSeq(names, ",") {
			all[strings.TrimSpace(name)] = part
		}
	}
	return all
}()

// phrase is what a heading may begin or end with.
type phrase struct {
	words string
	part  Part
}

var starts = phrases(map[Part]string{
	Steps: `steps to, steps for, steps:, procedure for, procedure to, instructions for, checklist for,
		schritte zu, schritte zum, schritte zur, schritte für, vorgehen bei, vorgehen beim, vorgehen zur, anleitung zu, anleitung zum, anleitung zur,
		étapes pour, étapes de, procédure de, procédure pour, pasos para, procedimiento de, procedimiento para, instrucciones para,
		passaggi per, passi per, procedura di, procedura per, istruzioni per, passos para, etapas para, procedimento de, procedimento para, instruções para,
		stappen om, stappen voor, procedure voor, werkwijze bij`,
	Before: `prerequisites, preconditions, before you, before starting, requirements for,
		voraussetzungen für, bevor sie, bevor du, prérequis, pré-requis, avant de, requisitos previos, antes de, prerequisiti, prima di, pré-requisitos, vereisten voor, voordat`,
	Check: `verify, verifying, verification of, validate, validating, validation of, confirm, confirming, check that, checking that, post-check,
		überprüfen, überprüfung, prüfen, verifizieren, vérifier, vérification, vérifiez, contrôler, verificar, verificación, comprobar, comprobación,
		verificare, verifica del, verifica della, verificação, controleren, verificatie`,
	Undo: `rollback, roll back, rolling back, roll-back, back out, backout, back-out, revert, reverting, undo, undoing,
		rückgängig, zurückrollen, retour arrière, retour en arrière, annuler, revertir, reversión, deshacer, ripristinare, ripristino, annullare, reverter, reversão, desfazer, terugdraaien, terugrollen`,
})

var ends = phrases(map[Part]string{
	Steps: `~ steps, -steps, ~ procedure, ~ procedures, ~ instructions, ~ checklist, ~ walkthrough, -anleitung, sanleitung, ~ anleitung, checkliste, ~ schritte, arbeitsschritte,
		~ stappen, ~ stappenplan, ~ étapes, ~ pasos, ~ passaggi, ~ passos`,
})

// phrases puts a list in order: ~ stands for a blank.
func phrases(parts map[Part]string) []phrase {
	var all []phrase
	for _, part := range []Part{Steps, Before, Check, Undo} {
		for words := range strings.SplitSeq(parts[part], ",") {
			if words = strings.ReplaceAll(strings.TrimSpace(words), "~ ", " "); words != "" {
				all = append(all, phrase{words, part})
			}
		}
	}
	return all
}
