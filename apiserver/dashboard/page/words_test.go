package page_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

func TestAKeyThatIsNamedLikeAPersonIsShownAsAKey(t *testing.T) {
	for by, want := range map[string]string{
		"ceo@acme.example": "ceo@acme.example",
		"ceo@acme.example (api-key:aa3kq2vxw5ntb6ha)": "ceo@acme.example, key aa3k",
		"Mara (api-key:1) (api-key:bb3kq2vxw5ntb6ha)": "Mara (api-key:1), key bb3k",
		"api-key:aa3kq2vxw5ntb6ha (app Newsletter)":   "api-key:aa3kq2vxw5ntb6ha (app Newsletter)",
	} {
		if got := page.Who(by); got != want {
			t.Errorf("%s is shown as %s, want %s", by, got, want)
		}
	}
}
