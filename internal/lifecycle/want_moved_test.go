package lifecycle_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// A changed address sends nothing, so people have to learn where the post is and where the next one goes.
func TestUpToDateNamesBothAddressesOfAPostThatIsNotAtItsSite(t *testing.T) {
	const upToDate = "the site has the text that the manifest asks for"
	const elsewhere = ", but the Site is at new.example/hook"
	moved := lifecycle.Target{Mode: lifecycle.Push, Post: "post-2", Address: "https://new.example/hook"}
	pulls := moved
	pulls.Mode = lifecycle.Pull
	located := func(a *v1alpha1.Article) { a.Status.Publication.Post.URL = "https://old.example/shoes" }
	for _, row := range []struct {
		name    string
		changes []with
		to      lifecycle.Target
		want    string
	}{
		{"the address is the same", []with{publication(isPublished), located}, to(lifecycle.Push), "True/UpToDate: " + upToDate},
		{"it was changed", []with{publication(isPublished), located}, moved,
			"True/UpToDate: the post is at old.example/shoes" + elsewhere},
		{"the old receiver named no URL", []with{publication(isPublished)}, moved, "True/UpToDate: the post is at post-1" + elsewhere},
		{"somebody asks for a redelivery, whose retry waits", []with{publication(isPublished), located, redeliveryWaits}, moved,
			"True/UpToDate: the post is at old.example/shoes" + elsewhere},
		{"updates are frozen", []with{publication(isPublished), located, content("Shoes", "Run on.")}, moved,
			"False/UpdatesFrozen: spec.content has changed, and the site keeps what it has"},
		{"the site pulls now", []with{publication(isPublished), located}, pulls, "True/UpToDate: " + upToDate},
	} {
		a := article(append([]with{approvedAndAsked}, row.changes...)...)
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), row.to, now, lifecycle.Blockers{})
		c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionUpToDate)
		if got := fmt.Sprintf("%s/%s: %s", c.Status, c.Reason, c.Message); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
