// Package guard lets the program fetch addresses that people typed in without
// letting them reach what only the server itself can reach: its own ports, the
// private network, the metadata service of a cloud.
//
// What counts is the address that is connected to, not the name: a name is
// resolved here, every address it has is judged, and the connection goes to one
// of those very addresses, so neither a redirect nor a name server that changes
// its mind gets past. Names are judged before only to give a clearer answer.
package guard
