// Package credentials has the commands that create and revoke API keys. Both programs that people run have them: pressroom, and the
// plugin for kubectl.
package credentials

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// requestTimeout bounds one request to kube-apiserver: a person waits for the command.
const requestTimeout = 30 * time.Second

// Source is how commands reach the cluster, and where new keys get their time.
type Source struct {
	// Config returns how to reach kube-apiserver, by the flags of a command.
	Config func(*cobra.Command) (*rest.Config, error)
	Clock  clock.PassiveClock
}

// NewKeysCommands returns the commands `create`, `revoke` and `made` of API keys.
func NewKeysCommands(s Source) []*cobra.Command {
	return []*cobra.Command{newCreateCommand(s), newRevokeCommand(s), newMadeCommand(s)}
}

// Open connects a command to the cluster.
func (s Source) Open(cmd *cobra.Command) (client.Client, error) {
	config, err := s.Config(cmd)
	if err != nil {
		return nil, err
	}
	config.Timeout = requestTimeout
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("connecting to kube-apiserver: %w", err)
	}
	return c, nil
}

// Account returns the account that a flag names.
func Account(cmd *cobra.Command, store client.Client, name string) (*v1alpha1.Account, error) {
	account := &v1alpha1.Account{}
	err := store.Get(cmd.Context(), client.ObjectKey{Name: name}, account)
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("there is no account %q", name)
	}
	if err != nil {
		return nil, fmt.Errorf("looking for the account: %w", err)
	}
	return account, nil
}

// AddCell adds the flag of what makes credentials.
func AddCell(flags *pflag.FlagSet, cell *credential.Cell) {
	*cell = credential.DefaultCell
	flags.Var(cell, "cell", "code of the installation, two characters of a-z and 2-7, with which the ids of its credentials begin")
}

// errUsage is wrapped by errors about flags and arguments.
var errUsage = errors.New("see --help")

// Usage returns an error about a flag or an argument.
func Usage(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), errUsage)
}

// Notify prints a message for the person on stderr; stdout is for programs.
func Notify(cmd *cobra.Command, format string, args ...any) error {
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), format, args...)
	return err
}
