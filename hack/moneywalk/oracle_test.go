package moneywalk_test

import (
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// credit is one credit that was taken, as the books have it: from the writes of the ledger and of articles alone.
type credit struct {
	at      time.Time
	day     string
	article string
	metered bool
	// uid of the article that took it over.
	uid string
	// run that it paid for.
	run string
	// returned and refunded credits were given back.
	returned, refunded bool
}

// books are an account of what happened, kept apart from the ledger.
type books struct {
	w       *walk
	credits []*credit
	// pending are the credits in the ledger, held those that articles hold.
	pending map[string]*credit
	held    map[string]*credit
	// begun runs, by article and id.
	begun map[string]*credit
	// refunds that were made, by article and run.
	refunds map[string]bool
	deleted map[string]bool
	// keyed are the uids of the articles that the facade created under Idempotency-Keys, by their names, and recorded those that the
	// records have.
	keyed    map[string][]string
	recorded map[string]string
	// surplus articles existed while a record had another one: two requests with one key, at the same time, created both.
	surplus map[string]bool
	// paidFor are the uids of the articles whose runs Idempotency-Keys have paid for, by their names.
	paidFor map[string]string
	// formed is what forms have made, by form and what they were to make.
	formed map[string]string
}

func newBooks(w *walk) *books {
	return &books{
		w: w, pending: map[string]*credit{}, held: map[string]*credit{}, begun: map[string]*credit{}, refunds: map[string]bool{},
		deleted: map[string]bool{}, keyed: map[string][]string{},
		recorded: map[string]string{}, surplus: map[string]bool{}, formed: map[string]string{}, paidFor: map[string]string{},
	}
}

// wrote keeps the books at each write.
func (b *books) wrote(old, now client.Object) {
	switch is := now.(type) {
	case *v1alpha1.AccountLedger:
		if b.w.spending != nil {
			b.w.spending.ledger(&is.Spec)
		}
		if was, ok := old.(*v1alpha1.AccountLedger); ok {
			b.ledger(&was.Spec, &is.Spec)
		} else if len(b.credits) > 0 {
			b.w.failf("an empty ledger was made for an account that has paid")
		}
	case *v1alpha1.Article:
		was, ok := old.(*v1alpha1.Article)
		b.byForm(was, is)
		if ok {
			b.article(was, is)
			b.effects(was, is)
			if b.w.blog != nil {
				b.w.blog.wrote(was, is)
			}
		} else {
			b.created(is)
		}
	case *internalv1alpha1.IdempotencyRecord:
		b.record(is)
	case *v1alpha1.EventDelivery:
		if was, ok := old.(*v1alpha1.EventDelivery); ok {
			b.event(was, is)
		}
	case nil:
		if was, ok := old.(*v1alpha1.Article); ok {
			b.deleted[string(was.UID)] = true
			if attemptInProgress(was) != "" {
				b.w.cut[was.Status.Slug] = was.Status.Publication.Cycle
			}
		}
	}
}

// created notes the name of an article, and whether an Idempotency-Key paid for it.
func (b *books) created(a *v1alpha1.Article) {
	if !slices.Contains(b.w.names, a.Name) {
		b.w.names = append(b.w.names, a.Name)
	}
	if a.Annotations[v1alpha1.RequestHashAnnotation] != "" {
		b.keyed[a.Name] = append(b.keyed[a.Name], string(a.UID))
		b.surplus[string(a.UID)] = b.recorded[a.Name] != ""
	}
}

// record notes which article an Idempotency-Key has paid for.
func (b *books) record(r *internalv1alpha1.IdempotencyRecord) {
	if r.Spec.ObjectUID == "" || b.recorded[r.Name] != "" {
		return
	}
	b.recorded[r.Name] = r.Spec.ObjectUID
	for _, uid := range b.keyed[r.Name] {
		b.surplus[uid] = uid != r.Spec.ObjectUID && !b.deleted[uid]
	}
}

func entry(p v1alpha1.PendingCharge) string {
	return p.Article + " " + p.Time.UTC().Format(time.RFC3339Nano)
}

func (b *books) ledger(was, is *v1alpha1.AccountLedgerSpec) {
	now := map[string]bool{}
	for _, p := range is.Pending {
		if now[entry(p)] {
			b.w.failf("two charges of %s", entry(p))
		}
		now[entry(p)] = true
		c, known := b.pending[entry(p)]
		if !known {
			c = &credit{at: p.Time.Time, day: is.Day, article: p.Article, metered: p.ArticleUID == ""}
			b.credits = append(b.credits, c)
			b.pending[entry(p)] = c
		}
		if c.uid != "" && c.uid != p.ArticleUID {
			b.w.failf("the credit of article %s went to %q", c.uid, p.ArticleUID)
		}
		c.uid = p.ArticleUID
	}
	for _, r := range is.Refunded {
		id := r.ArticleUID + " " + r.Run
		if b.hadRefund(was, r) {
			continue
		}
		if b.refunds[id] {
			b.w.failf("%s was refunded twice", id)
		}
		b.refunds[id] = true
		b.refund(r)
	}
	for id, c := range b.pending {
		if now[id] {
			continue
		}
		delete(b.pending, id)
		c.returned = c.uid == ""
	}
	b.check(is)
}

func (b *books) hadRefund(was *v1alpha1.AccountLedgerSpec, r v1alpha1.RefundedCharge) bool {
	return slices.Contains(was.Refunded, r)
}

// refund notes that a run's credit, or one that an article holds, was given back.
func (b *books) refund(r v1alpha1.RefundedCharge) {
	c := b.begun[r.ArticleUID+" "+r.Run]
	if held := b.held[r.ArticleUID]; c == nil && held != nil {
		c = held
		delete(b.held, r.ArticleUID)
	}
	if c == nil || c.refunded {
		b.w.failf("a credit was refunded that nobody paid: %+v", r)
		return
	}
	c.refunded = true
}

// check compares the ledger with the books.
func (b *books) check(u *v1alpha1.AccountLedgerSpec) {
	used, today := int64(0), int32(0)
	now := b.w.now()
	minute := 0
	for _, c := range b.credits {
		if !c.returned && !c.refunded {
			used++
		}
		if !c.returned && c.day == u.Day {
			today++
		}
		if c.metered && !c.returned && now.Sub(c.at) < time.Minute {
			minute++
		}
	}
	if u.CreditsUsed != used {
		b.w.failf("%d credits are used, want %d", u.CreditsUsed, used)
	}
	counted := int32(0)
	for _, s := range u.Sites {
		counted += s.Count
	}
	if counted != today {
		b.w.failf("%d articles are counted on %s, want %d", counted, u.Day, today)
	}
	recent := 0
	for _, at := range u.RecentCallTimes {
		if now.Sub(at.Time) < time.Minute {
			recent++
		}
	}
	if recent != minute {
		b.w.failf("%d calls are counted in the minute, want %d", recent, minute)
	}
}

// article notes the runs that begin, and the credits that an article holds.
func (b *books) article(was, is *v1alpha1.Article) {
	uid := string(is.UID)
	if p := is.Status.Prepaid; p != nil && was.Status.Prepaid == nil {
		for _, c := range b.pending {
			if c.uid == uid && c.run == "" {
				b.held[uid] = c
			}
		}
		if b.held[uid] == nil {
			b.w.failf("article %s holds a credit that nobody paid", uid)
		}
	}
	g := is.Status.Run
	if g == nil || was.Status.Run != nil && was.Status.Run.Name == g.Name {
		return
	}
	// A revision that exists is adopted as the run's, and no model is called.
	if g.State != v1alpha1.RunRunning {
		return
	}
	if b.begun[uid+" "+g.Name] != nil {
		b.w.failf("run %s of %s began twice", g.Name, uid)
	}
	paid := b.held[uid]
	delete(b.held, uid)
	for _, c := range b.pending {
		if paid == nil && c.uid == uid && c.run == "" {
			paid = c
		}
	}
	if paid == nil || paid.refunded || paid.run != "" {
		b.w.failf("run %s of %s began without a charge: %+v, pending %v", g.Name, uid, paid, b.pending)
		return
	}
	paid.run = g.Name
	b.begun[uid+" "+g.Name] = paid
	b.keyPays(is)
}
