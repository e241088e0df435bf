package rest

import (
	"context"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
)

// OnSite is embedded in the input of every operation on one site. Like list-sites they need no workspace.
type OnSite struct {
	Workspace string `header:"x-workspace-id" doc:"Only needed if sites of several workspaces have the same uid." example:"acme-blog"`
	UID       string `path:"uid" doc:"The site's uid, from list-sites."`
}

type (
	// GetSiteInput is the input of get-site.
	GetSiteInput struct{ OnSite }
	// TestConnectionInput is the input of test-site-connection.
	TestConnectionInput struct {
		OnSite
		Body *NoRequest
	}
	// SiteOutput is the answer of get-site.
	SiteOutput struct{ Body SiteAnswer }
	// TestConnectionOutput is the answer of test-site-connection.
	TestConnectionOutput struct{ Body ConnectionTestStarted }
)

// SiteAnswer is one site as an answer.
type SiteAnswer struct {
	Envelope
	Site
	SiteDetails
}

// Connection is the state of a site's connection.
type Connection struct {
	Status   string          `json:"status" enum:"connected,failed,unknown" doc:"Unknown while it has not been tested as it is now."`
	Reason   string          `json:"reason" doc:"Such as receiver_accepted, receiver_rejected, timeout or not_tested." example:"receiver_accepted"`
	Message  string          `json:"message" doc:"Why, for people."`
	LastTest *ConnectionTest `json:"last_test" doc:"Null if there was none. It is about the connection as it was then."`
}

// ConnectionTest is one test of a site's connection.
type ConnectionTest struct {
	Nonce string `json:"nonce" doc:"As test-site-connection returned it."`
	AttemptResult
	Snippet string `json:"snippet" maxLength:"200" doc:"Beginning of the answer, without what has the form of a credential."`
}

// ConnectionTestStarted is the answer of test-site-connection.
type ConnectionTestStarted struct {
	Envelope
	Nonce string `json:"nonce" doc:"Poll get-site until connection.last_test has this nonce and its outcome is not in_progress."`
}

func (s *service) registerSite() {
	op := s.operation(http.MethodGet, "/v1/api/sites/{uid}", "get-site", editing...)
	op.Summary = "Get a site"
	op.Description = "The site as list-sites has it, its voice and its policies."
	handle(s.group(tagSites, v1alpha1.ScopeRead), op, s.getSite)

	op = s.operation(http.MethodPost, "/v1/api/sites/{uid}/test-connection", "test-site-connection", editing...)
	op.Summary = "Test a site's connection"
	op.Description = "Sends one signed request with `X-SERVICE-Event: connection.test`, which is no article, to the site's webhook, " +
		"or checks " +
		"address, credentials and permissions of its CMS. The answer does not wait for it: its outcome is in get-site."
	op.DefaultStatus = http.StatusAccepted
	handle(s.group(tagSites, v1alpha1.ScopeWrite), op, s.testConnection)
}

func (s *service) getSite(ctx context.Context, c *call, in *GetSiteInput) (*SiteOutput, error) {
	found, err := c.findSite(in.OnSite)
	if err != nil && in.Workspace != "" {
		site, live := s.liveSite(ctx, c, in.OnSite)
		if live == nil {
			found = indexed(site)
		}
		err = live
	}
	if err != nil {
		return nil, err
	}
	out := SiteAnswer{Envelope: succeeded, Site: s.presentSite(found), SiteDetails: presentSiteDetails(found.Object)}
	return &SiteOutput{Body: out}, nil
}

// testConnection requests a test from the controller, by a new nonce.
func (s *service) testConnection(ctx context.Context, c *call, in *TestConnectionInput) (*TestConnectionOutput, error) {
	site, err := s.liveSite(ctx, c, in.OnSite)
	if err != nil {
		return nil, err
	}
	if err := testable(site); err != nil {
		return nil, err
	}
	nonce, err := s.startTest(ctx, site)
	if err != nil {
		return nil, err
	}
	return &TestConnectionOutput{Body: ConnectionTestStarted{Envelope: succeeded, Nonce: nonce}}, nil
}

// startTest gives a site a new nonce, with which the controller tests its connection once.
func (s *service) startTest(ctx context.Context, site *v1alpha1.Site) (nonce string, err error) {
	if nonce, err = identity.NewName(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	old := site.DeepCopy()
	if site.Annotations == nil {
		site.Annotations = map[string]string{}
	}
	site.Annotations[v1alpha1.TestConnectionAnnotation] = nonce
	return nonce, aboutSite(s.Client.Patch(ctx, site, client.MergeFrom(old), client.FieldOwner(managerCommands)))
}

func testable(site *v1alpha1.Site) error {
	mode, tester := connectors.ModeOf(site), connectors.TesterFor(site)
	switch {
	case mode == lifecycle.Pull:
		return problem.Conflict("nothing is sent to the site: there is no connection to test")
	case mode == lifecycle.Unsupported:
		return problem.Conflict("sites of this cms_type cannot be published to yet")
	case tester == nil:
		return problem.Conflict("the connection of a site of this cms_type cannot be tested")
	case connectiontest.Next(site, connectiontest.Testing{Possible: true}).Step != lifecycle.Wait:
		return problem.Conflict("the connection is being tested already")
	}
	return nil
}

// findSite returns a site of a workspace that the key opens.
func (c *call) findSite(on OnSite) (index.Site, error) {
	var found []index.Site
	if identity.IsUID(on.UID) {
		found = c.sitesWith(on)
	}
	switch len(found) {
	case 0:
		return index.Site{}, problem.NotFound("site")
	case 1:
		return found[0], nil
	default:
		return index.Site{}, problem.Conflict("sites of several workspaces have this uid: name one in x-workspace-id")
	}
}

func (c *call) sitesWith(on OnSite) []index.Site {
	var found []index.Site
	for _, w := range c.service.Index.Workspaces(c.principal.Account) {
		if (on.Workspace != "" && w.Name != on.Workspace) || !c.opens(w.Name) {
			continue
		}
		if site, ok := c.service.Index.Site(w.Name, on.UID); ok {
			found = append(found, site)
		}
	}
	return found
}

func presentConnection(site *v1alpha1.Site) Connection {
	out := Connection{Status: "unknown", Reason: snakeCase(v1alpha1.ReasonNotTested)}
	connected := meta.FindStatusCondition(site.Status.Conditions, v1alpha1.ConditionConnected)
	// A condition of an older spec may not hold for this one.
	if connected != nil && connected.ObservedGeneration == site.Generation {
		out.Reason, out.Message = snakeCase(connected.Reason), connected.Message
		switch connected.Status {
		case "True":
			out.Status = "connected"
		case "False":
			out.Status = "failed"
		}
	}
	if t := site.Status.ConnectionTest; t != nil {
		out.LastTest = &ConnectionTest{
			Nonce:         attempts.Handled(site.Status.HandledRequests, v1alpha1.TestConnectionAnnotation),
			AttemptResult: presentResult(t.StartTime.Time, t.AttemptResult), Snippet: t.Snippet,
		}
	}
	return out
}
