package webflow_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	token        = "0123456789abcdef-site-token"
	siteID       = "580e63e98c9a982ac9b8b741"
	collectionID = "580e63fc8c9a982ac9b8b745"
)

// field is a field of a collection.
type field struct {
	ID          string `json:"id"`
	Slug        string `json:"slug"`
	DisplayName string `json:"displayName"`
	Type        string `json:"type"`
	IsRequired  bool   `json:"isRequired"`
	IsEditable  bool   `json:"isEditable"`
}

// item is an item of a collection.
type item struct {
	ID            string         `json:"id"`
	CMSLocaleID   string         `json:"cmsLocaleId"`
	LastPublished *string        `json:"lastPublished"`
	LastUpdated   string         `json:"lastUpdated"`
	CreatedOn     string         `json:"createdOn"`
	IsArchived    bool           `json:"isArchived"`
	IsDraft       bool           `json:"isDraft"`
	FieldData     map[string]any `json:"fieldData"`
}

// fake is Webflow's Data API v2, by the documentation of the calls that Pressroom makes. TestTheOfficialClientGetsThroughTheFake
// proves it with Webflow's own client.
type fake struct {
	mu     sync.Mutex
	scopes []string
	fields []field
	// customDomain of the site; empty if it has none.
	customDomain string
	// listed is the id of the site's only collection.
	listed       string
	staged, live map[string]item
	// created counts the items ever made.
	created int
	// listLags makes the list find nothing, as Webflow's may for some seconds after a creation.
	listLags bool
	// refuse answers a request in place of the fake, if it returns true.
	refuse func(http.ResponseWriter, *http.Request) bool
	// slugs is what becomes of a slug.
	slugs func(string) string
}

