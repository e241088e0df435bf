// Command agent creates an article over /mcp and puts it up for review.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// keyed sends an API key, or the access token of an app, with each request.
type keyed string

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(k))
	return http.DefaultTransport.RoundTrip(r)
}

// call reads what a tool answers. An error is that of the REST API.
func call(ctx context.Context, session *mcp.ClientSession, tool string, arguments map[string]any, into any) error {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err
	}
	if len(result.Content) == 0 {
		return fmt.Errorf("%s answers nothing", tool)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	switch {
	case !ok:
		return fmt.Errorf("%s answers without a text", tool)
	case result.IsError:
		return errors.New(text.Text)
	default:
		return json.Unmarshal([]byte(text.Text), into)
	}
}

func run(ctx context.Context) (err error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "newsletter", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint:   os.Getenv("PRESSROOM_URL") + "/mcp",
		HTTPClient: &http.Client{Transport: keyed(os.Getenv("PRESSROOM_API_KEY"))},
		// Pressroom answers each request by itself and sends nothing else.
		DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	var who struct{ Name string }
	var sites struct{ Data []struct{ UID string } }
	var article struct{ UID string }
	if err := call(ctx, session, "whoami", nil, &who); err != nil {
		return err
	}
	if err := call(ctx, session, "list_sites", nil, &sites); err != nil {
		return err
	}
	if len(sites.Data) == 0 {
		return errors.New("the workspace has no site")
	}
	arguments := map[string]any{
		"site_uid": sites.Data[0].UID, "title": "Huts that are open", "content_markdown": "Two huts are open in winter.",
	}
	if err := call(ctx, session, "create_article", arguments, &article); err != nil {
		return err
	}
	if err := call(ctx, session, "submit_article", map[string]any{"uid": article.UID}, &article); err != nil {
		return err
	}
	fmt.Printf("%s has put %s up for review\n", who.Name, article.UID)
	return nil
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
