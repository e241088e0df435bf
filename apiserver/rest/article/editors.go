package article

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/presence"
)

// Editing is who else has the editor of an article open.
type Editing struct {
	operation.Unlisted

	// Editors are their names, as reviews have them.
	Editors []string
}

// OpenEditor says that the caller has the editor of an article open, and answers who else has. It changes nothing of the article, and is
// not logged: an open editor calls it again and again.
var OpenEditor = operation.Operation[OnArticle, operation.Output[Editing]]{
	ID: "open-editor", Method: http.MethodPost, Path: articlePath + "/editors", Tag: operation.TagArticles, Scope: v1alpha1.ScopeWrite,
	Unlisted: true, WritesNothing: true,
}

// openEditor records the caller in the article, so that all replicas know, at most once in presence.Pause. The editor opens even if that
// fails.
func (s *Articles) openEditor(ctx context.Context, c *operation.Call, in *OnArticle) (*operation.Output[Editing], error) {
	found, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	a := found.Object
	if changes := presence.See(a.Annotations, c.Principal.Actor(), c.Principal.Name, s.Clock.Now()); changes != nil {
		if err := s.annotate(ctx, c, a, changes); err != nil {
			s.Log.Info("who has an editor open was not recorded", "article", client.ObjectKeyFromObject(a), "error", err.Error())
		}
	}
	return operation.Answer(Editing{Editors: s.editors(c, a)}), nil
}

// annotate changes annotations of an article. Nothing is overwritten that somebody else writes at the same time.
func (s *Articles) annotate(ctx context.Context, c *operation.Call, a *v1alpha1.Article, changes map[string]*string) error {
	// etcd keeps another state of the whole article.
	if err := c.TakeBytes(ctx, operation.ObjectBytes+lifecycle.TextBytes(a)); err != nil {
		return err
	}
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": a.UID, "annotations": changes}})
	if err != nil {
		return fmt.Errorf("writing a patch: %w", err)
	}
	target := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: a.Name}}
	return s.Client.Patch(ctx, target, client.RawPatch(types.MergePatchType, data), client.FieldOwner(lifecycle.PresenceManager))
}

// editors returns who else has the editor of an article open.
func (s *Articles) editors(c *operation.Call, a *v1alpha1.Article) []string {
	others := presence.Of(a.Annotations, c.Principal.Actor(), s.Clock.Now())
	names := make([]string, 0, len(others))
	for _, e := range others {
		names = append(names, e.Name)
	}
	return names
}
