package webflow

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// item is an item of a collection.
type item struct {
	ID        string `json:"id"`
	FieldData struct {
		Slug string `json:"slug"`
	} `json:"fieldData"`
}

// staged is the body of a creation or an update. Neither a draft nor an archived item would go live.
type staged struct {
	IsDraft    bool              `json:"isDraft"`
	IsArchived bool              `json:"isArchived"`
	FieldData  map[string]string `json:"fieldData"`
}

// save updates the item of an earlier attempt, else the one with the slug, else creates one. Beside an error, it returns an item that it
// found.
func (s session) save(ctx context.Context, known string, data map[string]string) (item, error) {
	if known != "" {
		saved, err := s.update(ctx, known, data)
		if e, ok := asAPIError(err); !ok || e.status != http.StatusNotFound {
			return saved, err
		}
	}
	found, err := s.find(ctx, data["slug"])
	if err != nil {
		return item{}, err
	}
	if found != "" {
		return s.update(ctx, found, data)
	}
	return s.create(ctx, data)
}

// find returns the id of the item with a slug, or "".
func (s session) find(ctx context.Context, slug string) (string, error) {
	var list struct {
		Items []item `json:"items"`
	}
	if err := s.call(ctx, http.MethodGet, s.itemsPath()+"?limit=100&slug="+url.QueryEscape(slug), nil, &list); err != nil {
		return "", err
	}
	for _, i := range list.Items {
		if i.FieldData.Slug == slug {
			return i.ID, nil
		}
	}
	return "", nil
}

func (s session) create(ctx context.Context, data map[string]string) (item, error) {
	var made item
	if err := s.call(ctx, http.MethodPost, s.itemsPath(), staged{FieldData: data}, &made); err != nil {
		return item{}, err
	}
	return made, complete(made)
}

func (s session) update(ctx context.Context, id string, data map[string]string) (item, error) {
	changed := item{ID: id}
	if err := s.call(ctx, http.MethodPatch, s.itemsPath()+"/"+url.PathEscape(id), staged{FieldData: data}, &changed); err != nil {
		return item{ID: id}, err
	}
	return changed, complete(changed)
}

// complete refuses an answer that does not name the item.
func complete(i item) error {
	if i.ID == "" || i.FieldData.Slug == "" {
		return cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer lacks the id or the slug of the item")
	}
	return nil
}

// publication is the body of a publication, and its answer.
type publication struct {
	ItemIDs   []string `json:"itemIds"`
	Published []string `json:"publishedItemIds,omitempty"`
}

// publish makes the staged item live.
func (s session) publish(ctx context.Context, id string) error {
	var result publication
	if err := s.call(ctx, http.MethodPost, s.itemsPath()+"/publish", publication{ItemIDs: []string{id}}, &result); err != nil {
		return err
	}
	if !slices.Contains(result.Published, id) {
		return cms.Fail(v1alpha1.ErrorUnavailable, "Webflow saved the item and did not publish it: publish the site in Webflow")
	}
	return nil
}

// checkPublishing proves the right to publish by publishing no items: Webflow may refuse that as a bad request, but not as a forbidden
// one.
func (s session) checkPublishing(ctx context.Context) error {
	err := s.call(ctx, http.MethodPost, s.itemsPath()+"/publish", publication{ItemIDs: []string{}}, &publication{})
	if e, ok := asAPIError(err); ok && (e.status == http.StatusBadRequest || e.status == http.StatusConflict) {
		return nil
	}
	return err
}

func asAPIError(err error) (*apiError, bool) { return errors.AsType[*apiError](err) }
