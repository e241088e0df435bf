package webflow

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// item is an item of a collection.
type item struct {
	ID          string         `json:"id"`
	IsDraft     bool           `json:"isDraft"`
	IsArchived  bool           `json:"isArchived"`
	CreatedOn   time.Time      `json:"createdOn"`
	LastUpdated time.Time      `json:"lastUpdated"`
	FieldData   map[string]any `json:"fieldData"`
}

// text returns a field that has a text.
func (i item) text(name string) string {
	text, _ := i.FieldData[name].(string)
	return text
}

func (i item) slug() string { return i.text("slug") }

// described returns an item as the decision about it needs it. The fields that are sent are compared.
func (s session) described(i item, where place, data map[string]any) cms.Found {
	fields, optional := map[string]any{"draft": i.IsDraft, "archived": i.IsArchived}, map[string]cms.Optional{}
	for _, name := range s.optional() {
		_, written := data[name]
		value := compared(i.FieldData[name])
		optional["field "+name] = cms.Optional{Value: value, Blank: value == nil || value == "", Written: written}
	}
	for name := range data {
		if _, chosen := optional["field "+name]; !chosen && i.text(name) != "" {
			fields["field "+name] = i.text(name)
		}
	}
	found := cms.Found{
		Post:  cms.Post{ID: i.ID, URL: where.url(i.slug()), Slug: i.slug()},
		Title: i.text("name"), Created: i.CreatedOn, Modified: i.LastUpdated,
	}
	found.Identify(fields, optional)
	return found
}

// compared is what is compared of a field. Webflow copies an image to an address of its own, so that is the alternative text.
func compared(value any) any {
	if image, ok := value.(map[string]any); ok {
		return fmt.Sprint("image: ", image["alt"])
	}
	return value
}

// optional are the fields that are sent only of articles that have their part.
func (s session) optional() []string {
	fields := s.settings.Fields
	names := []string{fields.Tags, fields.Category, fields.Author, fields.Image}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// refer replaces the name of an author by the id of the item that a reference leads to.
func (s session) refer(site *v1alpha1.Site, where place, a publish.Article, data map[string]any) error {
	name := s.settings.Fields.Author
	isReference := func(f field) bool { return f.Slug == name && f.Type == reference }
	if data[name] == nil || !slices.ContainsFunc(where.fields, isReference) {
		return nil
	}
	author := site.Author(a.Author)
	if author == nil || author.ExternalID == "" {
		return cms.Fail(v1alpha1.ErrorInvalidContent, "fields.author is a reference: give the author of the Site an externalID")
	}
	data[name] = author.ExternalID
	return nil
}

// staged is the body of a creation or an update. Neither a draft nor an archived item would go live.
type staged struct {
	IsDraft    bool           `json:"isDraft"`
	IsArchived bool           `json:"isArchived"`
	FieldData  map[string]any `json:"fieldData"`
}

// save writes the item of an article, or creates one. Beside an error, it returns an item that it found.
func (s session) save(ctx context.Context, t publish.Target, a publish.Article, where place, data map[string]any) (item, error) {
	items, err := s.find(ctx, a)
	if err != nil {
		return item{}, err
	}
	describe := func(i item) cms.Found { return s.described(i, where, data) }
	chosen, err := cms.Choose(s.client, t.Site, a, item{FieldData: data}, items, describe)
	switch {
	case err != nil:
		return item{}, err
	case chosen != nil:
		return s.update(ctx, chosen.ID, data)
	}
	made, err := s.create(ctx, data)
	if e, ok := asAPIError(err); ok && e.duplicate && !a.Recorded.Attempted.IsZero() {
		// The list lags behind creations: the item may be that of an earlier attempt.
		return item{}, cms.Fail(v1alpha1.ErrorUnavailable, "Webflow has an item with this slug and does not list it yet")
	} else if ok && e.duplicate {
		return item{}, cms.SlugTaken("")
	}
	return made, err
}

var itemID = regexp.MustCompile(`^[0-9a-f]{24}$`)

// find returns the items with the slug of an article, and behind them that of an earlier attempt.
func (s session) find(ctx context.Context, a publish.Article) ([]item, error) {
	var list struct {
		Items []item `json:"items"`
	}
	if err := s.call(ctx, http.MethodGet, s.itemsPath()+"?limit=100&slug="+url.QueryEscape(a.Slug), nil, &list); err != nil {
		return nil, err
	}
	items := slices.DeleteFunc(list.Items, func(i item) bool { return i.slug() != a.Slug })
	// Another CMS, which the Site had before, has ids of another form.
	if !itemID.MatchString(a.ExternalID) || slices.ContainsFunc(items, func(i item) bool { return i.ID == a.ExternalID }) {
		return items, nil
	}
	var known item
	err := s.call(ctx, http.MethodGet, s.itemsPath()+"/"+a.ExternalID, nil, &known)
	if e, ok := asAPIError(err); ok && e.status == http.StatusNotFound {
		return items, nil
	}
	return append(items, known), err
}

func (s session) create(ctx context.Context, data map[string]any) (item, error) {
	var made item
	if err := s.call(ctx, http.MethodPost, s.itemsPath(), staged{FieldData: data}, &made); err != nil {
		return item{}, err
	}
	return made, complete(made)
}

func (s session) update(ctx context.Context, id string, data map[string]any) (item, error) {
	changed := item{ID: id}
	if err := s.call(ctx, http.MethodPatch, s.itemsPath()+"/"+url.PathEscape(id), staged{FieldData: data}, &changed); err != nil {
		return item{ID: id}, err
	}
	return changed, complete(changed)
}

// complete refuses an answer that does not name the item.
func complete(i item) error {
	if i.ID == "" || i.slug() == "" {
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

// unpublish takes the live item of an article from the site. The staged item becomes a draft.
func (s session) unpublish(ctx context.Context, a publish.Article, where place) (cms.Post, error) {
	items, err := s.find(ctx, a)
	if err != nil {
		return cms.Post{}, err
	}
	data := s.fieldData(a, "")
	// Nothing is written, so a post is known by any of the optional fields that the last attempt wrote.
	for _, name := range s.optional() {
		delete(data, name)
	}
	chosen, err := cms.ToUnpublish(s.client, a, items, func(i item) cms.Found {
		hidden := i.IsDraft
		i.IsDraft = false // That an earlier attempt has made it one is no change by other people.
		f := s.described(i, where, data)
		f.Hidden = hidden
		return f
	})
	if chosen == nil || err != nil {
		return cms.Post{}, err
	}
	path := s.itemsPath() + "/" + url.PathEscape(chosen.ID)
	err = s.call(ctx, http.MethodDelete, path+"/live", nil, nil)
	if e, ok := asAPIError(err); ok && e.status == http.StatusNotFound {
		err = nil // It is not live.
	}
	staged := item{ID: chosen.ID}
	if err == nil {
		err = s.call(ctx, http.MethodGet, path, nil, &staged)
	}
	if err != nil {
		return cms.Post{ID: chosen.ID}, err
	}
	// The next publication may write any of them.
	for _, name := range s.optional() {
		data[name] = staged.FieldData[name]
	}
	return s.described(staged, where, data).Post, complete(staged)
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
