// Package views draws the pages. A view gets exactly what it shows, as ready
// strings, numbers, flags and addresses; it never queries, asks the clock or
// decides who may see what.
//
// Every page works without a script. The attributes for htmx make asking and
// reading an answer as it is written smoother, and nothing else depends on them.
// The same components draw an answer in the history and in the stream.
package views

// SafeHTML is markup that has been through the sanitiser of package render, or a
// drawing of package plot, which escapes every text. Only such markup may be put
// into a page as it is.
type SafeHTML string

// Layout is what surrounds a page.
type Layout struct {
	Title   string
	Section string     // "ask", "documents", "upload", "jobs", "evaluation" or "lab": the entry of the menu that is current
	Chats   []ChatLink // conversations, newest first; shown beside the pages of section "ask"
	Refresh int        // seconds after which a browser without scripts loads the page again; 0 for never
}

// ChatLink is an entry in the list of conversations.
type ChatLink struct {
	Title   string
	URL     string
	Current bool
}

// sections of the menu.
var menu = []struct{ section, label, url string }{
	{"ask", "Ask", "/"},
	{"documents", "Documents", "/documents"},
	{"upload", "Upload", "/upload"},
	{"jobs", "Jobs", "/jobs"},
	{"evaluation", "Evaluation", "/evaluation"},
	{"lab", "Search lab", "/lab"},
}

// htmxConfig keeps htmx within the content security policy, keeps pages out of
// the browser's storage, and shows the server's error messages.
const htmxConfig = `{"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,"selfRequestsOnly":true,` +
	`"historyCacheSize":0,"refreshOnHistoryMiss":true,"historyRestoreAsHxRequest":false,"reportValidityOfForms":true,"defaultSettleDelay":0,` +
	`"responseHandling":[{"code":"204","swap":false},{"code":"[23]..","swap":true},{"code":"[45]..","swap":true,"error":true}]}`
