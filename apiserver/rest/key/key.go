// Package key has the operations of the REST API on API keys.
package key

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	"github.com/pressroom-dev/pressroom/internal/access"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// APIKey is an API key, without its secret.
type APIKey struct {
	ID         string   `json:"id" doc:"The part of the key that is no secret." example:"aa3kq2vxw5ntb6ha"`
	Name       string   `json:"name" doc:"Who or what uses it. What it approves is recorded under this name with the id." example:"newsletter tool"`
	Scopes     []string `json:"scopes" doc:"What it allows." example:"read,write"`
	Workspaces []string `json:"workspaces" doc:"Workspaces that it is limited to; empty for all of the account."`
	Status     string   `json:"status" enum:"valid,expired" doc:"What it can be used for now."`
	CreatedAt  string   `json:"created_at" format:"date-time" doc:"When it was created."`
	CreatedBy  string   `json:"created_by" doc:"Who made it over this API: an e-mail address, or the name and the id of an API key; empty if it was made with kubectl or the command line."`
	ExpiresAt  *string  `json:"expires_at" format:"date-time" doc:"Null if it does not expire."`

	CreditsPerDay *int32 `json:"credits_per_day" minimum:"0" maximum:"1000000" doc:"Credits that it may take in a UTC day; null without a limit of its own." example:"20"`
}

// APIKeyList has the keys of an account.
type APIKeyList struct {
	operation.Envelope
	Data []APIKey `json:"data" doc:"What the answer is about."`
}

type (
	// OnKey is embedded in the input of every operation on one key.
	OnKey struct {
		ID string `path:"key_id" maxLength:"100" doc:"The key's id." example:"aa3kq2vxw5ntb6ha"`
	}
	// RevokeInput is the input of revoke-key.
	RevokeInput struct {
		OnKey
		operation.IfMatch
	}
)

// APIKeyAnswer is one key as an answer.
type APIKeyAnswer struct {
	operation.Envelope
	APIKey
}

// Output is a key as an answer, with its entity tag.
type Output struct {
	ETag string `header:"ETag" doc:"Names this state of the key, for If-Match."`
	Body APIKeyAnswer
}

// LogEntry names the key for the log.
func (in *OnKey) LogEntry() operation.LogEntry {
	if !credential.IsID(in.ID) {
		return operation.LogEntry{}
	}
	return operation.LogEntry{Object: in.ID}
}

const (
	// subject is what answers call an API key.
	subject = "API key"

	keysPath = "/v1/api/keys"
	keyPath  = keysPath + "/{key_id}"
)

// service has what the operations share.
type service struct {
	*operation.Core

	cell credential.Cell
}

// Register adds the operations. The ids of keys begin with the code of the installation.
func Register(core *operation.Core, cell credential.Cell) {
	s := &service{Core: core, cell: cell}
	List.Handle(core, s.listKeys)
	Create.Handle(core, s.makeKey)
	Get.Handle(core, s.getKey)
	Update.Handle(core, s.update)
	Revoke.Handle(core, s.revokeKey)
	GetActivity.Handle(core, s.getActivity)
}

// List lists API keys.
var List = operation.Operation[struct{}, operation.Output[APIKeyList]]{
	ID: "list-keys", Method: http.MethodGet, Path: keysPath, Tag: operation.TagAccount, Scope: v1alpha1.ScopeManage,
}

func (s *service) listKeys(ctx context.Context, c *operation.Call, _ *struct{}) (*operation.Output[APIKeyList], error) {
	keys, err := s.keysOf(ctx, c.Principal.Account)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(keys)
	keys = slices.DeleteFunc(keys, func(k v1alpha1.APIKey) bool { return !mayManage(c.Principal, &k) })
	operation.NewestFirst(keys)
	out := operation.Answer(APIKeyList{Envelope: operation.Succeeded, Data: []APIKey{}})
	for i := range keys {
		out.Body.Data = append(out.Body.Data, presentKey(&keys[i], nameOfCreator(keys[i].Spec.CreatedByRef, all), s.Clock.Now()))
	}
	return out, nil
}

