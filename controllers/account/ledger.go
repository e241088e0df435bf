package account

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// +kubebuilder:rbac:groups=pressroom.dev,resources=accountledgers,verbs=get;list;watch;create

// ledger returns the account's ledger; nil if it is missing. It makes an empty one for an account that may begin one.
func (r *Reconciler) ledger(ctx context.Context, a *v1alpha1.Account) (*v1alpha1.AccountLedger, error) {
	ledger := &v1alpha1.AccountLedger{}
	err := r.Client.Get(ctx, client.ObjectKeyFromObject(a), ledger)
	if apierrors.IsNotFound(err) && mayBegin(a) {
		ledger.Name = a.Name
		if err = r.Client.Create(ctx, ledger); apierrors.IsAlreadyExists(err) {
			err = r.Live.Get(ctx, client.ObjectKeyFromObject(a), ledger)
		}
	}
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading or making the ledger: %w", err)
	}
	return ledger, r.Stamp(ctx, a)
}

// mayBegin reports whether an empty ledger may be made for an account: one that the controller has never stamped, or for which somebody
// has confirmed it. A confirmation is used once. The ledger comes before the stamp, so that a crash in between loses neither.
func mayBegin(a *v1alpha1.Account) bool {
	stamped := a.Annotations[v1alpha1.UIDAnnotation] != "" || a.Status.ObservedGeneration != -1
	return a.DeletionTimestamp.IsZero() && (!stamped || v1alpha1.Confirmed(a) && !usedUp(a))
}

// usedUp reports whether the account's confirmation is recorded already.
func usedUp(a *v1alpha1.Account) bool { return a.Status.ConfirmedUID == string(a.UID) }

// ledgerMissing returns the message that says how the account goes on.
func ledgerMissing(a *v1alpha1.Account) string {
	if usedUp(a) {
		return "the AccountLedger is missing: restore or create it"
	}
	return fmt.Sprintf("the AccountLedger is missing: restore it, or annotate %s=%s", v1alpha1.RestoreConfirmedAnnotation, a.UID)
}
