// Package brief has the operations of the REST API on briefs: what texts may rest on.
package brief

import (
	"context"
	"net/http"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

const (
	briefsPath = "/v1/api/briefs"
	briefPath  = briefsPath + "/{uid}"
)

// service has the operations. Briefs are large and rarely read, so no informer holds their texts.
type service struct {
	*operation.Core
}

// Register adds the operations.
func Register(core *operation.Core) {
	s := &service{Core: core}
	List.Handle(core, s.list)
	ListNames.Handle(core, s.listNames)
	Create.Handle(core, s.create)
	Get.Handle(core, s.get)
	Update.Handle(core, s.update)
	Delete.Handle(core, s.delete)
}

type (
	// OnBrief is embedded in the input of every operation on one brief.
	OnBrief struct {
		operation.InWorkspace
		UID string `path:"uid" doc:"The brief's uid."`
	}
	// ListInput is the input of list-briefs.
	ListInput struct {
		operation.InWorkspace
		Limit  int    `query:"limit" minimum:"1" maximum:"20" default:"20" doc:"Briefs on a page."`
		Cursor string `query:"cursor" maxLength:"2048" doc:"The nextCursor of the page before."`
	}
	// DeleteInput is the input of delete-brief.
	DeleteInput struct {
		OnBrief
		operation.IfMatch
	}
)

// List lists briefs.
var List = operation.Operation[ListInput, operation.Output[BriefPage]]{
	ID: "list-briefs", Method: http.MethodGet, Path: briefsPath, Tag: operation.TagBriefs, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

// list reads the briefs from kube-apiserver, which lists them by name.
func (s *service) list(ctx context.Context, c *operation.Call, in *ListInput) (*operation.Output[BriefPage], error) {
	chosen, next, err := kube.Filter(ctx, s.Client, in.Cursor, in.Limit, func(page *v1alpha1.BriefList) (chosen []BriefSummary) {
		for i := range page.Items {
			chosen = append(chosen, summarise(&page.Items[i]))
		}
		return chosen
	}, client.InNamespace(c.Workspace))
	if err != nil {
		return nil, err
	}
	return operation.Answer(BriefPage{Envelope: operation.Succeeded, Data: chosen, Page: operation.Next(next)}), nil
}

// BriefNames are the briefs of a workspace, by name.
type BriefNames struct {
	operation.Unlisted

	Data []BriefName
}

// BriefName is a brief that a form offers.
type BriefName struct{ UID, Name string }

// ListNames returns what a page offers where a brief is chosen. It comes from memory.
var ListNames = operation.Operation[operation.InWorkspace, operation.Output[BriefNames]]{
	ID: "list-brief-names", Method: http.MethodGet, Path: "/v1/api/brief-names", Tag: operation.TagBriefs, Scope: v1alpha1.ScopeRead,
	Unlisted: true,
}

func (s *service) listNames(
	_ context.Context, c *operation.Call, _ *operation.InWorkspace,
) (*operation.Output[BriefNames], error) {
	var out BriefNames
	for _, b := range s.Index.Briefs(c.Workspace) {
		out.Data = append(out.Data, BriefName{b.UID, b.Name})
	}
	return operation.Answer(out), nil
}

// Get returns a brief.
var Get = operation.Operation[OnBrief, Output]{
	ID: "get-brief", Method: http.MethodGet, Path: briefPath, Tag: operation.TagBriefs, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

func (s *service) get(ctx context.Context, c *operation.Call, in *OnBrief) (*Output, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return answer(found)
}

// find returns the brief with a uid as kube-apiserver has it.
func (s *service) find(ctx context.Context, c *operation.Call, uid string) (*v1alpha1.Brief, error) {
	key, err := s.locate(ctx, c, uid)
	if err != nil {
		return nil, err
	}
	found := &v1alpha1.Brief{}
	return found, s.Client.Get(ctx, key, found)
}

// locate returns the namespace and name of the brief with a uid.
func (s *service) locate(ctx context.Context, c *operation.Call, uid string) (client.ObjectKey, error) {
	name, err := s.FindBrief(ctx, c.Workspace, uid)
	return client.ObjectKey{Namespace: c.Workspace, Name: name}, err
}

// Delete deletes a brief.
var Delete = operation.Operation[DeleteInput, operation.DeleteOutput]{
	ID: "delete-brief", Method: http.MethodDelete, Path: briefPath, Tag: operation.TagBriefs, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusNoContent, Errors: operation.DeleteErrors,
}

func (s *service) delete(ctx context.Context, c *operation.Call, in *DeleteInput) (*operation.DeleteOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return s.Remove(ctx, found, in.IfMatch, ".spec")
}
