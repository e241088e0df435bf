package access

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/grant"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// withdrawn returns the reason why the person who gave a grant could not give it now, or "". The cache may have a grant before it has
// the key or the member that it was given by. So withdrawn asks kube-apiserver as well, and that answer is final.
func (r *OAuthGrantReconciler) withdrawn(ctx context.Context, g *v1alpha1.OAuthGrant) (reason string, err error) {
	if _, err := boundAccount(ctx, &r.Base, g.Spec.AccountRef.Name, &g.Status.AccountUID); err != nil {
		return "", err
	}
	for _, from := range []client.Reader{r.Client, r.Live} {
		giver, err := giverOf(ctx, from, g)
		if err != nil {
			return "", err
		}
		var valid bool
		if _, reason, valid = grant.Of(g, giver); valid {
			return "", nil
		}
	}
	return reason, nil
}

// giverOf reads the account and the key that a grant depends on.
func giverOf(ctx context.Context, from client.Reader, g *v1alpha1.OAuthGrant) (giver grant.Giver, err error) {
	account, err := base.Read[v1alpha1.Account](ctx, from, types.NamespacedName{Name: g.Spec.AccountRef.Name})
	if account != nil && account.DeletionTimestamp.IsZero() {
		giver.Account = account
	}
	id, byKey := grant.KeyOf(g.Spec.Person)
	if !byKey || err != nil {
		return giver, err
	}
	key, err := base.Read[v1alpha1.APIKey](ctx, from, types.NamespacedName{Name: id})
	if key != nil && key.DeletionTimestamp.IsZero() {
		giver.Key = key
	}
	return giver, err
}

// revoked returns the condition of a grant that was revoked. If this controller revoked it, the reason stays.
func revoked(g *v1alpha1.OAuthGrant) metav1.Condition {
	if ready := meta.FindStatusCondition(g.Status.Conditions, v1alpha1.ConditionReady); ready != nil {
		switch ready.Reason {
		case v1alpha1.ReasonKeyRevoked, v1alpha1.ReasonMembershipEnded, v1alpha1.ReasonAccountNotFound:
			return withdrawnCondition(g, ready.Reason)
		}
	}
	at := g.Status.RevocationTime.UTC().Format(time.RFC3339)
	return conditions.False(v1alpha1.ReasonRevoked, "the grant was revoked at "+at)
}

// withdrawnCondition is the condition of a grant whose giver could not give it any more.
func withdrawnCondition(g *v1alpha1.OAuthGrant, reason string) metav1.Condition {
	switch reason {
	case v1alpha1.ReasonKeyRevoked:
		return conditions.False(reason, "the API key that the grant was given with is gone")
	case v1alpha1.ReasonMembershipEnded:
		return conditions.False(reason, "the person who gave the grant is no member of the account any more")
	default:
		return accountNotFound(g.Spec.AccountRef.Name)
	}
}
