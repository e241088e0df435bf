package lifecycle

import (
	"fmt"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// approvedBySite reports whether the site's policy approves the current revision. A reviewer may approve one that it does not.
func approvedBySite(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return site.Spec.Review.Policy == v1alpha1.ReviewAutomatic && a.Status.Revision != nil && gateFailure(a, site) == ""
}

// gateFailure says which gates the current revision fails; empty if it fails none.
func gateFailure(a *v1alpha1.Article, site *v1alpha1.Site) string {
	r := a.Status.Revision
	var why []string
	if len(r.FailedGates) > 0 {
		why = append(why, "fails "+strings.Join(r.FailedGates, ", "))
	}
	if least := site.Spec.Review.MinimumScore; r.SEOScore < least {
		why = append(why, fmt.Sprintf("has the score %d, below review.minimumScore %d", r.SEOScore, least))
	}
	if len(why) == 0 {
		return ""
	}
	return "waits for a reviewer: the text " + strings.Join(why, ", and ")
}
