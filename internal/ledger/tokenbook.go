package ledger

import (
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// TokenBook counts the tokens of ended runs that are not in the ledger yet. The sweep of an account adds them to its own write, so that
// they cost no request. They are lost if the process is killed: the ledger may show too few tokens, never too many.
type TokenBook struct {
	mu sync.Mutex
	// spent are by account.
	spent map[string][]SpentTokens
}

// SpentTokens are the tokens that one attempt has used, for a site.
type SpentTokens struct {
	// Site by workspace and name.
	Site types.NamespacedName
	// Tokens that the model took and made.
	Tokens int64
	// At is when the attempt ended.
	At time.Time
}

// NewTokenBook returns an empty book.
func NewTokenBook() *TokenBook { return &TokenBook{spent: map[string][]SpentTokens{}} }

// Add remembers the tokens of an attempt.
func (b *TokenBook) Add(account string, s SpentTokens) {
	if account == "" || s.Tokens <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent[account] = append(b.spent[account], s)
}

// Take returns the tokens that are not in the ledger yet, and removes them from the book.
func (b *TokenBook) Take(account string) []SpentTokens {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.spent[account]
	delete(b.spent, account)
	return taken
}

// PutBack adds tokens again that could not be written. If it is not known whether they were written, it drops them: tokens are never
// counted twice.
func (b *TokenBook) PutBack(account string, taken []SpentTokens, err error) {
	if err == nil || errors.Is(err, ErrUnavailable) || len(taken) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent[account] = append(taken, b.spent[account]...)
}

// Today returns the tokens of a site on the day of now, both those in the ledger and those in the book, and the end of that day.
func (b *TokenBook) Today(ledger *v1alpha1.AccountLedger, site types.NamespacedName, now time.Time) (int64, time.Time) {
	u := ledger.Spec.DeepCopy()
	b.mu.Lock()
	defer b.mu.Unlock()
	AddTokens(u, b.spent[ledger.Name]...)
	return TokensToday(u, site, now)
}

// maxTokens bounds the tokens of a site's day.
const maxTokens = 1_000_000_000_000

// AddTokens counts tokens in the ledger. Sites beyond MaxSites on one day are not counted.
func AddTokens(u *v1alpha1.AccountLedgerSpec, spent ...SpentTokens) {
	for _, s := range spent {
		today := dayOf(u, s.At.UTC())
		i := indexOf(today.sites, s.Site)
		switch {
		case s.Tokens <= 0, i < 0 && len(today.sites) >= MaxSites:
			continue
		case i < 0:
			i = len(today.sites)
			today.sites = append(today.sites[:i:i], v1alpha1.SiteUsage{Workspace: s.Site.Namespace, Site: s.Site.Name})
		}
		today.sites[i].Tokens = min(today.sites[i].Tokens+s.Tokens, maxTokens)
		u.Day, u.Sites = today.name, today.sites
	}
}

// TokensToday returns the tokens of a site on the day of now, and when that day ends.
func TokensToday(u *v1alpha1.AccountLedgerSpec, site types.NamespacedName, now time.Time) (tokens int64, end time.Time) {
	today := dayOf(u, now.UTC())
	if i := indexOf(today.sites, site); i >= 0 {
		tokens = today.sites[i].Tokens
	}
	return tokens, today.end(now.UTC())
}
