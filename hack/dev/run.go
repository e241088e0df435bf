package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/template"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// run starts everything, says how to use it, and stays until Ctrl-C.
func run(ctx context.Context) error {
	first, err := firstPort()
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(".pressroom")
	if err != nil {
		return err
	}
	return withSystem(ctx, folder, ports.From(first), func(ctx context.Context, s *system.System) error {
		s.AwaitSample(ctx)
		link, err := s.SignInLink(ctx)
		if err != nil {
			return err
		}
		data := struct {
			*system.System
			Link string
		}{s, link}
		if err := welcome.Execute(os.Stdout, data); err != nil {
			return fmt.Errorf("printing the instructions: %w", err)
		}
		return stay(ctx)
	})
}

var welcome = template.Must(template.New("welcome").Funcs(template.FuncMap{
	"workspace": func() string { return system.Workspace },
}).Parse(`
Pressroom is up.

  Dashboard   {{.Link}}
              (signs you in once; later {{.APIURL}}, with the API key)
  REST API    {{.APIURL}}   (reference {{.APIURL}}/docs, OpenAPI {{.APIURL}}/openapi.json)
  API key     {{.APIKey}}
  workspace   {{workspace}}
  receiver    {{.ReceiverURL}}
  apps        {{.APIURL}}/oauth/apps   (which apps have access; sign in with the API key)
  the same as shell variables, with KUBECONFIG: {{.EnvFile}}
  logs        {{.Folder}}/logs

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
  kubectl patch article -n $PRESSROOM_WORKSPACE $name --field-manager=pressroom-review --type merge -p \
    "{\"spec\": {\"stage\": \"Published\", \"review\": {\"decision\": \"Approved\", \"digest\": \"$digest\", \"by\": \"admin\"}}}"

4. Look at what the receiver got, here or in a browser at {{.ReceiverURL}}:

  curl -s $PRESSROOM_RECEIVER_URL/posts

Ctrl-C stops everything; the data stays in {{.Folder}}.

`))
