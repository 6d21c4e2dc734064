package split

import (
	"strings"

	"passage/rag"
)

// leastOrders is how many items a list must have that nothing but its own words
// makes steps: shorter ones are alternatives as often.
const leastOrders = 3

// orders says that every item of a list tells somebody to do something, in
// English: it begins with a verb that runbooks give orders with. Items that
// begin with a condition ("If the pod is gone, …") are cases, not steps.
func (d *document) orders(list *rag.Block) bool {
	for k := range list.Children {
		item := &list.Children[k]
		if len(item.Children) == 0 || item.Children[0].Kind != rag.BlockParagraph || !orders(d.plain(item.Children[0].Span)) {
			return false
		}
	}
	return len(list.Children) >= leastOrders
}

// orders says that a sentence begins with an order.
func orders(words string) bool {
	w := strings.ToLower(words)
	for _, before := range [...]string{"then ", "first, ", "next, ", "finally, ", "optionally, ", "(optional) ", "optional: "} {
		w = strings.TrimPrefix(w, before)
	}
	first, _, _ := strings.Cut(w, " ")
	return verbs[strings.TrimRight(first, ",:.")]
}

// ordersIf says that a sentence begins with a condition and goes on with an
// order.
func ordersIf(words string) bool {
	if !hasAnyPrefix(strings.ToLower(words), "if ", "when ", "once ") {
		return false
	}
	_, order, _ := strings.Cut(words, ", ")
	return orders(order)
}

// verbs are those that runbooks and protocols give orders with. Words that are
// nouns as often ("test", "support") are in it only where a list of nouns is
// unlikely to have nothing else.
var verbs = func() map[string]bool {
	all := map[string]bool{}
	for v := range strings.FieldsSeq(`
		abort access acknowledge activate add adjust administer admit advise alert align allow alter analyse analyze annotate announce answer append apply approve archive arrange ask
		assess assign assume attach authenticate authorize avoid await backup begin block boot bring browse build calculate call cancel capture change check choose clean clear click
		clone close collect commit communicate compare compile complete compress compute configure confirm connect consider consult contact continue convert copy correct count create cut
		cordon debug decide decommission decrease define delete deploy describe destroy detach determine diagnose disable discard disconnect discontinue dismiss dispose document double-check
		download drain draw drop dump edit eject enable end engage ensure enter erase escalate establish evacuate evaluate examine execute exit expand export expose extend extract
		failover fetch fill filter find finish fix flush follow force format forward gather generate get give go grant hand hold identify ignore implement import increase inform initiate inject
		insert inspect install investigate invoke isolate issue join keep kill label launch leave let list load locate lock log login look lower make manage mark measure merge migrate
		mitigate modify monitor mount move navigate note notify observe obtain open order page pass paste patch pause perform pick ping place plan post power prepare press prevent print
		promote prove provide provision prune publish pull purge push put quit raise read reapply reassign rebalance reboot rebuild recheck reconfigure reconnect record recover recreate
		redeploy reduce refer refresh register reinstall release reload remove rename renew reopen repair repeat replace replicate report request re-run rerun reset resize resolve restart
		restore restrict resume retrieve retry return revert review revoke roll rotate run save scale scan schedule search secure see select send set shut sign silence skip snapshot source
		ssh start stop store submit suspend switch sync synchronize take tag tail tell terminate test throttle transfer trigger try tune turn type unblock uncordon uninstall unlock unmount
		unplug unset update upgrade upload use validate verify view visit wait warn watch withdraw withhold write zip`) {
		all[v] = true
	}
	return all
}()
