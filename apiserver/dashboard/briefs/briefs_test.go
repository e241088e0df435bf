package briefs_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func uidOf(name string) string {
	return identity.UID(identity.KindBrief, operationtest.Workspace, name)
}

func stored(t *testing.T, p *pagetest.Person, name string) *v1alpha1.Brief {
	t.Helper()
	found := &v1alpha1.Brief{}
	if err := p.API.Objects.Get(t.Context(), client.ObjectKey{Namespace: operationtest.Workspace, Name: name}, found); err != nil {
		t.Fatal(err)
	}
	return found
}

func aBrief() v1alpha1.BriefSpec {
	return v1alpha1.BriefSpec{
		Instructions: "For beginners.", Facts: []string{"42 models.", "Free returns."},
		Sources: []v1alpha1.BriefSource{{Name: "survey", Title: "Survey", URL: "https://example.org/s", Text: "One.\n\nTwo."}, {Name: "memo", Title: "Memo", Text: "x"}},
	}
}

// watched has the index see a brief that is created, as the informer does.
type watched struct {
	client.Client
	api *operationtest.API
}

func (w watched) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	err := w.Client.Create(ctx, o, opts...)
	if b, ok := o.(*v1alpha1.Brief); ok && err == nil {
		w.api.IndexedBrief(b)
	}
	return err
}

const form = "main form.brief-form"

func TestABriefIsMadeOnAForm(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Deps.Client = watched{p.API.Deps.Client, p.API}
	p.Want(p.Get(pagetest.In("briefs")), http.StatusOK, map[string]string{"main": "There is no brief yet"})
	page := p.Get(pagetest.In("briefs", "new"))
	added := p.Forge(page, form, url.Values{
		"name": {"Trail 2026"}, "facts": {"42 models.\r\n\r\nFree returns."}, "row": {"add"},
		"source_name": {"survey"}, "source_title": {"Survey"}, "source_url": {""}, "source_text": {"One."},
	})
	p.Want(added, http.StatusOK, map[string]string{"h1": "New brief", "#source-text-0": "One."})
	if added.Find("[name=source_name]").Length() != 2 || added.Value("#name") != "Trail 2026" {
		t.Fatalf("the form is %s", added.Text(form))
	}
	made := p.Submit(added, form, nil)
	p.Want(made, http.StatusSeeOther, nil)
	b := stored(t, p, "trail-2026").Spec
	if len(b.Facts) != 2 || len(b.Sources) != 1 || b.Sources[0].Text != "One." {
		t.Errorf("it is %+v", b)
	}
	again := p.Forge(p.Get(pagetest.In("briefs", "new")), form, url.Values{"name": {"trail 2026"}, "facts": {"a"}})
	p.Want(again, http.StatusUnprocessableEntity, map[string]string{"#name-problem": "Must be another one", "#facts": "a"})
}

func TestTheFormSaysAtTheFieldWhatMustBe(t *testing.T) {
	p := pagetest.SignIn(t)
	page := p.Get(pagetest.In("briefs", "new"))
	for name, tt := range map[string]struct {
		fields url.Values
		want   map[string]string
	}{
		"nothing":    {url.Values{"name": {"a"}}, map[string]string{"#instructions-problem": "Is required without facts and sources"}},
		"long facts": {url.Values{"name": {"a"}, "facts": {"a\n" + strings.Repeat("x", 501)}}, map[string]string{"#facts-problem": "Line 2: "}},
		"a source": {
			url.Values{"name": {"a"}, "source_name": {"", "A b"}, "source_title": {"", ""}, "source_url": {"", "ftp://a.example"}, "source_text": {"", "x"}},
			map[string]string{"#source-name-0-problem": "lower-case letter", "#source-title-0-problem": "", "#source-url-0-problem": "https", "#source-text-0": "x"},
		},
		"marks that turn direction": {url.Values{"name": {"a"}, "facts": {"\u202e42"}}, map[string]string{"#facts-problem": "direction of writing"}},
	} {
		t.Run(name, func(t *testing.T) {
			p.Want(p.Forge(page, form, tt.fields), http.StatusUnprocessableEntity, tt.want)
		})
	}
}

