package rest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/apikey"
)

var noTime metav1.Time

// MakeKeyRequest is a new API key.
type MakeKeyRequest struct {
	Name       string     `json:"name" minLength:"1" maxLength:"200" doc:"Who or what uses it." example:"newsletter tool"`
	Scopes     []string   `json:"scopes" minItems:"1" maxItems:"4" uniqueItems:"true" enum:"read,write,approve,manage" doc:"Each must be one of your own." example:"read,write"`
	Workspaces []string   `json:"workspaces,omitempty" maxItems:"100" uniqueItems:"true" minLength:"1" maxLength:"63" doc:"Workspaces that it is limited to, each one that you may use; all that you may use if absent."`
	ExpiresAt  *time.Time `json:"expires_at,omitempty" doc:"When it stops working, not after your own credential, which is the default."`
}

// MakeKeyInput is the input of create-key.
type MakeKeyInput struct {
	Idempotent
	Body MakeKeyRequest
}

// MadeKey is a key with the whole of it, which is shown this once.
type MadeKey struct {
	Envelope
	Key
	Secret string `json:"secret" doc:"The key, for the header x-api-key. It is shown this once."`
}

// MadeKeyOutput is the answer of create-key. It contains a secret, so it is never cached.
type MadeKeyOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         MadeKey
}

// Resolve checks what the schema cannot express: nobody makes a key that has more than they have themselves.
func (in *MakeKeyInput) Resolve(ctx huma.Context) []error {
	c, errs := callOf(ctx.Context()), emptyKey(ctx)
	refuse := func(field, format string, args ...any) {
		errs = append(errs, &huma.ErrorDetail{Location: "body." + field, Message: fmt.Sprintf(format, args...)})
	}
	own := scopeNames(auth.SortScopes(c.principal.Scopes))
	for i, scope := range in.Body.Scopes {
		if !slices.Contains(own, scope) {
			refuse(fmt.Sprintf("scopes[%d]", i), "must be one of your own: %s", strings.Join(own, ", "))
		}
	}
	for i, w := range in.Body.Workspaces {
		if !c.opens(w) {
			refuse(fmt.Sprintf("workspaces[%d]", i), "must be a workspace that you may use")
		}
	}
	if at, most := in.Body.ExpiresAt, c.principal.ExpiresAt; at != nil {
		switch {
		case !at.After(c.service.Clock.Now()):
			refuse("expires_at", "must be in the future")
		case !most.IsZero() && at.After(most):
			refuse("expires_at", "must not be after %s, when your own credential ends", most.UTC().Format(time.RFC3339))
		}
	}
	return errs
}

func (s *service) registerKeysNew() {
	op := s.operation(http.MethodPost, keysPath, "create-key", creating...)
	op.Summary = "Make an API key"
	op.Description = "Makes a key with at most your own scopes, workspaces and end. Only this answer shows it."
	op.DefaultStatus = http.StatusCreated
	handle(s.group(tagAccount, v1alpha1.ScopeManage), op, s.makeKey)
}

// spec returns what a key allows that somebody makes: by default as much as they have themselves, but for the scopes.
func (r *MakeKeyRequest) spec(p auth.Principal) v1alpha1.APIKeySpec {
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
	if !ends.IsZero() {
		// Whole seconds are what is stored; rounding up would outlive the maker.
		spec.ExpirationTime = &metav1.Time{Time: ends.UTC().Truncate(time.Second)}
	}
	return spec
}

func (s *service) makeKey(ctx context.Context, c *call, in *MakeKeyInput) (*MadeKeyOutput, error) {
	request, err := in.secretRequest(c, s.SystemNamespace, c.principal.Account, "create-key", in.Body)
	if err != nil {
		return nil, err
	}
	spec := in.Body.spec(c.principal)
	return secretOperation[*MadeKeyOutput]{
		request: request,
		room:    func(ctx context.Context) error { return s.roomForKey(ctx, c) },
		object: func(random io.Reader) (string, error) {
			key, _, err := apikey.New(s.Cell, spec, random)
			if err != nil {
				return "", err
			}
			return key.Name, nil
		},
		do: func(ctx context.Context, random io.Reader) (*MadeKeyOutput, types.UID, error) {
			return s.createKey(ctx, c, spec, random)
		},
		again: func(ctx context.Context, random io.Reader) (*MadeKeyOutput, error) {
			key, made, err := apikey.New(s.Cell, spec, random)
			if err != nil {
				return nil, err
			}
			found, err := s.key(ctx, key.Name)
			if err != nil {
				return nil, goneProblem(err, subjectKey)
			}
			return madeKeyOutput(found, made.Reveal(), c.principal.Name, s.Clock.Now()), nil
		},
		undo: func(ctx context.Context, out *MadeKeyOutput) error {
			_, err := s.revokeKey(ctx, c, &OnKey{ID: out.Body.ID})
			return err
		},
	}.run(ctx, s)
}

// createKey creates a key. One that an interrupted call with the same bytes has created stays.
func (s *service) createKey(
	ctx context.Context, c *call, spec v1alpha1.APIKeySpec, random io.Reader,
) (*MadeKeyOutput, types.UID, error) {
	key, made, err := apikey.New(s.Cell, spec, random)
	if err != nil {
		return nil, "", err
	}
	key.Spec.CreatedByRef = c.principal.Creator()
	limited, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	err = s.Client.Create(limited, key)
	if apierrors.IsAlreadyExists(err) {
		// The name is as random as the secret.
		key, err = s.key(ctx, key.Name)
	}
	if err != nil {
		return nil, "", aboutKey(err)
	}
	return madeKeyOutput(key, made.Reveal(), c.principal.Name, s.Clock.Now()), key.UID, nil
}

func (out *MadeKeyOutput) recorded() operationRecord { return operationRecord{object: out.Body.ID} }

func madeKeyOutput(key *v1alpha1.APIKey, secret, createdBy string, now time.Time) *MadeKeyOutput {
	return &MadeKeyOutput{
		CacheControl: "no-store", Body: MadeKey{Envelope: succeeded, Key: presentKey(key, createdBy, now), Secret: secret},
	}
}

// roomForKey returns an APIError if the account may not have another API key.
func (s *service) roomForKey(ctx context.Context, c *call) error {
	limits, err := s.limitsOf(ctx, c)
	if err != nil {
		return err
	}
	keys, err := s.keysOf(ctx, c.principal.Account)
	if err != nil {
		return err
	}
	if most := limits.MostAPIKeys(); int64(len(keys)) >= most {
		return problem.LimitReached("apiKeys", "API keys", most)
	}
	return nil
}
