package account

import (
	"context"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

const (
	// usageLost replaces the uid in the annotation of an account that was created again and for which an earlier one has paid.
	usageLost = "lost"
	// maxCreditsUsed is the bound of the API.
	maxCreditsUsed = 1_000_000_000_000
)

// +kubebuilder:rbac:groups=pressroom.dev,resources=accounts,verbs=patch

// restore maintains the annotation by which a restored account is recognized. The usage of an account that was restored without status
// is unknown until an administrator sets it.
func (r *Reconciler) restore(ctx context.Context, a *v1alpha1.Account) error {
	unseen := a.Status.ObservedGeneration == -1 && a.Status.Usage.CreditsUsed == 0
	switch {
	case !a.DeletionTimestamp.IsZero():
		return nil
	case a.Annotations[v1alpha1.UIDAnnotation] == "":
		lost, err := unseen, error(nil)
		if unseen {
			lost, err = r.paidBefore(ctx, a.Name)
		}
		if err != nil {
			return err
		}
		return r.stamp(ctx, a, lost)
	case !v1alpha1.Copied(a):
		return nil
	}
	if used, ok := creditsUsed(a); ok {
		if err := r.Ledger.Apply(ctx, a.Name, func(u *v1alpha1.AccountUsage) error { u.CreditsUsed = used; return nil }); err != nil {
			return fmt.Errorf("setting the credits that are used: %w", err)
		}
		if err := r.Live.Get(ctx, client.ObjectKeyFromObject(a), a); err != nil {
			return fmt.Errorf("reading the account: %w", err)
		}
		return r.stamp(ctx, a, false)
	}
	if !unseen && conditionReason(a.Status.Conditions, v1alpha1.ConditionReady) != v1alpha1.ReasonUsageUnknown {
		return r.stamp(ctx, a, false) // Its status was restored with it.
	}
	return nil
}

// stamp writes the annotation of an account whose usage is known, or lost.
func (r *Reconciler) stamp(ctx context.Context, a *v1alpha1.Account, lost bool) error {
	return r.Annotate(ctx, a, func(annotations map[string]string) {
		annotations[v1alpha1.UIDAnnotation] = string(a.UID)
		if lost {
			annotations[v1alpha1.UIDAnnotation] = usageLost
		}
		delete(annotations, v1alpha1.CreditsUsedAnnotation)
	})
}

// creditsUsed returns the number in an administrator's annotation, and whether there is a valid one.
func creditsUsed(a *v1alpha1.Account) (int64, bool) {
	n, err := strconv.ParseInt(a.Annotations[v1alpha1.CreditsUsedAnnotation], 10, 64)
	return n, err == nil && n >= 0 && n <= maxCreditsUsed
}

// usageUnknown returns the message that tells an administrator what to do so that the account is charged again.
func usageUnknown(a *v1alpha1.Account) string {
	wrong, set := a.Annotations[v1alpha1.CreditsUsedAnnotation]
	if _, readable := creditsUsed(a); set && !readable {
		return fmt.Sprintf("the account was restored: the annotation %s must be the number of credits that are used, 0 to %d; it is %s",
			v1alpha1.CreditsUsedAnnotation, maxCreditsUsed, bounds.Cut(strconv.Quote(wrong), 60))
	}
	return "the account was restored: set the credits that are used with the annotation " + v1alpha1.CreditsUsedAnnotation
}

// paidBefore reports whether a workspace of the account has a generated revision: then an earlier account of the name has paid for it.
func (r *Reconciler) paidBefore(ctx context.Context, account string) (bool, error) {
	workspaces, err := r.Workspaces(ctx, account)
	if err != nil {
		return false, err
	}
	for i := range workspaces {
		var list v1alpha1.ArticleRevisionList
		err := r.Live.List(ctx, &list, client.InNamespace(workspaces[i].Name), client.Limit(1),
			client.MatchingFields{"spec.source": string(v1alpha1.SourceGenerated)})
		if err != nil {
			return false, fmt.Errorf("looking for generated texts: %w", err)
		}
		if len(list.Items) > 0 || list.Continue != "" {
			return true, nil
		}
	}
	return false, nil
}

// conditionReason returns the reason of a condition, or "".
func conditionReason(conditions []metav1.Condition, kind string) string {
	for i := range conditions {
		if conditions[i].Type == kind {
			return conditions[i].Reason
		}
	}
	return ""
}
