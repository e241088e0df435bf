package brief

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// CreateBriefRequest is a new brief.
type CreateBriefRequest struct {
	Name         string               `json:"name,omitempty" minLength:"1" maxLength:"63" pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" patternDescription:"lower-case letters, digits and hyphens, with a letter or digit at both ends" doc:"Name, by which people and manifests know it. Its uid if absent." example:"trail-2026"`
	Instructions string               `json:"instructions,omitempty" maxLength:"4000" doc:"What texts are for and what they must have." example:"For beginners. Compare three soles."`
	Facts        []string             `json:"facts,omitempty" maxItems:"50" minLength:"1" maxLength:"500" doc:"What texts may state without a citation." example:"Acme sells 42 trail models."`
	Sources      []BriefSourceRequest `json:"sources,omitempty" maxItems:"10" doc:"What texts may cite. No two have the same name."`
}

// BriefSourceRequest is a source of a brief in a request.
type BriefSourceRequest struct {
	Name  string `json:"name" minLength:"1" maxLength:"31" pattern:"^[a-z][a-z0-9-]{0,30}$" patternDescription:"a lower-case letter, then lower-case letters, digits and hyphens" doc:"By which a model cites it. It is in no published text." example:"survey"`
	Title string `json:"title" minLength:"1" maxLength:"300" doc:"Title of the source." example:"Trail survey 2025"`
	URL   string `json:"url,omitempty" maxLength:"2048" pattern:"^(https://[!-~]+)?$" patternDescription:"an https address" doc:"That citations lead to. It is not fetched." example:"https://example.org/survey"`
	Text  string `json:"text" minLength:"1" maxLength:"16000" doc:"Text of the source."`
}

// CreateInput is the input of create-brief.
type CreateInput struct {
	operation.InWorkspace
	operation.Idempotent
	Body CreateBriefRequest
}

// Resolve checks what the schema cannot express.
func (in *CreateInput) Resolve(huma.Context) []error {
	errs := checkSources(in.Body.Sources)
	if identity.IsUID(in.Body.Name) {
		errs = append(errs, &huma.ErrorDetail{Location: "body.name", Message: "may not have the form of a uid"})
	}
	if in.Body.Instructions == "" && len(in.Body.Facts)+len(in.Body.Sources) == 0 {
		errs = append(errs, &huma.ErrorDetail{Location: "body." + empty.Field, Message: empty.Message})
	}
	return errs
}

// empty says that a brief has nothing.
var empty = problem.ErrorDetail{Field: "instructions", Message: "is required without facts and sources"}

// checkSources returns an error for each source with the name of an earlier one.
func checkSources(sources []BriefSourceRequest) (errs []error) {
	seen := map[string]bool{}
	for i, s := range sources {
		if seen[s.Name] {
			errs = append(errs, &huma.ErrorDetail{
				Location: fmt.Sprintf("body.sources[%d].name", i), Message: "must be another name than those of the other sources",
			})
		}
		seen[s.Name] = true
	}
	return errs
}

// Create creates a brief.
var Create = operation.Operation[CreateInput, Output]{
	ID: "create-brief", Method: http.MethodPost, Path: briefsPath, Tag: operation.TagBriefs, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusCreated, MaxBody: jsonbody.MaxContentBytes, Errors: operation.CreateErrors,
}

func (s *service) create(ctx context.Context, c *operation.Call, in *CreateInput) (*Output, error) {
	request, err := in.Request(c.Workspace, Create.ID, in.Body)
	if err != nil {
		return nil, err
	}
	return operation.Command[Output]{
		Operation: Create.ID, About: in.Body,
		Do: func(ctx context.Context, nonce string) (*Output, error) {
			b := &v1alpha1.Brief{Spec: in.Body.spec()}
			b.Namespace, b.Name = c.Workspace, cmp.Or(in.Body.Name, nonce)
			request.Mark(&b.ObjectMeta)
			return s.createBrief(ctx, c, b, request)
		},
		Again: func(ctx context.Context) (*Output, error) {
			b := &v1alpha1.Brief{}
			err := s.Client.Get(ctx, client.ObjectKey{Namespace: c.Workspace, Name: cmp.Or(in.Body.Name, request.Name)}, b)
			if apierrors.IsNotFound(err) || err == nil && request.CheckRepeated(b) != nil {
				return nil, problem.Conflict(problem.ReasonGone,
					"the brief that was created with this Idempotency-Key does not exist anymore")
			}
			if err != nil {
				return nil, err
			}
			return answer(b)
		},
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}

// createBrief creates a brief. If a request with the same Idempotency-Key was interrupted after it had, that one is returned.
func (s *service) createBrief(ctx context.Context, c *operation.Call, b *v1alpha1.Brief, request operation.Request) (*Output, error) {
	place, err := c.Room(ctx, operation.Limit{
		Name: "briefs", Of: "briefs", Most: v1alpha1.AccountLimits.MostBriefs,
		Count: func(context.Context) (int64, error) { return s.Index.Usage(c.Principal.Account).Briefs, nil },
		Seen:  func() bool { return s.Index.HasBrief(b.Namespace, b.Name) },
	}, 1)
	if err != nil {
		return nil, err
	}
	err = c.TakeBytes(ctx, bytesOf(b.Spec))
	if err == nil {
		err = s.Client.Create(ctx, b)
	}
	c.Settle(operation.Places{place}, err)
	if apierrors.IsAlreadyExists(err) {
		return s.existing(ctx, b, request)
	}
	if err != nil {
		return nil, operation.CreationProblem(err)
	}
	s.awaitIndex(ctx, c, b)
	return answer(b)
}

// existing returns the brief that has the name of a new one, if the same request has created it.
func (s *service) existing(ctx context.Context, b *v1alpha1.Brief, request operation.Request) (*Output, error) {
	found := &v1alpha1.Brief{}
	if err := s.Client.Get(ctx, client.ObjectKeyFromObject(b), found); err != nil {
		return nil, err
	}
	if request.Hash == "" || request.CheckRepeated(found) != nil {
		return nil, problem.Conflict(problem.ReasonNameTaken, "another brief has this name",
			problem.ErrorDetail{Field: "name", Message: "must be another one: a brief has it"})
	}
	return answer(found)
}

// indexedWithin bounds how long a page waits for its own write.
const indexedWithin = 2 * time.Second

// awaitIndex waits, if a page calls, until the index has a brief: the page that follows offers it.
func (s *service) awaitIndex(ctx context.Context, c *operation.Call, b *v1alpha1.Brief) {
	if !c.Local {
		return
	}
	waiting, cancel := context.WithTimeout(ctx, indexedWithin)
	defer cancel()
	s.Index.AwaitBrief(waiting, b.Namespace, identity.UID(identity.KindBrief, b.Namespace, b.Name))
}

// spec is what the request asks for.
func (r *CreateBriefRequest) spec() v1alpha1.BriefSpec {
	return v1alpha1.BriefSpec{Instructions: r.Instructions, Facts: r.Facts, Sources: sourcesOf(r.Sources)}
}

func sourcesOf(sources []BriefSourceRequest) (out []v1alpha1.BriefSource) {
	for _, s := range sources {
		out = append(out, v1alpha1.BriefSource(s))
	}
	return out
}

// bytesOf is about how many bytes a write of a brief takes, beside those of any object.
func bytesOf(b v1alpha1.BriefSpec) int64 {
	n := len(b.Instructions)
	for _, fact := range b.Facts {
		n += len(fact)
	}
	for _, s := range b.Sources {
		n += len(s.Name) + len(s.Title) + len(s.URL) + len(s.Text)
	}
	return int64(n)
}
