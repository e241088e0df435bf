package brief

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

// UpdateBriefRequest changes the members that it names and leaves the others as they are. Null removes one.
type UpdateBriefRequest struct {
	Instructions patch.Member[string]               `json:"instructions,omitzero" maxLength:"4000" doc:"What texts are for and what they must have."`
	Facts        patch.Member[[]string]             `json:"facts,omitzero" maxItems:"50" minLength:"1" maxLength:"500" doc:"The whole list."`
	Sources      patch.Member[[]BriefSourceRequest] `json:"sources,omitzero" maxItems:"10" doc:"The whole list. No two have the same name."`
}

// UpdateInput is the input of update-brief.
type UpdateInput struct {
	OnBrief
	operation.IfMatch
	Body UpdateBriefRequest
}

// Resolve checks what the schema cannot express.
func (in *UpdateInput) Resolve(huma.Context) []error { return checkSources(in.Body.Sources.Value) }

// Update changes a brief.
var Update = operation.Operation[UpdateInput, Output]{
	ID: "update-brief", Method: http.MethodPatch, Path: briefPath, Tag: operation.TagBriefs, Scope: v1alpha1.ScopeWrite,
	MaxBody: jsonbody.MaxContentBytes, Errors: operation.EditErrors,
}

func (s *service) update(ctx context.Context, c *operation.Call, in *UpdateInput) (*Output, error) {
	key, err := s.locate(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	changed, err := kube.Change(ctx, s.Client, key, func(b *v1alpha1.Brief) error {
		if err := in.IfMatch.Check(operation.Written(b)); err != nil {
			return err
		}
		if err := in.Body.apply(&b.Spec); err != nil {
			return err
		}
		return c.TakeBytes(ctx, bytesOf(b.Spec))
	})
	if err != nil {
		return nil, err
	}
	return answer(changed)
}

// apply changes a brief as the request says.
func (r *UpdateBriefRequest) apply(b *v1alpha1.BriefSpec) error {
	r.Instructions.Change(&b.Instructions)
	r.Facts.Change(&b.Facts)
	if r.Sources.Given {
		b.Sources = sourcesOf(r.Sources.Value)
	}
	if b.Instructions == "" && len(b.Facts)+len(b.Sources) == 0 {
		return problem.Invalid(empty)
	}
	return nil
}