// Get returns an API key.
var Get = operation.Operation[OnKey, Output]{
	ID: "get-key", Method: http.MethodGet, Path: keyPath, Tag: operation.TagAccount, Scope: v1alpha1.ScopeManage,
	Errors: operation.ReadErrors,
}

func (s *service) getKey(ctx context.Context, c *operation.Call, in *OnKey) (*Output, error) {
	key, err := s.find(ctx, c, in.ID)
	if err != nil {
		return nil, err
	}
	return s.answer(ctx, c, key)
}

// answer returns a key as an answer, with its entity tag.
func (s *service) answer(ctx context.Context, c *operation.Call, key *v1alpha1.APIKey) (*Output, error) {
	var all []v1alpha1.APIKey
	if by := key.Spec.CreatedByRef; by != nil && by.Kind == v1alpha1.CreatorAPIKey {
		var err error
		if all, err = s.keysOf(ctx, c.Principal.Account); err != nil {
			return nil, err
		}
	}
	out := APIKeyAnswer{Envelope: operation.Succeeded, APIKey: presentKey(key, nameOfCreator(key.Spec.CreatedByRef, all), s.Clock.Now())}
	tag, err := operation.Tag(operation.Written(key), out)
	return &Output{ETag: tag, Body: out}, err
}

// Revoke ends an API key.
var Revoke = operation.Operation[RevokeInput, operation.DeleteOutput]{
	ID: "revoke-key", Method: http.MethodDelete, Path: keyPath, Tag: operation.TagAccount, Scope: v1alpha1.ScopeManage,
	Status: http.StatusNoContent, Errors: operation.DeleteErrors,
}

func (s *service) revokeKey(ctx context.Context, c *operation.Call, in *RevokeInput) (*operation.DeleteOutput, error) {
	key, err := s.find(ctx, c, in.ID)
	if err != nil {
		return nil, err
	}
	out, err := s.Remove(ctx, key, in.IfMatch, ".spec.secretHash")
	if err == nil {
		s.AwaitGone(ctx, key)
	}
	return out, err
}

// keysOf returns the keys of an account that are not being deleted.
func (s *service) keysOf(ctx context.Context, account string) ([]v1alpha1.APIKey, error) {
	keys, err := access.KeysOf(ctx, s.Client, account)
	return slices.DeleteFunc(keys, func(k v1alpha1.APIKey) bool { return !k.DeletionTimestamp.IsZero() }), err
}

// find returns a key that the caller may see, change and revoke.
func (s *service) find(ctx context.Context, c *operation.Call, id string) (*v1alpha1.APIKey, error) {
	if !credential.IsID(id) {
		return nil, problem.NotFound(subject)
	}
	key := &v1alpha1.APIKey{}
	if err := s.Client.Get(ctx, client.ObjectKey{Name: id}, key); err != nil {
		return nil, err
	}
	if key.Spec.AccountRef.Name != c.Principal.Account || !mayManage(c.Principal, key) {
		return nil, problem.NotFound(subject)
	}
	return key, nil
}

// mayManage reports whether somebody may see, change and revoke a key of their account: who is limited to some workspaces, those that are
// limited to them too.
func mayManage(p auth.Principal, k *v1alpha1.APIKey) bool {
	if len(p.Workspaces) == 0 {
		return true
	}
	return len(k.Spec.Workspaces) > 0 && !slices.ContainsFunc(k.Spec.Workspaces, func(w string) bool { return !p.Opens(w) })
}

func presentKey(k *v1alpha1.APIKey, createdBy string, now time.Time) APIKey {
	out := APIKey{
		ID: k.Name, Name: content.Label(k.Spec.DisplayName), Scopes: operation.ScopeNames(auth.SortScopes(k.Spec.Scopes)),
		Workspaces: append([]string{}, k.Spec.Workspaces...), Status: "valid",
		CreatedAt: operation.Milliseconds(k.CreationTimestamp.Time), CreatedBy: createdBy,
		ExpiresAt:     operation.TimeOrNull(ptr.Deref(k.Spec.ExpirationTime, v1alpha1.Time{}).Time),
		CreditsPerDay: k.Spec.Limits.CreditsPerDay,
	}
	if !auth.KeyValid(k, now) {
		out.Status = "expired"
	}
	return out
}

