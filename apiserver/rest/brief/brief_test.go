package brief_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/brief"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

var aSource = v1alpha1.BriefSpec{
	Instructions: "Short.", Facts: []string{"a"}, Sources: []v1alpha1.BriefSource{{Name: "survey", Title: "Survey", Text: "The whole text."}},
}

func uidOf(name string) string {
	return identity.UID(identity.KindBrief, operationtest.Workspace, name)
}

func TestBriefsAreListedByNameWithoutTheirTexts(t *testing.T) {
	api := operationtest.New(t)
	api.Brief("winter", v1alpha1.BriefSpec{Facts: []string{"b"}})
	api.Brief("trail", aSource)
	var page brief.BriefPage
	got := api.Do(operationtest.Request{Path: briefsPath, Key: operationtest.ReadOnlyKey})
	api.Into(operationtest.Request{Path: briefsPath}, &page)
	if len(page.Data) != 2 || page.Data[0].Name != "trail" || page.Data[0].UID != uidOf("trail") || page.Data[0].SourceTitles[0] != "Survey" || page.HasMore {
		t.Errorf("the list is %+v", page)
	}
	if got.Status != http.StatusOK || strings.Contains(got.Raw, "The whole text.") {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
	for query, field := range map[string]string{"?limit=21": "limit", "?limit=0": "limit", "?page=2": "page"} {
		operationtest.WantFields(t, api.Do(operationtest.Request{Path: briefsPath + query}), field)
	}
}

func TestABriefIsFoundByItsUID(t *testing.T) {
	api := operationtest.New(t)
	api.Brief("trail", aSource)
	var out brief.BriefAnswer
	api.Into(operationtest.Request{Path: briefsPath + "/" + strings.ToUpper(uidOf("trail")), Key: operationtest.ReadOnlyKey}, &out)
	if out.Name != "trail" || out.Sources[0].Text != "The whole text." || out.Facts[0] != "a" {
		t.Errorf("got %+v", out)
	}
	for _, uid := range []string{operationtest.AnyUID, "trail", "x"} {
		operationtest.WantFailure(t, api.Do(operationtest.Request{Path: briefsPath + "/" + uid}), http.StatusNotFound, problem.CodeNotFound)
	}
	other := operationtest.Request{Path: briefsPath + "/" + uidOf("trail"), Key: "rivals", Workspace: operationtest.OtherWorkspace}
	operationtest.WantFailure(t, api.Do(other), http.StatusNotFound, problem.CodeNotFound)
}

func TestBriefsNeedTheirScopes(t *testing.T) {
	api := operationtest.New(t)
	api.Brief("trail", aSource)
	one := briefsPath + "/" + uidOf("trail")
	for _, r := range []operationtest.Request{
		create(`{"facts":["a"]}`), {Method: http.MethodPatch, Path: one, Body: `{}`}, {Method: http.MethodDelete, Path: one},
	} {
		r.Key = operationtest.ReadOnlyKey
		operationtest.WantFailure(t, api.Do(r), http.StatusForbidden, problem.CodeInsufficientScope)
	}
	for _, path := range []string{briefsPath, one} {
		operationtest.WantFailure(t, api.Do(operationtest.Request{Path: path, Key: operationtest.ScopelessKey}), http.StatusForbidden, problem.CodeInsufficientScope)
	}
}

func TestABriefIsChangedInPart(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		want v1alpha1.BriefSpec
	}{
		"nothing":      {`{}`, aSource},
		"instructions": {`{"instructions":"Long."}`, v1alpha1.BriefSpec{Instructions: "Long.", Facts: aSource.Facts, Sources: aSource.Sources}},
		"null":         {`{"facts":null}`, v1alpha1.BriefSpec{Instructions: "Short.", Sources: aSource.Sources}},
		"sources": {`{"sources":[{"name":"b","title":"B","text":"y"}]}`, v1alpha1.BriefSpec{
			Instructions: "Short.", Facts: aSource.Facts, Sources: []v1alpha1.BriefSource{{Name: "b", Title: "B", Text: "y"}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.New(t)
			api.Brief("trail", *aSource.DeepCopy())
			api.Into(operationtest.Request{Method: http.MethodPatch, Path: briefsPath + "/" + uidOf("trail"), Body: tt.body}, nil)
			got := stored(t, api, "trail").Spec
			if got.Instructions != tt.want.Instructions || strings.Join(got.Facts, ",") != strings.Join(tt.want.Facts, ",") ||
				len(got.Sources) != len(tt.want.Sources) || got.Sources[0] != tt.want.Sources[0] {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestAChangeThatCannotBeIsRefused(t *testing.T) {
	api := operationtest.New(t)
	api.Brief("trail", *aSource.DeepCopy())
	change := func(body string) operationtest.Request {
		return operationtest.Request{Method: http.MethodPatch, Path: briefsPath + "/" + uidOf("trail"), Body: body}
	}
	operationtest.WantFields(t, api.Do(change(`{"instructions":null,"facts":[],"sources":null}`)), "instructions")
	operationtest.WantFields(t, api.Do(change(`{"name":"other"}`)), "name")
	operationtest.WantFields(t, api.Do(change(`{"sources":[{"name":"a","title":"A","text":"x"},{"name":"a","title":"A","text":"x"}]}`)), "sources[1].name")
	if got := stored(t, api, "trail").Spec; got.Instructions != "Short." {
		t.Errorf("it was changed to %+v", got)
	}
}

func TestNobodyOverwritesABriefThatTheyHaveNotRead(t *testing.T) {
	api := operationtest.New(t)
	b := api.Brief("trail", *aSource.DeepCopy())
	one := operationtest.Request{Path: briefsPath + "/" + uidOf("trail")}
	tag := api.Do(one).Header.Get("ETag")
	changed := b.DeepCopy()
	changed.Generation, changed.Spec.Instructions = 2, "Another."
	api.Objects.Add(changed)
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		r := operationtest.Request{Method: method, Path: one.Path, Header: map[string]string{"If-Match": tag}}
		if method == http.MethodPatch {
			r.Body = `{"facts":["b"]}`
		}
		operationtest.WantFailure(t, api.Do(r), http.StatusPreconditionFailed, problem.CodePreconditionFailed)
		r.Header = map[string]string{"If-Match": api.Do(one).Header.Get("ETag")}
		if got := api.Do(r); got.Status >= http.StatusBadRequest {
			t.Errorf("%s with the present tag: got %d: %s", method, got.Status, got.Raw)
		}
	}
	operationtest.WantFailure(t, api.Do(one), http.StatusNotFound, problem.CodeNotFound)
}
