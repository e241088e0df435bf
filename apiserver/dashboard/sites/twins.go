package sites

import (
	"cmp"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// refuseTwin returns an error about the field domain if a site has the domain and the name of another one: menus could not tell them apart.
// uid is that of the site; empty for a new one, whose form was shown at a time. Sites that were made in that second or later do not count:
// the form may be sent twice, and Kubernetes keeps whole seconds. If the time is zero, all count.
func refuseTwin(v *page.Visit, uid, domain, name string, shown time.Time) error {
	sites, err := v.SitesAsNamed()
	if err != nil {
		return err
	}
	for _, s := range sites {
		made, _ := page.TimeOf(s.CreatedAt)
		if s.UID == uid || !strings.EqualFold(s.Domain, domain) || !strings.EqualFold(s.Name, cmp.Or(name, domain)) ||
			!shown.IsZero() && !made.Before(shown.Truncate(time.Second)) {
			continue
		}
		return problem.Invalid(problem.ErrorDetail{
			Field:   "domain",
			Message: "another site has the domain " + s.Domain + ": if you mean another part of it, give this one a name of its own",
		})
	}
	return nil
}
