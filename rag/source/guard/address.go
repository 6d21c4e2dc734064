package guard

import "net/netip"

// refused are the ranges that are not the public internet: the special-purpose
// registries of IANA (RFC 6890), and the IPv6 ranges that carry an IPv4 address
// within, as what they lead to depends on a translator nobody sees from here.
var refused = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared by carriers; also metadata services
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local; metadata services
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocol assignments; metadata services
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // relays to 6to4
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/3",     // multicast, reserved, broadcast
	"2001::/23",       // protocol assignments, Teredo
	"2001:db8::/32",   // documentation
	"2002::/16",       // 6to4
	"3fff::/20",       // documentation
)

// global is all of IPv6 that is given out to hosts of the internet; loopback,
// unique local, link-local, multicast and mapped addresses lie outside.
var global = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// Public says whether an address belongs to the public internet. An IPv4
// address written as IPv6 ("::ffff:10.0.0.1") is judged as what it is.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	if a = a.Unmap(); a.Is6() && !global.Contains(a) {
		return false
	}
	for _, p := range refused {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