func newFake() *fake {
	return &fake{
		scopes: []string{"cms:read", "cms:write", "sites:read"}, customDomain: "www.example.com", listed: collectionID,
		staged: map[string]item{}, live: map[string]item{}, slugs: func(slug string) string { return slug },
		fields: []field{
			{"f1", "name", "Name", "PlainText", true, true},
			{"f2", "slug", "Slug", "PlainText", true, true},
			{"f3", "post-body", "Post Body", "RichText", false, true},
			{"f4", "post-summary", "Post Summary", "PlainText", false, true},
			{"f5", "seo-title", "SEO Title", "PlainText", false, true},
			{"f6", "seo-description", "SEO Description", "PlainText", false, true},
		},
	}
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse != nil && f.refuse(w, r) {
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+token {
		fail(w, http.StatusUnauthorized, "not_authorized", "Request not authorized")
		return
	}
	w.Header().Set("X-RateLimit-Limit", "60")
	w.Header().Set("X-RateLimit-Remaining", "59")
	collection := "/v2/collections/" + collectionID
	path, items := r.URL.Path, collection+"/items"
	switch {
	case path == "/v2/sites/"+siteID && r.Method == http.MethodGet:
		f.withScope(w, "sites:read", f.site)
	case path == collection && r.Method == http.MethodGet:
		f.withScope(w, "cms:read", f.collection)
	case path == "/v2/sites/"+siteID+"/collections" && r.Method == http.MethodGet:
		f.withScope(w, "cms:read", f.collections)
	case path == items && r.Method == http.MethodGet:
		f.withScope(w, "cms:read", func(w http.ResponseWriter) { f.list(w, r) })
	case path == items && r.Method == http.MethodPost:
		f.withScope(w, "cms:write", func(w http.ResponseWriter) { f.create(w, r) })
	case path == items+"/publish" && r.Method == http.MethodPost:
		f.withScope(w, "cms:write", func(w http.ResponseWriter) { f.publish(w, r) })
	case strings.HasPrefix(path, items+"/") && strings.HasSuffix(path, "/live") && r.Method == http.MethodDelete:
		id := strings.TrimSuffix(strings.TrimPrefix(path, items+"/"), "/live")
		f.withScope(w, "cms:write", func(w http.ResponseWriter) { f.unpublish(w, id) })
	case strings.HasPrefix(path, items+"/") && r.Method == http.MethodGet:
		f.withScope(w, "cms:read", func(w http.ResponseWriter) { f.get(w, strings.TrimPrefix(path, items+"/")) })
	case strings.HasPrefix(path, items+"/") && r.Method == http.MethodPatch:
		f.withScope(w, "cms:write", func(w http.ResponseWriter) { f.update(w, r, strings.TrimPrefix(path, items+"/")) })
	default:
		fail(w, http.StatusNotFound, "resource_not_found", "Requested resource not found")
	}
}

func (f *fake) withScope(w http.ResponseWriter, scope string, serve func(http.ResponseWriter)) {
	if !slices.Contains(f.scopes, scope) {
		fail(w, http.StatusForbidden, "missing_scopes", "OAuthForbidden: You are missing the following scopes - "+scope)
		return
	}
	serve(w)
}

func (f *fake) site(w http.ResponseWriter) {
	domains := []any{}
	if f.customDomain != "" {
		domains = append(domains, map[string]any{"id": "589a331aa51e760df7ccb89d", "url": f.customDomain, "lastPublished": "2026-11-01T10:00:00.000Z"})
	}
	answer(w, http.StatusOK, map[string]any{
		"id": siteID, "workspaceId": "580e63e98c9a982ac9b8b740", "displayName": "Acme", "shortName": "acme-blog", "timeZone": "Europe/Zurich",
		"createdOn": "2026-01-01T00:00:00.000Z", "lastUpdated": "2026-11-01T00:00:00.000Z", "lastPublished": "2026-11-01T00:00:00.000Z",
		"previewUrl": "", "customDomains": domains,
	})
}

func (f *fake) collection(w http.ResponseWriter) {
	answer(w, http.StatusOK, map[string]any{
		"id": collectionID, "displayName": "Blog Posts", "singularName": "Blog Post", "slug": "post",
		"createdOn": "2026-01-01T00:00:00.000Z", "lastUpdated": "2026-11-01T00:00:00.000Z", "fields": f.fields,
	})
}

func (f *fake) collections(w http.ResponseWriter) {
	answer(w, http.StatusOK, map[string]any{"collections": []any{map[string]any{
		"id": f.listed, "displayName": "Blog Posts", "singularName": "Blog Post", "slug": "post",
		"createdOn": "2026-01-01T00:00:00.000Z", "lastUpdated": "2026-11-01T00:00:00.000Z",
	}}})
}

func (f *fake) list(w http.ResponseWriter, r *http.Request) {
	found := []item{}
	for _, id := range slices.Sorted(maps.Keys(f.staged)) {
		if slug := r.URL.Query().Get("slug"); !f.listLags && (slug == "" || f.staged[id].FieldData["slug"] == slug) {
			found = append(found, f.staged[id])
		}
	}
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	if limit == 0 {
		limit = 100
	}
	total := len(found)
	answer(w, http.StatusOK, map[string]any{
		"items": found[:min(limit, total)], "pagination": map[string]any{"limit": limit, "offset": 0, "total": total},
	})
}

// stamp is a time as Webflow writes it.
func stamp(later time.Duration) string {
	return time.Now().UTC().Add(later).Format("2006-01-02T15:04:05.000Z")
}

// add puts an item of somebody else into the collection, an hour ago.
func (f *fake) add(data map[string]any) string {
	f.created++
	i := item{ID: fmt.Sprintf("743fd856d66b65281950%04x", f.created), CreatedOn: stamp(-time.Hour), LastUpdated: stamp(-time.Hour), FieldData: data}
	f.staged[i.ID] = i
	return i.ID
}

// edit changes a field of an item, as an editor does.
func (f *fake) edit(id, name, text string) {
	i := f.staged[id]
	i.FieldData = maps.Clone(i.FieldData)
	i.FieldData[name], i.LastUpdated = text, stamp(time.Minute)
	f.staged[id] = i
}

func (f *fake) get(w http.ResponseWriter, id string) {
	if _, err := hex.DecodeString(id); err != nil || len(id) != 24 {
		fail(w, http.StatusBadRequest, "validation_error", "Validation Error: Provided ID is invalid")
		return
	}
	if found, ok := f.staged[id]; ok {
		answer(w, http.StatusOK, found)
		return
	}
	fail(w, http.StatusNotFound, "resource_not_found", "Requested resource not found")
}

// write is the body of a creation and of an update.
type write struct {
	IsArchived *bool          `json:"isArchived"`
	IsDraft    *bool          `json:"isDraft"`
	FieldData  map[string]any `json:"fieldData"`
}

func (f *fake) create(w http.ResponseWriter, r *http.Request) {
	var body write
	if !f.read(w, r, &body) || !f.valid(w, body.FieldData, "", true) {
		return
	}
	f.created++
	now := stamp(0)
	made := item{
		ID: fmt.Sprintf("643fd856d66b65281950%04x", f.created), CMSLocaleID: "653ad57de882f528b32e810e", CreatedOn: now, LastUpdated: now,
		FieldData: body.FieldData,
	}
	made.FieldData["slug"] = f.slugs(body.FieldData["slug"].(string))
	made.IsDraft, made.IsArchived = body.IsDraft != nil && *body.IsDraft, body.IsArchived != nil && *body.IsArchived
	f.staged[made.ID] = made
	copyImages(made.FieldData)
	answer(w, http.StatusAccepted, made)
}

func (f *fake) update(w http.ResponseWriter, r *http.Request, id string) {
	changed, ok := f.staged[id]
	if !ok {
		fail(w, http.StatusNotFound, "resource_not_found", "Requested resource not found")
		return
	}
	var body write
	if !f.read(w, r, &body) || !f.valid(w, body.FieldData, id, false) {
		return
	}
	changed.FieldData = maps.Clone(changed.FieldData)
	maps.Copy(changed.FieldData, body.FieldData)
	copyImages(changed.FieldData)
	if body.IsDraft != nil {
		changed.IsDraft = *body.IsDraft
	}
	if body.IsArchived != nil {
		changed.IsArchived = *body.IsArchived
	}
	changed.LastUpdated = stamp(time.Minute)
	f.staged[id] = changed
	answer(w, http.StatusOK, changed)
}

func (f *fake) publish(w http.ResponseWriter, r *http.Request) {
	var body struct {
		ItemIDs []string `json:"itemIds"`
	}
	if !f.read(w, r, &body) {
		return
	}
	published, problems := []string{}, []string{}
	for _, id := range body.ItemIDs {
		staged, ok := f.staged[id]
		if !ok {
			problems = append(problems, "Staging item ID "+id+" not found.")
			continue
		}
		at := "2026-11-22T10:00:01.000Z"
		staged.LastPublished, staged.IsDraft = &at, false
		f.staged[id], f.live[id] = staged, staged
		published = append(published, id)
	}
	answer(w, http.StatusAccepted, map[string]any{"publishedItemIds": published, "errors": problems})
}

// unpublish takes an item from the site and makes the staged one a draft.
func (f *fake) unpublish(w http.ResponseWriter, id string) {
	if _, ok := f.live[id]; !ok {
		fail(w, http.StatusNotFound, "resource_not_found", "Requested resource not found")
		return
	}
	delete(f.live, id)
	staged := f.staged[id]
	staged.IsDraft, staged.LastUpdated = true, stamp(time.Minute)
	f.staged[id] = staged
	w.WriteHeader(http.StatusNoContent)
}

func (f *fake) read(w http.ResponseWriter, r *http.Request, body any) bool {
	if r.Header.Get("Content-Type") != "application/json" || json.NewDecoder(r.Body).Decode(body) != nil {
		fail(w, http.StatusBadRequest, "bad_request", "Bad Request: Request is malformed")
		return false
	}
	return true
}

// valid answers what Webflow's validation says: unknown fields, missing ones, and slugs that another item has.
func (f *fake) valid(w http.ResponseWriter, data map[string]any, id string, whole bool) bool {
	problems := []any{}
	add := func(param, description string) {
		problems = append(problems, map[string]any{"param": param, "description": description})
	}
	for name := range data {
		if !slices.ContainsFunc(f.fields, func(known field) bool { return known.Slug == name }) {
			add(name, "Field not described in schema: undefined")
		}
	}
	for _, known := range f.fields {
		if _, ok := data[known.Slug]; known.IsRequired && whole && !ok {
			add(known.Slug, "Field '"+known.Slug+"' is required")
		}
	}
	for _, other := range f.staged {
		if slug, ok := data["slug"]; ok && other.ID != id && other.FieldData["slug"] == slug {
			add("slug", "Unique value is already in database: '"+fmt.Sprint(slug)+"'")
		}
	}
	if len(problems) == 0 {
		return true
	}
	answer(w, http.StatusBadRequest, map[string]any{
		"message": "Validation Error", "code": "validation_error", "externalReference": nil, "details": problems,
	})
	return false
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// A client that has gone away is no failure of the fake.
	_ = json.NewEncoder(w).Encode(body)
}

func fail(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, map[string]any{"message": message, "code": code, "externalReference": nil, "details": []any{}})
}

// copyImages gives images the address that Webflow copies them to.
func copyImages(data map[string]any) {
	for name, value := range data {
		if image, ok := value.(map[string]any); ok && image["fileId"] == nil {
			data[name] = map[string]any{
				"fileId": fmt.Sprintf("%024x", len(data)), "from": image["url"], "url": "https://cdn.prod.website-files.com/copy.png", "alt": image["alt"],
			}
		}
	}
}
