package page_test

import (
	"encoding/json"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

func TestABodyHasTheMembersOfAForm(t *testing.T) {
	body, err := page.BodyOf[restarticle.UpdateArticleRequest](map[string]any{"title": "Trail shoes", "tags": []string{}, "image": nil, "tone": ""})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"title":"Trail shoes","tags":[],"image":null,"tone":""}`
	if got, err := json.Marshal(body); err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := page.BodyOf[restarticle.UpdateArticleRequest](map[string]any{"titel": "Trail shoes"}); err == nil {
		t.Error("a member that the body does not have is dropped")
	}
}
