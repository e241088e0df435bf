package lifecycle

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Suspension returns the blocker of everything that is generated or sent for a site, or nil: the installation, the account or the site is
// suspended, or the site was restored and nobody has confirmed it. account may be nil. The watches of sites and accounts report its end.
func Suspension(site *v1alpha1.Site, account *v1alpha1.Account, installation bool) *BlockedError {
	var message string
	switch {
	case installation:
		message = "the installation is suspended: the controller runs with --suspend"
	case account != nil && account.Spec.Suspend:
		message = "the account is suspended: spec.suspend of the Account is true"
	case site != nil && site.Spec.Suspend:
		message = "the site is suspended: spec.suspend of the Site is true"
	case site != nil && site.Restored():
		message = restoredMessage(site)
	default:
		return nil
	}
	return &BlockedError{Reason: v1alpha1.ReasonSuspended, Message: message}
}

func restoredMessage(site *v1alpha1.Site) string {
	return fmt.Sprintf("the Site is restored or copied; if all is there, annotate %s=%s", v1alpha1.RestoreConfirmedAnnotation, site.UID)
}

// HasEffect reports whether a suspension forbids a step, since it generates, sends, publishes or gives up something. What is in progress
// goes on, and its end is recorded.
func HasEffect(step Step) bool {
	switch step {
	case StartRun, RetryRun, BeginCycle, RetryCycle, DropCycle, ByPull:
		return true
	default:
		return false
	}
}

// SiteReady adds a suspension to a site's condition Ready. A suspended site is ready: its author wants it so. A restored one is not: it
// waits for a person.
func SiteReady(site *v1alpha1.Site, ready metav1.Condition, suspension *BlockedError) metav1.Condition {
	if suspension == nil || ready.Status != metav1.ConditionTrue {
		return ready
	}
	ready.Reason, ready.Message = suspension.Reason, suspension.Message
	if site.Restored() {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, v1alpha1.ReasonRestored, restoredMessage(site)
	}
	return ready
}
