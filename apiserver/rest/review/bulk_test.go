package review

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestWhatCanBeDoneWithAnArticleCanBeDoneWithMany(t *testing.T) {
	field, _ := reflect.TypeFor[BulkRequest]().FieldByName("Operation")
	got := strings.Split(field.Tag.Get("enum"), ",")
	var want []string
	for _, action := range lifecycle.Actions(&v1alpha1.Article{}, nil, time.Time{}) {
		// Each article has a text of its own.
		if action.Name != lifecycle.ActionEdit {
			want = append(want, string(action.Name))
		}
	}
	for _, name := range got {
		if itemOperations[lifecycle.ActionName(name)] == "" {
			t.Errorf("the log has no name for %s", name)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("bulk-articles does %v, want %v", got, want)
	}
}
