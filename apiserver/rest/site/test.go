package site

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
)

// TestInput is the input of test-site.
type TestInput struct {
	OnSite
	operation.Idempotent
	Body *operation.NoRequest
}

// TestStarted is the answer of test-site.
type TestStarted struct {
	operation.Envelope
	Nonce string `json:"nonce" doc:"Poll get-site until connection_status.last_test has this nonce and its outcome is not in_progress."`
}

// Test has the connection of a site tested.
var Test = operation.Operation[TestInput, operation.Output[TestStarted]]{
	ID: "test-site", Method: http.MethodPost, Path: sitePath + "/test", Tag: operation.TagSites, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusAccepted, Errors: operation.EditErrors,
}

func (s *service) test(ctx context.Context, c *operation.Call, in *TestInput) (*operation.Output[TestStarted], error) {
	key, err := s.locate(ctx, c, in.OnSite)
	if err != nil {
		return nil, err
	}
	return operation.Command[operation.Output[TestStarted]]{
		Operation: Test.ID, About: key.Name,
		Do: func(ctx context.Context, nonce string) (*operation.Output[TestStarted], error) {
			if err := s.startTest(ctx, key, nonce); err != nil {
				return nil, err
			}
			return operation.Answer(TestStarted{Envelope: operation.Succeeded, Nonce: nonce}), nil
		},
	}.Run(ctx, c, in.Idempotent, key.Namespace)
}

// startTest gives a site a nonce, with which the controller tests its connection once.
func (s *service) startTest(ctx context.Context, key client.ObjectKey, nonce string) error {
	_, err := kube.Change(ctx, s.Client, key, func(site *v1alpha1.Site) error {
		if site.Annotations[v1alpha1.TestConnectionAnnotation] == nonce {
			return nil
		}
		if err := testable(site); err != nil {
			return err
		}
		metav1.SetMetaDataAnnotation(&site.ObjectMeta, v1alpha1.TestConnectionAnnotation, nonce)
		return nil
	})
	return err
}

// testNew has a connection tested that was just made. If that fails, a person can ask for it.
func (s *service) testNew(ctx context.Context, site *v1alpha1.Site) {
	if connectors.ModeOf(site) != lifecycle.Push {
		return
	}
	if err := s.startTest(ctx, client.ObjectKeyFromObject(site), identity.NewName()); err != nil {
		s.Log.Info("a new connection is not tested", "site", site.Name, "error", err.Error())
	}
}

func testable(site *v1alpha1.Site) error {
	mode, tester := connectors.ModeOf(site), connectors.TesterFor(site)
	switch {
	case mode == lifecycle.Pull:
		return problem.Conflict(problem.ReasonNotSupported, "nothing is sent to the site: there is no connection to test")
	case mode == lifecycle.Unsupported:
		return problem.Conflict(problem.ReasonNotSupported, "sites of this cms_type cannot be published to yet")
	case tester == nil:
		return problem.Conflict(problem.ReasonNotSupported, "the connection of a site of this cms_type cannot be tested")
	case connectiontest.Next(site, connectiontest.Testing{Possible: true}).Step != lifecycle.Wait:
		return problem.Conflict(problem.ReasonInProgress, "the connection is being tested already")
	}
	return nil
}
