// A file is named after what its specs are about:
//
//   - approved_content: that what is sent is what was approved
//   - attemptid: the ids of attempts
//   - backends: the Secret of a generator
//   - cms: sites of a CMS
//   - cost: the cost of a text
//   - crowd: articles that wait for credits
//   - deleted: articles that were deleted meanwhile
//   - gates: automatic approval
//   - heldup: a controller that is stopped for a while
//   - leftover: a text that was taken back at once
//   - lifecycle: an article's life
//   - once: articles under an Idempotency-Key
//   - postfields: what a post has beside its text
//   - recreated: an article that is created again during its attempt
//   - request: runs that can only fail
//   - revision_function: that a revision is a function of what it is made of
//   - status_managers: writes of the status
//   - steps: that each step has a handler
//   - story: the story of an article
//   - uncertain: what the site may have
//   - unpublish: unpublishing
//   - updates: updates of a published article
package article_test

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

func TestArticles(t *testing.T) { RunSuite(t, "Articles", &api) }

// api is a client of kube-apiserver with the rights of an administrator.
var api client.WithWatch

// tenant has what these specs alone do with a Tenant.
type tenant struct{ *Tenant }

func newTenant() *tenant { return &tenant{NewTenant(api)} }
