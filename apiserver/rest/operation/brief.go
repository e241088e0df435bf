package operation

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// BriefUID names a brief in a request.
type BriefUID string

// Schema describes a BriefUID.
func (BriefUID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Format: "uuid", Description: "uid of a brief from list-briefs.",
		Examples: []any{"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"},
	}
}

// UnmarshalText folds the uid to lower case, in which uids are compared.
func (uid *BriefUID) UnmarshalText(text []byte) error {
	*uid = BriefUID(foldUID(string(text)))
	return nil
}

// FindBrief returns the name of the object that is the brief with a uid. If the index does not have it, another replica may just have
// created it: it is looked up live.
func (s *Core) FindBrief(ctx context.Context, workspace, uid string) (string, error) {
	if !identity.IsUID(uid) {
		return "", problem.NotFound("brief")
	}
	if b, ok := s.Index.Brief(workspace, uid); ok {
		return b.Name, nil
	}
	var all metav1.PartialObjectMetadataList
	all.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("BriefList"))
	if err := s.Client.List(ctx, &all, client.InNamespace(workspace)); err != nil {
		return "", err
	}
	for i := range all.Items {
		if identity.UID(identity.KindBrief, workspace, all.Items[i].Name) == uid {
			return all.Items[i].Name, nil
		}
	}
	return "", problem.NotFound("brief")
}

// BriefRef returns a reference to the brief that a request names by its uid, nil if the uid is empty. That there is none is a problem of
// the member brief_uid.
func (s *Core) BriefRef(ctx context.Context, workspace, uid string) (*v1alpha1.LocalReference, error) {
	if uid == "" {
		return nil, nil
	}
	name, err := s.FindBrief(ctx, workspace, uid)
	if refused, ok := errors.AsType[*problem.APIError](err); ok && refused.Problem.Code == problem.CodeNotFound {
		return nil, problem.Invalid(problem.ErrorDetail{Field: "brief_uid", Message: "must be the uid of a brief in this workspace"})
	}
	if err != nil {
		return nil, err
	}
	return &v1alpha1.LocalReference{Name: name}, nil
}

// BriefUIDOf returns the uid of the brief that a reference names; empty without one.
func BriefUIDOf(workspace string, ref *v1alpha1.LocalReference) string {
	if ref == nil {
		return ""
	}
	return identity.UID(identity.KindBrief, workspace, ref.Name)
}
