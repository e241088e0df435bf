package rest

import (
	"context"
	"net/http"
	"slices"
	"time"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/apikey"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// Key is an API key, without its secret.
type Key struct {
	ID         string   `json:"id" doc:"The part of the key that is no secret." example:"aa3kq2vxw5ntb6ha"`
	Name       string   `json:"name" doc:"Who or what uses it. What it approves is recorded under this name with the id." example:"newsletter tool"`
	Scopes     []string `json:"scopes" example:"read,write"`
	Workspaces []string `json:"workspaces" doc:"Workspaces that it is limited to; empty for all of the account."`
	Status     string   `json:"status" enum:"valid,expired"`
	CreatedAt  string   `json:"created_at" format:"date-time"`
	CreatedBy  string   `json:"created_by" doc:"Who made it over this API: an e-mail address, or the name and the id of an API key; empty if it was made with kubectl or the command line."`
	ExpiresAt  *string  `json:"expires_at" format:"date-time" doc:"Null if it does not expire."`
}

// KeyList has the keys of an account.
type KeyList struct {
	Envelope
	Data []Key `json:"data"`
}

type (
	// ListKeysInput is the input of list-keys: none.
	ListKeysInput struct{}
	// KeysOutput is the answer of list-keys.
	KeysOutput struct{ Body KeyList }
	// OnKey is the input of revoke-key.
	OnKey struct {
		ID string `path:"id" maxLength:"100" doc:"The key's id." example:"aa3kq2vxw5ntb6ha"`
	}
)

func (in *OnKey) recorded() operationRecord {
	if !credential.IsID(in.ID) {
		return operationRecord{}
	}
	return operationRecord{object: in.ID}
}

const (
	// subjectKey is what answers call an API key.
	subjectKey = "API key"

	keysPath = "/v1/api/keys"
)

func (s *service) registerKeys() {
	g := s.group(tagAccount, v1alpha1.ScopeManage)
	op := s.operation(http.MethodGet, keysPath, "list-keys", http.StatusBadRequest)
	op.Summary = "List API keys"
	op.Description = "The keys of the account, newest first. A key that is limited to some workspaces sees " +
		"those that are limited to them too."
	handle(g, op, s.listKeys)

	op = s.operation(http.MethodDelete, keysPath+"/{id}", "revoke-key", inWorkspace...)
	op.Summary = "Revoke an API key"
	op.Description = "The key stops working within a second or two, and so does the access that it has given to apps."
	op.DefaultStatus = http.StatusNoContent
	handle(g, op, s.revokeKey)
}

func (s *service) listKeys(ctx context.Context, c *call, _ *ListKeysInput) (*KeysOutput, error) {
	keys, err := s.keysOf(ctx, c.principal.Account)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(keys)
	keys = slices.DeleteFunc(keys, func(k v1alpha1.APIKey) bool { return !mayManage(c.principal, &k) })
	newestFirst(keys, func(k v1alpha1.APIKey) (time.Time, string) { return k.CreationTimestamp.Time, k.Name })
	out := &KeysOutput{Body: KeyList{Envelope: succeeded, Data: []Key{}}}
	for i := range keys {
		out.Body.Data = append(out.Body.Data, presentKey(&keys[i], nameOfCreator(keys[i].Spec.CreatedByRef, all), s.Clock.Now()))
	}
	return out, nil
}

func (s *service) revokeKey(ctx context.Context, c *call, in *OnKey) (*DeleteOutput, error) {
	if !credential.IsID(in.ID) {
		return nil, problem.NotFound(subjectKey)
	}
	key, err := s.key(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if key.Spec.AccountRef.Name != c.principal.Account || !mayManage(c.principal, key) {
		return nil, problem.NotFound(subjectKey)
	}
	if err := kept(key.ManagedFields, ".spec.secretHash", "delete"); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	if err := s.Client.Delete(ctx, key, client.Preconditions{UID: &key.UID}); err != nil {
		return nil, aboutKey(err)
	}
	return &DeleteOutput{}, nil
}

// keysOf returns the keys of an account that are not being deleted.
func (s *service) keysOf(ctx context.Context, account string) ([]v1alpha1.APIKey, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	keys, err := apikey.Of(ctx, s.Client, account)
	if err != nil {
		return nil, aboutKey(err)
	}
	return slices.DeleteFunc(keys, func(k v1alpha1.APIKey) bool { return !k.DeletionTimestamp.IsZero() }), nil
}

func (s *service) key(ctx context.Context, id string) (*v1alpha1.APIKey, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	key := &v1alpha1.APIKey{}
	if err := s.Client.Get(ctx, client.ObjectKey{Name: id}, key); err != nil {
		return nil, aboutKey(err)
	}
	return key, nil
}

func aboutKey(err error) error { return problem.WithResource(subjectKey, problem.MarkUnreachable(err)) }

// mayManage reports whether somebody may see and revoke a key of their account: who is limited to some workspaces, those that are limited
// to them too.
func mayManage(p auth.Principal, k *v1alpha1.APIKey) bool {
	if len(p.Workspaces) == 0 {
		return true
	}
	return len(k.Spec.Workspaces) > 0 && !slices.ContainsFunc(k.Spec.Workspaces, func(w string) bool { return !p.Opens(w) })
}

func presentKey(k *v1alpha1.APIKey, createdBy string, now time.Time) Key {
	out := Key{
		ID: k.Name, Name: k.Spec.DisplayName, Scopes: scopeNames(auth.SortScopes(k.Spec.Scopes)),
		Workspaces: append([]string{}, k.Spec.Workspaces...), Status: "valid",
		CreatedAt: milliseconds(k.CreationTimestamp.Time), CreatedBy: createdBy,
		ExpiresAt: timeOrNull(ptr.Deref(k.Spec.ExpirationTime, noTime).Time),
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
