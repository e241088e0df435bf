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

// TokenBook counts the tokens of attempts that have ended and that the cached ledger does not show yet, and those that attempts in progress
// hold of a budget. The controller of accounts writes them with its next sweep, at the latest FlushAfter the first was added, and when the
// process stops. Those of a process that is killed are lost: the ledger may show too few tokens, never too many. One process generates, and
// a new one begins with no attempt in progress, so that holds are in memory alone. Its methods may be called from any goroutine.
type TokenBook struct {
	mu     sync.Mutex
	pages  map[string]*page
	notify func(types.NamespacedName)
}

// page has the tokens of one account.
type page struct {
	// writing is locked during a write, so that the next writer knows its outcome. It is locked before the book's mu.
	writing sync.Mutex
	// spent are the tokens that are not written. since is when the first of them was added.
	spent []SpentTokens
	since time.Time
	// written are those that are being written, or that the cached ledger may not show yet.
	written []writtenTokens
	// held are the holds of attempts in progress, by attempt.
	held map[any]hold
}

// writtenTokens are the tokens of one write.
type writtenTokens struct {
	spent []SpentTokens
	// month and total are what the ledger had in its month after the write, which shows them from then on. The month is empty until the
	// write has ended.
	month string
	total int64
	// at is when the write began.
	at time.Time
}

// cacheLag is how long a cache may lag at the most: a ledger that does not show a write by then was restored from a backup.
const cacheLag = time.Minute

// hold is what one attempt holds of a budget.
type hold struct {
	tokens, micros int64
	currency       v1alpha1.Currency
}

// SpentTokens are the tokens that one attempt has used, for a site.
type SpentTokens struct {
	// Site by workspace and name.
	Site types.NamespacedName
	// Tokens that the model took and made.
	Tokens int64
	// Micros are what they cost, in millionths of Currency; 0 without prices.
	Micros   int64
	Currency string
	// At is when the attempt ended.
	At time.Time
}

// MostHeld is how many tokens an attempt holds at the most, more than any run takes.
const MostHeld = 500_000

// Wish is what an attempt would hold of a budget.
type Wish struct {
	// Attempt identifies it in its process. Two attempts for one article differ too: the first may still be in progress when the other is
	// not made after all.
	Attempt any
	// Tokens that it may take apart from the budget; 0 for any number.
	Tokens int64
	// Price is that of the dearest million of its tokens, in millionths of the budget's currency.
	Price int64
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
func (b *TokenBook) Add(account string, s SpentTokens) { b.End(account, nil, s) }

// End remembers the tokens of an attempt, and releases what it held.
func (b *TokenBook) End(account string, attempt any, s SpentTokens) {
	if first := b.end(account, attempt, s); first != nil {
		first(types.NamespacedName{Name: account})
	}
}

// end returns the function that is to be notified; nil if the account has other tokens already.
func (b *TokenBook) end(account string, attempt any, s SpentTokens) func(types.NamespacedName) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.page(account)
	delete(p.held, attempt)
	if account == "" || s.Tokens <= 0 {
		return nil
	}
	p.spent = append(p.spent, s)
	if len(p.spent) > 1 {
		return nil
	}
	p.since = s.At
	return b.notify
}

// Hold holds tokens of an account's budget for an attempt, and returns how many it may take: those that it wants, or what others have left.
// Money becomes tokens by the dearest price, which is too careful and never too late. It returns a *LimitError if the budget is reached, by
// what was used or by what others hold. An attempt may use one turn more than it may take, because it is stopped between turns.
func (b *TokenBook) Hold(l *v1alpha1.AccountLedger, budget *v1alpha1.AccountBudget, w Wish, now time.Time) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.page(l.Name)
	delete(p.held, w.Attempt)
	if budget == nil {
		return w.Tokens, nil
	}
	if err := p.reached(l, budget, now); err != nil {
		return 0, err
	}
	left := BudgetLeft(p.months(l, budget, now), budget, p.heldOf(budget), now)
	if left.Reached() {
		return 0, &LimitError{Code: BudgetHeld, RetryAfter: heldRetry}
	}
	may := min(left.Tokens, MostHeld)
	if w.Tokens > 0 {
		may = min(may, w.Tokens)
	}
	of := hold{tokens: may}
	if currency := currencyOf(budget); currency != "" {
		may = max(min(may, affordable(left.Micros, w.Price)), 1)
		of = hold{tokens: may, micros: costBound(may, w.Price), currency: currency}
	}
	if p.held == nil {
		p.held = map[any]hold{}
	}
	p.held[w.Attempt] = of
	return may, nil
}

// Reached returns a *LimitError if the budget of an account is reached, without what attempts in progress hold.
func (b *TokenBook) Reached(l *v1alpha1.AccountLedger, budget *v1alpha1.AccountBudget, now time.Time) error {
	if budget == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.page(l.Name).reached(l, budget, now)
}

func (p *page) reached(l *v1alpha1.AccountLedger, budget *v1alpha1.AccountBudget, now time.Time) error {
	return CheckBudget(p.months(l, budget, now), budget, now)
}

