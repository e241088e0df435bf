package inflight

import "time"

// Limits bound the calls in progress. A bound that is zero does not exist, except for Total.
type Limits struct {
	// Total bounds all calls; at least 1.
	Total int
	// PerAccount bounds the calls of one account, so that none can take all slots.
	PerAccount int
	// PerDomain bounds the calls to all hosts of one registrable domain: names below it cost nothing.
	PerDomain int
	// PerHost bounds the calls to one host, so that a slow host does not delay others.
	PerHost int
	// Unresponsive bounds the calls to all hosts whose last two attempts timed out. The other slots are never given to such hosts.
	Unresponsive int
	// Timeout ends each call; zero means no timeout.
	Timeout time.Duration
}

// Claim says for whom a slot is, and what is called with it.
type Claim struct {
	// Account that the call is made for. Accounts that wait are given slots in turn.
	Account string
	// Host that is called, with its port.
	Host string
	// Domain is the registrable domain of the host.
	Domain string
	// Uncapped means that PerDomain and PerHost do not bound the calls to the host.
	Uncapped bool
}

// usage counts the slots in use, whether their call has begun or not, and remembers which hosts do not answer.
type usage struct {
	limits                   Limits
	total                    int
	accounts, domains, hosts map[string]int
	// timeouts counts, by host, how many attempts in a row have timed out; unresponsive are the slots in use of unresponsive hosts.
	timeouts     map[string]int
	unresponsive int
}

const (
	// timeoutsInRow make a host unresponsive, until an attempt ends in another way.
	timeoutsInRow = 2
	// maxTimeouts bounds for how many hosts timeouts are remembered.
	maxTimeouts = 10_000
)

func newUsage(limits Limits) *usage {
	return &usage{
		limits: limits, accounts: map[string]int{}, domains: map[string]int{}, hosts: map[string]int{},
		timeouts: map[string]int{},
	}
}

// allows reports whether a slot is free for a claim.
func (u *usage) allows(c Claim) bool {
	switch {
	case u.total >= u.limits.Total, reached(u.limits.PerAccount, u.accounts[c.Account]):
		return false
	case !c.Uncapped && (reached(u.limits.PerDomain, u.domains[c.Domain]) || reached(u.limits.PerHost, u.hosts[c.Host])):
		return false
	default:
		return !u.isUnresponsive(c.Host) || !reached(u.limits.Unresponsive, u.unresponsive)
	}
}

func reached(limit, n int) bool { return limit > 0 && n >= limit }

func (u *usage) take(c Claim) {
	u.total++
	u.accounts[c.Account]++
	u.domains[c.Domain]++
	u.hosts[c.Host]++
	if u.isUnresponsive(c.Host) {
		u.unresponsive++
	}
}

func (u *usage) put(c Claim) {
	if u.isUnresponsive(c.Host) {
		u.unresponsive--
	}
	u.total--
	decrement(u.accounts, c.Account)
	decrement(u.domains, c.Domain)
	decrement(u.hosts, c.Host)
}

func decrement(counts map[string]int, name string) {
	if counts[name]--; counts[name] == 0 {
		delete(counts, name)
	}
}

func (u *usage) isUnresponsive(host string) bool { return u.timeouts[host] >= timeoutsInRow }

// ended notes how an attempt at a host has ended, while its slot is still in use.
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
