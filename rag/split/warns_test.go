package split_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/split"
)

func TestWarns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Warning: hot.":                          true,
		"**Careful:** do not delete the secret.": true,
		"> [!WARNING]":                           true,
		"> [!TIP]":                               false,
		"!!! danger \"Hot\"":                     true,
		":::note":                                true,
		"⚠️ Two at once are refused.":            true,
		"Never into a peripheral vein.":          true,
		"- Do not aim at full wakefulness":       true,
		"1. Don’t cancel them.":                  true,
		"a) Never two at once":                   true,
		"STOP the infusion":                      true,
		"Stop if the pressure falls.":            true,
		"Stop the broker.":                       false,
		"**Note** – it is slow.":                 true,
		"Note the offset.":                       false,
		"Contraindicated below an eGFR of 15.":   true,
		"Contraindications:":                     true,
		"Warnings are logged.":                   false,
		"Importantly so.":                        false,
		"Nevertheless it works.":                 false,
		"Achtung: heiß.":                         true,
		"Kontraindiziert bei Dialyse.":           true,
		"The warning is shown.":                  false,
		"It is never so.":                        false,
		"":                                       false,
		"12":                                     false,
	} {
		require.Equal(t, want, split.Warns(text), "%q", text)
	}
}
