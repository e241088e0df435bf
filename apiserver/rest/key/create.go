package key

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/access"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// CreateAPIKeyRequest is a new API key.
type CreateAPIKeyRequest struct {
	Name       string     `json:"name" minLength:"1" maxLength:"200" doc:"Who or what uses it." example:"newsletter tool"`
	Scopes     []string   `json:"scopes" minItems:"1" maxItems:"4" uniqueItems:"true" enum:"read,write,approve,manage" doc:"Each must be one of your own." example:"read,write"`
	Workspaces []string   `json:"workspaces,omitempty" maxItems:"100" uniqueItems:"true" minLength:"1" maxLength:"63" doc:"Workspaces that it is limited to, each one that you may use; all that you may use if absent."`
	ExpiresAt  *time.Time `json:"expires_at,omitempty" doc:"When it stops working, not after your own credential, which is the default."`

	CreditsPerDay *int32 `json:"credits_per_day,omitempty" minimum:"0" maximum:"1000000" doc:"Credits that it may take in a UTC day, not more than your own key, which is the default." example:"20"`
}

// CreateInput is the input of create-key.
type CreateInput struct {
	operation.Idempotent
	Body CreateAPIKeyRequest
}

// CreatedAPIKey is a new key with its secret, which no other answer shows.
type CreatedAPIKey struct {
	operation.Envelope
	APIKey
	Secret string `json:"secret" doc:"The key, for the header x-api-key. It is shown this once."`
}

// CreateOutput is the answer of create-key. It contains a secret, so it is never cached.
type CreateOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         CreatedAPIKey
}

// Resolve checks what the schema cannot express: nobody makes a key that has more than they have themselves.
func (in *CreateInput) Resolve(ctx huma.Context) (errs []error) {
	c := operation.CallOf(ctx.Context())
	refuse := func(field, format string, args ...any) {
		errs = append(errs, &huma.ErrorDetail{Location: "body." + field, Message: fmt.Sprintf(format, args...)})
	}
	own := operation.ScopeNames(auth.SortScopes(c.Principal.Scopes))
	for i, scope := range in.Body.Scopes {
		if !slices.Contains(own, scope) {
			refuse(fmt.Sprintf("scopes[%d]", i), "must be one of your own: %s", strings.Join(own, ", "))
		}
	}
	for i, w := range in.Body.Workspaces {
		if !c.Opens(w) {
			refuse(fmt.Sprintf("workspaces[%d]", i), "must be a workspace that you may use")
		}
	}
	if at := in.Body.ExpiresAt; at != nil {
		if wrong := checkEnd(c, *at); wrong != "" {
			refuse("expires_at", "%s", wrong)
		}
	}
	if own, asked := c.Principal.CreditsPerDay, in.Body.CreditsPerDay; own != nil && asked != nil && *asked > *own {
		refuse("credits_per_day", "must be at most %d, the limit of your own key", *own)
	}
	return errs
}

// checkEnd returns what is wrong with the end of a key that a caller makes or changes; empty if nothing is. The zero time is none.
func checkEnd(c *operation.Call, at time.Time) string {
	most := c.Principal.ExpiresAt
	switch {
	case !at.IsZero() && !at.After(c.Core.Clock.Now()):
		return "must be in the future"
	case !most.IsZero() && (at.IsZero() || at.After(most)):
		return "must not be after " + most.UTC().Format(time.RFC3339) + ", when your own credential ends"
	}
	return ""
}

// spec returns what a key allows that somebody makes: by default as much as they have themselves, but for the scopes.
func (r *CreateAPIKeyRequest) spec(p auth.Principal) v1alpha1.APIKeySpec {
	spec := v1alpha1.APIKeySpec{
		AccountRef: v1alpha1.AccountReference{Name: p.Account}, DisplayName: r.Name, Workspaces: slices.Clone(r.Workspaces),
		Scopes: slices.DeleteFunc(auth.Scopes(), func(x v1alpha1.Scope) bool {
			return !slices.Contains(r.Scopes, strings.ToLower(string(x)))
		}),
	}
	if len(spec.Workspaces) == 0 {
		spec.Workspaces = slices.Clone(p.Workspaces)
	}
	ends := p.ExpiresAt
	if r.ExpiresAt != nil {
		ends = *r.ExpiresAt
	}
	spec.ExpirationTime = endOf(ends)
	if limit := cmp.Or(r.CreditsPerDay, p.CreditsPerDay); limit != nil {
		spec.Limits.CreditsPerDay = new(*limit)
	}
	return spec
}

