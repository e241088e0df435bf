package middleware

import "testing"

func TestABudgetHasSharesOfAccountsPeopleAndSessions(t *testing.T) {
	b := NewBudget(Bounds{All: 10, Account: 6, Person: 4, Session: 2})
	take := func(account, person, session string, n int64, want bool) {
		t.Helper()
		if got := b.Take(Holder{account, person, session}, n); got != want {
			t.Errorf("%d for %s %s %s: %v", n, account, person, session, got)
		}
	}
	take("acme", "mara", "1", 2, true)
	take("acme", "mara", "1", 1, false)
	take("acme", "mara", "2", 2, true)
	take("acme", "mara", "3", 1, false)
	take("acme", "jo", "1", 2, true)
	take("acme", "kim", "1", 1, false)
	take("rival", "mara", "1", 2, true)
	take("rival", "jo", "1", 2, true)
	take("third", "", "", 1, false)
	b.Give(Holder{"acme", "mara", "1"}, 2)
	take("acme", "kim", "1", 2, true)
	for _, h := range []Holder{{"acme", "mara", "2"}, {"acme", "jo", "1"}, {"acme", "kim", "1"}, {"rival", "mara", "1"}, {"rival", "jo", "1"}} {
		b.Give(h, 2)
	}
	if len(b.used) != 0 {
		t.Errorf("%d holders of nothing are remembered", len(b.used))
	}
}
