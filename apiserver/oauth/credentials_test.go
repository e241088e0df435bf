package oauth_test

import (
	"context"
	"errors"

	"golang.org/x/oauth2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func newSecret() string { return testkit.NewCredential(credential.ClientSecret).Reveal() }

func newCode() string { return testkit.NewCredential(credential.AuthorizationCode).Reveal() }

// forged returns a credential with the id of another and a secret of its own.
func forged(of string) string {
	c, err := credential.Parse(of)
	if err != nil {
		panic(err)
	}
	other := testkit.NewCredential(c.Type)
	other.ID = c.ID
	return other.Reveal()
}

// retyped returns a credential that says it is for something else.
func retyped(of string, t credential.Type) string {
	c, err := credential.Parse(of)
	if err != nil {
		panic(err)
	}
	c.Type = t
	return c.Reveal()
}

// absent is a kube-apiserver that does not answer.
type absent struct{ client.Client }

func (absent) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return errors.New("connection refused")
}

// newCutOffReplica returns a replica that does not reach kube-apiserver.
func newCutOffReplica() *replica { return newReplica(testkit.Blind{}, withClient(absent{api})) }

// proof returns a code verifier and its challenge.
func proof() (verifier, challenge string) {
	verifier = oauth2.GenerateVerifier()
	return verifier, oauth2.S256ChallengeFromVerifier(verifier)
}

func keyOf(a registered) client.ObjectKey { return client.ObjectKeyFromObject(a.OAuthClient) }
