package article

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// Guard is what must hold of an article before it is changed, so that nobody overwrites what they have not seen.
type Guard struct {
	operation.IfMatch
	// Digest of the text that was read; empty if any is meant.
	Digest Digest
}

// Change changes an article, and answers with it as it is then. A function that returns an error changes nothing; one that changes nothing
// writes nothing.
func (s *Articles) Change(
	ctx context.Context, c *operation.Call, uid string, guard Guard, change func(*v1alpha1.Article) error,
) (*Output, error) {
	key, err := s.locate(ctx, c, uid)
	if err != nil {
		return nil, err
	}
	before := int64(0)
	credit := s.creditOf(c)
	a, err := kube.Change(ctx, s.Client, key, func(a *v1alpha1.Article) error {
		before = a.Generation
		site := siteOrNil(s.Core, a)
		if err := guard.check(a, site); err != nil {
			return err
		}
		old := a.DeepCopy()
		if err := change(a); err != nil {
			return err
		}
		if !equality.Semantic.DeepEqual(old, a) {
			markChanged(a, c.Principal.Actor())
			recordMakers(old, a, c.Principal)
		}
		if err := c.TakeBytes(ctx, operation.ObjectBytes+writes*lifecycle.TextBytes(a)); err != nil {
			return err
		}
		if lifecycle.AsksForRun(old, a, site) {
			return credit.take(ctx)
		}
		return nil
	}, client.FieldOwner(operation.FieldManager))
	if err != nil {
		credit.giveBack(ctx, err)
		return nil, err
	}
	linkTrace(ctx, a)
	return s.answer(ctx, c, a, a.Generation != before)
}

// markChanged records that somebody has changed an article, as v1alpha1.ChangedByAnnotation has it.
func markChanged(a *v1alpha1.Article, actor string) {
	const comma = ","
	all := []string{actor}
	for by := range strings.SplitSeq(a.Annotations[v1alpha1.ChangedByAnnotation], comma) {
		if by != actor && by != "" {
			all = append(all, by)
		}
	}
	for len(all) > 1 && bounds.JSONBytes(strings.Join(all, comma)) > v1alpha1.MaxNonceBytes {
		all = all[:len(all)-1]
	}
	metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.ChangedByAnnotation, strings.Join(all, comma))
}

// recordMakers records who has written the text of an article, or asked for another one.
func recordMakers(old, a *v1alpha1.Article, by auth.Principal) {
	same := equality.Semantic.DeepEqual
	recorded := a.Annotations[v1alpha1.EditedByAnnotation] != old.Annotations[v1alpha1.EditedByAnnotation]
	if !recorded && !same(old.Spec.Content, a.Spec.Content) {
		maker.RecordEditor(a, personOf(by), 0)
	}
	asked := a.Annotations[v1alpha1.RegenerateAnnotation] != old.Annotations[v1alpha1.RegenerateAnnotation]
	if a.Spec.Generate != nil && (asked || !same(old.Spec.Generate, a.Spec.Generate)) {
		maker.RecordRequester(a, personOf(by))
	}
}

// personOf returns who calls, as revisions name the makers of texts.
func personOf(by auth.Principal) maker.Person { return maker.Person{Name: by.Name, ID: by.Actor()} }

// answer returns a changed article. If its manifest has changed the text, it waits for the revision, so that the answer names the text by
// which it can be approved, or says why there can be none. A page waits until the index has the write: the page that follows shows it.
func (s *Articles) answer(ctx context.Context, c *operation.Call, a *v1alpha1.Article, written bool) (*Output, error) {
	newest := s.liveItem(a)
	textChanged := written && s.edited(a)
	if textChanged || c.Local {
		s.awaitIndex(ctx, newest)
	}
	if textChanged {
		newest = s.awaitRevision(ctx, c, newest)
	}
	return s.full(ctx, newest)
}

// Possible returns a conflict that says why an action is not possible now, or nil.
func (s *Articles) Possible(a *v1alpha1.Article, action lifecycle.ActionName) error {
	err := lifecycle.CheckAction(a, siteOrNil(s.Core, a), action, s.Clock.Now())
	if refusal, ok := errors.AsType[*lifecycle.RefusedError](err); ok {
		return problem.Conflict(reasonOf(refusal), refusal.Message)
	}
	return err
}

// reasonOf returns the reason of a refusal as answers have it.
func reasonOf(r *lifecycle.RefusedError) problem.Reason {
	return problem.Reason(operation.SnakeCase(string(r.Reason)))
}

// check returns an error if an article, which was just read from kube-apiserver, is not as it must be.
func (g Guard) check(a *v1alpha1.Article, site *v1alpha1.Site) error {
	switch current := a.Status.Revision; {
	case g.Digest == "":
	case edited(a, site):
		return problem.Conflict(problem.ReasonNotReady, "the text was edited just now: read it again")
	case current == nil:
		return problem.Conflict(problem.ReasonNotReady, "the article has no text with a revision_digest yet")
	case string(g.Digest) != current.Digest:
		return problem.TextChanged(current.Digest)
	}
	return g.IfMatch.Check(writtenTag(a))
}

// writtenTag identifies what people and the generator have written: the manifest, and the latest generated text.
func writtenTag(a *v1alpha1.Article) string {
	return fmt.Sprintf("%d-%d", a.Generation, lifecycle.GeneratedNumber(a))
}

// linkTrace links the request's span to the trace of the article that it changed.
func linkTrace(ctx context.Context, a *v1alpha1.Article) {
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name))
	if made := tracing.Parse(ctx, a.Annotations[v1alpha1.TraceParentAnnotation]); made.IsValid() {
		span.AddLink(trace.Link{SpanContext: made})
	}
}