func TestABriefIsEditedByWhoHasReadIt(t *testing.T) {
	p := pagetest.SignIn(t)
	b := p.API.Brief("trail-2026", aBrief())
	page := p.Get(pagetest.In("briefs", uidOf("trail-2026"), "edit"))
	p.Want(page, http.StatusOK, map[string]string{"#facts": "42 models. Free returns.", "#source-text-0": "One. Two.", "#source-text-1": "x"})
	fewer := p.Forge(page, form, url.Values{"row": {"remove 0"}})
	p.Want(fewer, http.StatusOK, map[string]string{"#source-text-0": "x"})
	changed := b.DeepCopy()
	changed.Generation, changed.Spec.Instructions = 2, "For experts."
	p.API.Objects.Add(changed)
	refused := p.Submit(fewer, form, url.Values{"facts": {"43 models."}})
	p.Want(refused, http.StatusUnprocessableEntity, map[string]string{"main .problem": "Somebody has changed the brief", "#facts": "43 models."})
	p.Want(p.Submit(refused, form, nil), http.StatusSeeOther, nil)
	if got := stored(t, p, "trail-2026").Spec; len(got.Sources) != 1 || got.Sources[0].Name != "memo" || got.Facts[0] != "43 models." || got.Instructions != "For beginners." {
		t.Errorf("it is %+v", got)
	}
}

func TestWhoMayOnlyReadSeesNoForms(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead)
	p.API.Brief("trail-2026", aBrief())
	list := p.Get(pagetest.In("briefs"))
	p.Want(list, http.StatusOK, map[string]string{"tbody": "2 facts, 2 sources, instructions"})
	one := p.Get(pagetest.In("briefs", uidOf("trail-2026")))
	p.Want(one, http.StatusOK, map[string]string{"h1": "Brief trail-2026", "#source-survey": "Survey"})
	for name, page := range map[string]*pagetest.Page{"list": list, "brief": one} {
		if n := page.Find("main form, main a[href$='/edit'], main a[href$='/new']").Length(); n > 0 {
			t.Errorf("the page of the %s has %d forms and links to forms", name, n)
		}
	}
	for _, path := range []string{pagetest.In("briefs", "new"), pagetest.In("briefs", uidOf("trail-2026"), "edit")} {
		if got := p.Get(path); got.Status != http.StatusForbidden {
			t.Errorf("%s: got %d", path, got.Status)
		}
	}
}

func TestABriefIsDeleted(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", aBrief())
	p.Want(p.Submit(p.Get(pagetest.In("briefs", uidOf("trail-2026"))), "main form[action$='/delete']", nil), http.StatusSeeOther, nil)
	p.Want(p.Get(pagetest.In("briefs", operationtest.AnyUID)), http.StatusNotFound, nil)
}

func TestABriefIsChosenForNewArticlesAndForSites(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", aBrief())
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{}
	made := p.Submit(p.Get(pagetest.In("articles", "new")), "main form", url.Values{"keywords": {"trail shoes"}, "brief": {uidOf("trail-2026")}, "instructions": {"Short."}})
	p.Want(made, http.StatusSeeOther, nil)
	for _, a := range p.API.Objects.Articles {
		if g := a.Spec.Generate; g.BriefRef == nil || g.BriefRef.Name != "trail-2026" || g.Instructions != "Short." {
			t.Errorf("it asks for %+v", g)
		}
	}
	p.API.Objects.Add(p.API.Site(operationtest.Workspace, operationtest.SiteUID))
	edit := p.Get(pagetest.In("sites", operationtest.SiteUID, "edit"))
	saved := p.Submit(edit, "form[action$='/edit']", url.Values{"brief_uid": {uidOf("trail-2026")}, "citations": {"none"}})
	p.Want(saved, http.StatusSeeOther, nil)
	site := &v1alpha1.Site{}
	if err := p.API.Objects.Get(t.Context(), client.ObjectKey{Namespace: operationtest.Workspace, Name: operationtest.SiteUID}, site); err != nil {
		t.Fatal(err)
	}
	if site.Spec.BriefRef == nil || site.Spec.BriefRef.Name != "trail-2026" || site.Spec.Publishing.Citations != v1alpha1.CitationNone {
		t.Errorf("the site has %+v and %q", site.Spec.BriefRef, site.Spec.Publishing.Citations)
	}
}
