package inflight

import (
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
)

// Limits bound the calls in progress. A bound that is zero does not exist, except for Total.
type Limits struct {
	// Total bounds all calls; at least 1.
	Total int
	// PerAccount bounds the calls of one account, so that no account can take all slots.
	PerAccount int
	// PerDomain bounds the calls to all hosts of one registrable domain: its owner can create any number of host names below it.
	PerDomain int
	// PerHost bounds the calls to one host, so that a slow host does not delay others.
	PerHost int
	// Unresponsive bounds the calls to all hosts whose last two attempts timed out. The other slots are never given to such hosts.
	Unresponsive int
	// Timeout ends each call; zero means no timeout.
	Timeout time.Duration
	// Clock measures cooldowns; the real one if it is nil.
	Clock clock.Clock
}

// SlotRequest says for which object and account a slot is requested, and which host is called with it.
type SlotRequest struct {
	// UID of the object. An object that was deleted and created again has the same name and another UID.
	UID types.UID
	// Account that the call is made for. Accounts that wait are given slots in turn.
	Account string
	// Host that is called, with its port.
	Host string
	// Domain is the registrable domain of the host.
	Domain string
	// Uncapped means that PerDomain and PerHost do not bound the calls to the host.
	Uncapped bool
	// Serial means that the host has one call at a time.
	Serial bool
}

// cooldownKey identifies a host that asked not to be called for some time, and the account that it asked: hosts have limits for each of
// their customers, and one that answers badly must not stop others.
type cooldownKey struct{ account, host string }

// usage counts the slots in use, including those whose call has not begun, and remembers which hosts time out.
type usage struct {
	limits                   Limits
	total                    int
	accounts, domains, hosts map[string]int
	// timeouts counts, for each host, how many attempts in a row have timed out. unresponsive counts the slots in use for unresponsive
	// hosts.
	timeouts     map[string]int
	unresponsive int
	// cooldowns has when hosts may be called again.
	cooldowns map[cooldownKey]time.Time
}

const (
	// timeoutsInRow make a host unresponsive, until an attempt ends in another way.
	timeoutsInRow = 2
	// maxTimeouts bounds for how many hosts timeouts are remembered, and maxCooldowns for how many cooldowns.
	maxTimeouts  = 10_000
	maxCooldowns = 10_000
)

func newUsage(limits Limits) *usage {
	if limits.Clock == nil {
		limits.Clock = clock.RealClock{}
	}
	return &usage{
		limits: limits, accounts: map[string]int{}, domains: map[string]int{}, hosts: map[string]int{},
		timeouts: map[string]int{}, cooldowns: map[cooldownKey]time.Time{},
	}
}

// allowsAccount reports whether an account may have one more call.
func (u *usage) allowsAccount(name string) bool {
	return !reached(u.limits.PerAccount, u.accounts[name])
}

func (u *usage) allows(r SlotRequest) bool {
	switch {
	case u.total >= u.limits.Total, !u.allowsAccount(r.Account):
		return false
	case r.Serial && u.hosts[r.Host] > 0, u.limits.Clock.Now().Before(u.cooldowns[cooldownKey{r.Account, r.Host}]):
		return false
	case !r.Uncapped && (reached(u.limits.PerDomain, u.domains[r.Domain]) || reached(u.limits.PerHost, u.hosts[r.Host])):
		return false
	default:
		return !u.isUnresponsive(r.Host) || !reached(u.limits.Unresponsive, u.unresponsive)
	}
}

func reached(limit, n int) bool { return limit > 0 && n >= limit }

func (u *usage) take(r SlotRequest) {
	u.total++
	u.accounts[r.Account]++
	u.domains[r.Domain]++
	u.hosts[r.Host]++
	if u.isUnresponsive(r.Host) {
		u.unresponsive++
	}
}

func (u *usage) put(r SlotRequest) {
	if u.isUnresponsive(r.Host) {
		u.unresponsive--
	}
	u.total--
	decrement(u.accounts, r.Account)
	decrement(u.domains, r.Domain)
	decrement(u.hosts, r.Host)
}

func decrement(counts map[string]int, name string) {
	if counts[name]--; counts[name] == 0 {
		delete(counts, name)
	}
}

// coolDown starts the cooldown of a host for an account, and reports whether it ends later than the one before.
func (u *usage) coolDown(r SlotRequest, wait time.Duration) bool {
	now := u.limits.Clock.Now()
	if len(u.cooldowns) >= maxCooldowns {
		maps.DeleteFunc(u.cooldowns, func(_ cooldownKey, until time.Time) bool { return !now.Before(until) })
	}
	key := cooldownKey{r.Account, r.Host}
	longer := len(u.cooldowns) < maxCooldowns && u.cooldowns[key].Before(now.Add(wait))
	if longer {
		u.cooldowns[key] = now.Add(wait)
	}
	return longer
}

func (u *usage) isUnresponsive(host string) bool { return u.timeouts[host] >= timeoutsInRow }

// ended records whether an attempt at a host timed out. It is called while the attempt's slot is still in use.
func (u *usage) ended(host string, timedOut bool) {
	if !timedOut {
		u.answers(host)
		return
	}
	if _, known := u.timeouts[host]; !known && len(u.timeouts) >= maxTimeouts {
		for other := range u.timeouts {
			u.answers(other)
			break
		}
	}
	if u.timeouts[host]++; u.timeouts[host] == timeoutsInRow {
		u.unresponsive += u.hosts[host]
	}
}

// answers forgets the timeouts of a host.
func (u *usage) answers(host string) {
	if u.isUnresponsive(host) {
		u.unresponsive -= u.hosts[host]
	}
	delete(u.timeouts, host)
}