// endOf returns the end of a key as it is stored: in whole seconds, because rounding up would outlive the maker. The zero time is none.
func endOf(at time.Time) *v1alpha1.Time {
	if at.IsZero() {
		return nil
	}
	return &v1alpha1.Time{Time: at.UTC().Truncate(time.Second)}
}

// Create makes an API key.
var Create = operation.Operation[CreateInput, CreateOutput]{
	ID: "create-key", Method: http.MethodPost, Path: keysPath, Tag: operation.TagAccount, Scope: v1alpha1.ScopeManage,
	Status: http.StatusCreated, Errors: operation.CreateErrors,
}

func (s *service) makeKey(ctx context.Context, c *operation.Call, in *CreateInput) (*CreateOutput, error) {
	request, err := in.Request(c.Principal.Account, Create.ID, in.Body)
	if err != nil {
		return nil, err
	}
	var (
		key  *v1alpha1.APIKey
		made credential.Credential
	)
	err = request.CreateSecret(ctx,
		func(ctx context.Context) (metav1.Object, error) {
			if key, err = s.madeBy(ctx, c, request); key == nil && err == nil {
				err = problem.NotFound(subject)
			}
			return key, err
		},
		errMade,
		func(ctx context.Context) (operation.Place, error) {
			return c.Room(ctx, operation.Limit{
				Name: "apiKeys", Of: "API keys", Most: v1alpha1.AccountLimits.MostAPIKeys,
				Count: func(ctx context.Context) (int64, error) {
					keys, err := s.keysOf(ctx, c.Principal.Account)
					return int64(len(keys)), err
				},
			}, 1)
		},
		func(ctx context.Context) error {
			key, made, err = s.store(ctx, c, request, in.Body.spec(c.Principal))
			return err
		})
	if errors.Is(err, errMade) {
		return nil, problem.SecretShown(subject, "id", key.Name, "revoke it, and create another one")
	}
	if err != nil {
		return nil, err
	}
	return &CreateOutput{CacheControl: "no-store", Body: CreatedAPIKey{
		Envelope: operation.Succeeded, APIKey: presentKey(key, c.Principal.Name, s.Clock.Now()), Secret: made.Reveal(),
	}}, nil
}

// errMade means that an earlier request with the same Idempotency-Key has made a key, which exists.
var errMade = errors.New("the key was made before")

// madeBy returns the key of the caller's account that a request has made, also one that came before with the same Idempotency-Key; nil if
// there is none.
func (s *service) madeBy(ctx context.Context, c *operation.Call, request operation.Request) (*v1alpha1.APIKey, error) {
	keys, err := s.keysOf(ctx, c.Principal.Account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(keys, func(k v1alpha1.APIKey) bool { return k.Annotations[v1alpha1.RequestNameAnnotation] == request.Name })
	switch {
	case i < 0:
		return nil, nil
	case !mayManage(c.Principal, &keys[i]):
		return nil, problem.KeyReused()
	}
	return &keys[i], nil
}

// store makes and stores the key of a request. Of requests at the same time with one Idempotency-Key, one makes a key: they meet at a
// record, whose uid makes the id. The record is deleted with the answer, so that a key that is made again after its revocation has another
// id: nothing that knows the id of the earlier one, such as the by of a decision, means the later one.
func (s *service) store(
	ctx context.Context, c *operation.Call, request operation.Request, spec v1alpha1.APIKeySpec,
) (*v1alpha1.APIKey, credential.Credential, error) {
	var (
		name   string
		record *operation.Record
	)
	if request.Hash != "" {
		var err error
		if record, err = s.BeginRecord(ctx, s.SystemNamespace, request); err != nil {
			return nil, credential.Credential{}, err
		}
		// A request that ended meanwhile has deleted its record after it has made a key.
		if made, err := s.madeBy(ctx, c, request); made != nil || err != nil {
			return made, credential.Credential{}, cmp.Or(err, errMade)
		}
		name = string(record.Stored.UID)
	}
	key, made, err := access.NewKey(s.cell, name, spec, rand.Reader)
	if err != nil {
		return nil, credential.Credential{}, err
	}
	key.Spec.CreatedByRef = c.Principal.Creator()
	request.Mark(&key.ObjectMeta)
	if request.Hash != "" {
		key.Annotations[v1alpha1.RequestNameAnnotation] = request.Name
	}
	err = s.Client.Create(ctx, key)
	switch {
	case record == nil:
	case err == nil:
		record.Forget(ctx)
	default:
		record.Abandon(ctx, err)
	}
	if err != nil {
		return nil, credential.Credential{}, err
	}
	return key, made, nil
}

// LogEntry names the key for the log.
func (out *CreateOutput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Object: out.Body.ID}
}
