package ledger

import (
	"errors"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// FlushAfter is how long the tokens of an attempt stay in the book at the most, while the process lives: those that are added meanwhile
// are written together with them.
const FlushAfter = 10 * time.Second

// TokenBook counts the tokens of attempts that have ended and are not in the ledger yet. The controller of accounts writes them with its
// next sweep, at the latest FlushAfter the first was added, and when the process stops. Those of a process that is killed are lost: the
// ledger may show too few tokens, never too many. Its methods may be called from any goroutine.
type TokenBook struct {
	mu     sync.Mutex
	pages  map[string]*page
	notify func(types.NamespacedName)
}

// page has the tokens of one account.
type page struct {
	// writing is locked during a write, so that whoever comes next knows its outcome. It is locked before the book's mu.
	writing sync.Mutex
	// spent are the tokens that are not written. since is when the first of them was added.
	spent []SpentTokens
	since time.Time
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
func NewTokenBook() *TokenBook {
	return &TokenBook{pages: map[string]*page{}, notify: func(types.NamespacedName) {}}
}

// Notify sets the function that is called with an account when the first of its tokens that are not written was added.
func (b *TokenBook) Notify(f func(types.NamespacedName)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notify = f
}

// Add remembers the tokens of an attempt.
func (b *TokenBook) Add(account string, s SpentTokens) {
	if account == "" || s.Tokens <= 0 {
		return
	}
	b.mu.Lock()
	p := b.page(account)
	p.spent = append(p.spent, s)
	notify := b.notify
	if first := len(p.spent) == 1; first {
		p.since = s.At
	} else {
		notify = func(types.NamespacedName) {}
	}
	b.mu.Unlock()
	notify(types.NamespacedName{Name: account})
}

// page returns the page of an account. It is called with the lock.
func (b *TokenBook) page(account string) *page {
	p := b.pages[account]
	if p == nil {
		p = &page{}
		b.pages[account] = p
	}
	return p
}

// Accounts returns the accounts that have tokens which are not written.
func (b *TokenBook) Accounts() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, p := range b.pages {
		if len(p.spent) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Due returns how long the tokens of an account may stay in the book; zero or less if they are to be written now. It reports false if
// there are none.
func (b *TokenBook) Due(account string, now time.Time) (wait time.Duration, any bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pages[account]
	if p == nil || len(p.spent) == 0 {
		return 0, false
	}
	return FlushAfter - now.Sub(p.since), true
}

// Write has write add the tokens of an account to its ledger, which may be none, and removes them from the book. If write returns an error
// after which they may be in the ledger, they are removed too: tokens are never counted twice. There is one write for each account at a
// time.
func (b *TokenBook) Write(account string, write func(spent []SpentTokens) error) error {
	b.mu.Lock()
	p := b.page(account)
	b.mu.Unlock()
	p.writing.Lock()
	defer p.writing.Unlock()

	b.mu.Lock()
	taken, since := p.spent, p.since
	p.spent = nil
	b.mu.Unlock()
	err := write(taken)
	if err == nil || mayBeWritten(err) || len(taken) == 0 {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p.spent, p.since = append(taken, p.spent...), since
	return err
}

// mayBeWritten reports whether a change may be in the ledger after this error.
func mayBeWritten(err error) bool {
	return errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrNotWritten)
}

// Today returns the tokens of a site on the day of now, both those in the ledger and those in the book, and the end of that day.
func (b *TokenBook) Today(ledger *v1alpha1.AccountLedger, site types.NamespacedName, now time.Time) (int64, time.Time) {
	u := ledger.Spec.DeepCopy()
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.pages[ledger.Name]; p != nil {
		AddTokens(u, p.spent...)
	}
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
