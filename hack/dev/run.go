package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

func newRunCommand() *cobra.Command {
	o := &options{ports: ports.Default()}
	// A flag overrides the environment.
	envErr := o.ports.FromEnvironment(os.LookupEnv)
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Start everything, say how to use it, and stay until Ctrl-C",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if envErr != nil {
				return envErr
			}
			return o.start(cmd, func(ctx context.Context, s *system.System) error { return o.stay(ctx, cmd.OutOrStdout(), s) })
		},
	}
	o.declare(cmd)
	cmd.Flags().StringVar(&o.data, "data", "", "folder for data, certificates and logs (default .pressroom in the root)")
	o.ports.Flags(cmd.Flags())
	return cmd
}

// stay keeps the system running until the person interrupts it, or a part of it ends by itself.
func (o *options) stay(ctx context.Context, w io.Writer, s *system.System) error {
	s.AwaitSample(ctx)
	if err := welcome.Execute(w, s); err != nil {
		return fmt.Errorf("printing the instructions: %w", err)
	}
	select {
	case <-ctx.Done():
		return nil
	case p := <-s.Group.Failed():
		return p.Err()
	}
}

var welcome = template.Must(template.New("welcome").Funcs(template.FuncMap{
	"workspace": func() string { return system.Workspace },
}).Parse(`
Pressroom is up.

  Dashboard   {{.SignInLink}}
              (signs you in once; later {{.APIURL}}, with the API key)
  REST API    {{.APIURL}}   (reference {{.APIURL}}/docs, OpenAPI {{.APIURL}}/openapi.json)
  API key     {{.APIKey}}
  workspace   {{workspace}}
  receiver    {{.ReceiverURL}}
  apps        {{.APIURL}}/oauth/apps   (which apps have access; sign in with the API key)
  the same as shell variables, with KUBECONFIG: {{.EnvFile}}
  logs        {{.Folder.Path "logs"}}

Open the dashboard in a browser, or try the same in another terminal, after

  . {{.EnvFile}}; export PATH="{{.KubectlFolder}}:$PATH"

1. Ask for an article:

  curl -s $PRESSROOM_URL/v1/api/generate -H "x-api-key: $PRESSROOM_API_KEY" -H "x-workspace-id: $PRESSROOM_WORKSPACE" \
    -H 'Content-Type: application/json' -d '{"site_uid": "{{.SiteUID}}", "keyword": "trail running shoes"}'

2. See it wait for review:

  kubectl get articles -n $PRESSROOM_WORKSPACE

3. Approve what you have seen, by its digest, and publish it:

  name=$(kubectl get articles -n $PRESSROOM_WORKSPACE --field-selector status.phase=Review -o jsonpath='{.items[0].metadata.name}')
  digest=$(kubectl get article -n $PRESSROOM_WORKSPACE $name -o jsonpath='{.status.revision.digest}')
  kubectl patch article -n $PRESSROOM_WORKSPACE $name --type merge -p \
    "{\"spec\": {\"stage\": \"Published\", \"review\": {\"decision\": \"Approved\", \"digest\": \"$digest\", \"by\": \"admin\"}}}"

4. Look at what the receiver got, here or in a browser at {{.ReceiverURL}}:

  curl -s $PRESSROOM_RECEIVER_URL/posts

Ctrl-C stops everything; the data stays in {{.Folder.Path}}.

`))
