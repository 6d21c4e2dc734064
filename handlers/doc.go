// Package handlers speaks HTTP: it reads requests, calls one service each, and
// has the views draw what comes back. Everything works by plain forms and
// redirects; htmx asks the same addresses and is given fragments.
//
// Only the stream of an answer is written as it goes. It follows an answer
// that is made and stored elsewhere, so any number of readers may follow one
// answer, and one that comes back sees it whole: no request makes a model speak
// twice.
//
// Every read takes the scope of who asks. What lies outside it is answered like
// what is not there.
package handlers