// nameOfCreator returns the name of who made a key, in the form of an approval's by. A key that is not among the keys has no name but its
// id.
func nameOfCreator(ref *v1alpha1.CreatorReference, keys []v1alpha1.APIKey) string {
	if ref == nil {
		return ""
	}
	if ref.Kind != v1alpha1.CreatorAPIKey {
		return ref.Name
	}
	if i := slices.IndexFunc(keys, func(k v1alpha1.APIKey) bool { return k.Name == ref.Name }); i >= 0 {
		return auth.NameOfKey(&keys[i])
	}
	return grant.PersonOfKey(ref.Name)
}

// UpdateAPIKeyRequest changes the members that it names and leaves the others as they are.
type UpdateAPIKeyRequest struct {
	Name      *string                 `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"Who or what uses it." example:"newsletter tool"`
	ExpiresAt patch.Member[time.Time] `json:"expires_at,omitzero" doc:"When it stops working, not after your own credential; null if it should not. A later end needs all scopes of the key, and is not after that of the key that made it."`
}

// UpdateInput is the input of update-key.
type UpdateInput struct {
	OnKey
	operation.IfMatch
	Body UpdateAPIKeyRequest
}

// Resolve checks what the schema cannot express: nobody has a key work longer than their own credential.
func (in *UpdateInput) Resolve(ctx huma.Context) []error {
	if end := in.Body.ExpiresAt; end.Given {
		if wrong := checkEnd(operation.CallOf(ctx.Context()), end.Value); wrong != "" {
			return []error{&huma.ErrorDetail{Location: "body.expires_at", Message: wrong}}
		}
	}
	return nil
}

// Update changes an API key.
var Update = operation.Operation[UpdateInput, Output]{
	ID: "update-key", Method: http.MethodPatch, Path: keyPath, Tag: operation.TagAccount, Scope: v1alpha1.ScopeManage,
	Errors: operation.EditErrors,
}

func (s *service) update(ctx context.Context, c *operation.Call, in *UpdateInput) (*Output, error) {
	found, err := s.find(ctx, c, in.ID)
	if err != nil {
		return nil, err
	}
	key, err := kube.Change(ctx, s.Client, client.ObjectKeyFromObject(found), func(key *v1alpha1.APIKey) error {
		if err := in.IfMatch.Check(operation.Written(key)); err != nil {
			return err
		}
		key.Spec.DisplayName = ptr.Deref(in.Body.Name, key.Spec.DisplayName)
		if end := in.Body.ExpiresAt; end.Given {
			return s.setEnd(ctx, c, key, endOf(end.Value))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.answer(ctx, c, key)
}

// setEnd changes the end of a key. A longer life needs what making the key needs: all of its scopes, and an end within that of its maker.
func (s *service) setEnd(ctx context.Context, c *operation.Call, key *v1alpha1.APIKey, end *v1alpha1.Time) error {
	if !longer(key.Spec.ExpirationTime, end) {
		key.Spec.ExpirationTime = end
		return nil
	}
	refuse := func(message string) error {
		return problem.Invalid(problem.ErrorDetail{Field: "expires_at", Message: message})
	}
	lacking := slices.DeleteFunc(auth.SortScopes(key.Spec.Scopes), c.Principal.Has)
	if len(lacking) > 0 {
		return refuse("must not be later than it is: you lack scopes of the key, " + strings.Join(operation.ScopeNames(lacking), ", "))
	}
	if id := key.Spec.CreatedByRef.APIKey(); id != "" {
		maker := &v1alpha1.APIKey{}
		err := s.Client.Get(ctx, client.ObjectKey{Name: id}, maker)
		if client.IgnoreNotFound(err) != nil {
			return err
		}
		if most := maker.Spec.ExpirationTime; longer(most, end) {
			return refuse("must not be after " + most.UTC().Format(time.RFC3339) + ", when the key ends that made this one")
		}
	}
	key.Spec.ExpirationTime = end
	return nil
}

// longer reports whether a life to one end is longer than that to another. No end is the longest.
func longer(than, end *v1alpha1.Time) bool {
	return than != nil && (end == nil || end.After(than.Time))
}
