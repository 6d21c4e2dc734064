package extract_test

import (
	"context"
	"fmt"

	"passage/rag/extract"
)

// Each block knows its bytes in the one text; inline markup stays in it.
func ExampleFile() {
	x, err := extract.File(context.Background(), "restart.md", []byte("# Restart\r\n\r\n1. Stop the **broker**:\r\n   `systemctl stop kafka`\r\n2. Wait.\r\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Title)
	for _, step := range x.Blocks[1].Children {
		fmt.Printf("%s %q\n", step.Label, step.Content.In(x.Text))
	}
	// Output:
	// Restart
	// 1. "Stop the **broker**:\n   `systemctl stop kafka`"
	// 2. "Wait."
}

// The words of a heading, as a list of results shows them.
func ExamplePlainText() {
	fmt.Println(extract.PlainText("Rotate the **keys** of [`<broker>`](https://example.org)"))
	// Output: Rotate the keys of <broker>
}