// months returns the months of the cached ledger with what it does not show yet.
func (p *page) months(l *v1alpha1.AccountLedger, budget *v1alpha1.AccountBudget, now time.Time) *v1alpha1.AccountLedgerSpec {
	u := &v1alpha1.AccountLedgerSpec{Months: l.Spec.Months}
	for _, s := range p.unseen(l, now) {
		addToMonth(u, budget, s)
	}
	return u
}

// unseen returns what the cached ledger does not show, and forgets what it does.
func (p *page) unseen(l *v1alpha1.AccountLedger, now time.Time) (spent []SpentTokens) {
	p.written = slices.DeleteFunc(p.written, func(w writtenTokens) bool {
		i := monthIndex(&l.Spec, w.month)
		return w.month != "" && (i >= 0 && l.Spec.Months[i].Tokens >= w.total || now.Sub(w.at) >= cacheLag)
	})
	for _, w := range p.written {
		spent = append(spent, w.spent...)
	}
	return append(spent, p.spent...)
}

// heldOf returns what is held of a budget. A hold in another currency than the budget's is one of tokens alone: the budget was changed
// meanwhile.
func (p *page) heldOf(budget *v1alpha1.AccountBudget) (sum Held) {
	for _, h := range p.held {
		sum.Tokens += h.tokens
		if h.currency == currencyOf(budget) {
			sum.Micros += h.micros
		}
	}
	return sum
}

// Release releases what an attempt held that was not made.
func (b *TokenBook) Release(account string, attempt any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.pages[account]; p != nil {
		delete(p.held, attempt)
	}
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
func (b *TokenBook) Due(account string, now time.Time) (wait time.Duration, due bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pages[account]
	if p == nil || len(p.spent) == 0 {
		return 0, false
	}
	return FlushAfter - now.Sub(p.since), true
}

// Write has write add the tokens of an account to its ledger, which may be none, and removes them from the book once the cached ledger
// shows them. write returns what the ledger has of the month then. If it returns an error after which the tokens may be in the ledger,
// they are removed too: tokens are never counted twice. There is one write for each account at a time.
func (b *TokenBook) Write(account string, now time.Time, write func(spent []SpentTokens) (v1alpha1.MonthUsage, error)) error {
	b.mu.Lock()
	p := b.page(account)
	b.mu.Unlock()
	p.writing.Lock()
	defer p.writing.Unlock()

	b.mu.Lock()
	taken, since := p.spent, p.since
	p.spent = nil
	if len(taken) > 0 {
		p.written = append(p.written, writtenTokens{spent: taken, at: now})
	}
	b.mu.Unlock()
	month, err := write(taken)
	if len(taken) == 0 {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(p.written) - 1
	p.written[last].month, p.written[last].total = month.Month, month.Tokens
	if err != nil {
		p.written = p.written[:last]
	}
	if err != nil && !mayBeWritten(err) {
		p.spent, p.since = append(taken, p.spent...), since
	}
	return err
}

// mayBeWritten reports whether a change may be in the ledger after this error.
func mayBeWritten(err error) bool {
	return errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrNotWritten)
}

// Today returns the tokens of a site on the day of now, both those in the ledger and those in the book, and the end of that day.
func (b *TokenBook) Today(l *v1alpha1.AccountLedger, site types.NamespacedName, now time.Time) (int64, time.Time) {
	u := &v1alpha1.AccountLedgerSpec{Day: l.Spec.Day, Sites: slices.Clone(l.Spec.Sites)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.pages[l.Name]; p != nil {
		for _, s := range p.unseen(l, now) {
			addToDay(u, s)
		}
	}
	return TokensToday(u, site, now)
}

// maxTokens bounds the tokens of a site's day, and of a month.
const maxTokens = 1_000_000_000_000

// addToDay counts tokens in the day of a site. Sites beyond MaxSites on one day are not counted.
func addToDay(u *v1alpha1.AccountLedgerSpec, s SpentTokens) {
	today := dayOf(u, s.At.UTC())
	i := indexOf(today.sites, s.Site)
	switch {
	case i < 0 && len(today.sites) >= MaxSites:
		return
	case i < 0:
		i = len(today.sites)
		today.sites = append(today.sites[:i:i], v1alpha1.SiteUsage{Workspace: s.Site.Namespace, Site: s.Site.Name})
	}
	today.sites[i].Tokens = min(today.sites[i].Tokens+s.Tokens, maxTokens)
	u.Day, u.Sites, u.KeysToday = today.name, today.sites, today.keys
}

// TokensToday returns the tokens of a site on the day of now, and when that day ends.
func TokensToday(u *v1alpha1.AccountLedgerSpec, site types.NamespacedName, now time.Time) (tokens int64, end time.Time) {
	today := dayOf(u, now.UTC())
	if i := indexOf(today.sites, site); i >= 0 {
		tokens = today.sites[i].Tokens
	}
	return tokens, today.end(now.UTC())
}
