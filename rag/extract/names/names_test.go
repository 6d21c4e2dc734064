package names_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/extract/names"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]names.Part{
		"Steps":                         names.Steps,
		"2.1 Steps:":                    names.Steps,
		"B. Procedure":                  names.Steps,
		"Steps to drain a node":         names.Steps,
		"Recovery steps":                names.Steps,
		"Upgrade Procedure":             names.Steps,
		"Installationsanleitung":        names.Steps,
		"Schritt für Schritt":           names.Steps,
		"Étapes à suivre":               names.Steps,
		"Pasos para reiniciar":          names.Steps,
		"Passo a passo":                 names.Steps,
		"Stappenplan":                   names.Steps,
		"Next steps":                    names.Chapter,
		"Stepsister":                    names.None,
		"Resolution":                    names.Remedy,
		"Lösung":                        names.Remedy,
		"Resolution of names":           names.None,
		"Prerequisites":                 names.Before,
		"Before you begin":              names.Before,
		"Before you drain the node":     names.Before,
		"Beforehand":                    names.None,
		"Voraussetzungen":               names.Before,
		"Prérequis":                     names.Before,
		"⚠️ Warning":                    names.Warning,
		"Let op!":                       names.Warning,
		"Verification":                  names.Check,
		"Verify the result":             names.Check,
		"Verifying":                     names.Check,
		"Vérification":                  names.Check,
		"Verificação":                   names.Check,
		"Rollback":                      names.Undo,
		"3. Rollback plan":              names.Undo,
		"Retour arrière":                names.Undo,
		"Rückgängig machen":             names.Undo,
		"Undocumented flags":            names.None,
		"References":                    names.Sources,
		"Table of contents":             names.Sources,
		"Overview":                      names.Chapter,
		"Kafka":                         names.None,
		"":                              names.None,
		"1.":                            names.None,
		"Verified by the security team": names.None,
	} {
		require.Equal(t, want, names.Of(heading), "%q", heading)
	}
	require.Equal(t, names.None, names.Whole("Verify the result"))
	require.Equal(t, names.Check, names.Whole("Verification:"))
}
