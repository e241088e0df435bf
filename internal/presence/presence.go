// Package presence says who has the editor of an article open, which annotations of the article record (v1alpha1.EditorAnnotation). Each
// person has one of their own, so that people who open it at the same time overwrite nothing of each other. Pure.
package presence

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

const (
	// Life is how long somebody counts as present after they were seen.
	Life = 2 * time.Minute
	// Pause is how long nothing is written of somebody who was seen.
	Pause = time.Minute
	// Most bounds the people who are recorded of an article. Others are not shown.
	Most = 6
)

// Editor is somebody who has the editor of an article open.
type Editor struct {
	// Name of the person, as it is in reviews.
	Name string
	// Seen is when they were seen last, in whole seconds.
	Seen time.Time
}

// Of returns who is present by the annotations of an article, in the order of their names, but for the person with an id.
func Of(annotations map[string]string, id string, now time.Time) []Editor {
	var others []Editor
	for key, e := range present(annotations, now) {
		if key != keyOf(id) {
			others = append(others, e)
		}
	}
	slices.SortFunc(others, func(a, b Editor) int { return strings.Compare(a.Name, b.Name) })
	return others
}

// See returns what becomes of the annotations of an article when a person is seen: new values, and nil for those that end. It returns nil
// if nothing need be written.
func See(annotations map[string]string, id, name string, now time.Time) map[string]*string {
	there := present(annotations, now)
	last, known := there[keyOf(id)]
	if known && now.Sub(last.Seen) < Pause || !known && len(there) >= Most {
		return nil
	}
	changes := map[string]*string{}
	for key := range annotations {
		if _, ok := there[key]; !ok && strings.HasPrefix(key, v1alpha1.EditorAnnotation) {
			changes[key] = nil
		}
	}
	value := now.UTC().Format(time.RFC3339) + " " + name
	changes[keyOf(id)] = new(bounds.Cut(value, v1alpha1.MaxNonceBytes))
	return changes
}

// Same reports whether two states of an article's annotations differ only in when people were seen.
func Same(a, b map[string]string) bool { return maps.Equal(withoutTimes(a), withoutTimes(b)) }

// withoutTimes returns annotations without the times at which people were seen.
func withoutTimes(annotations map[string]string) map[string]string {
	out := maps.Clone(annotations)
	for key, value := range annotations {
		if strings.HasPrefix(key, v1alpha1.EditorAnnotation) {
			_, out[key], _ = strings.Cut(value, " ")
		}
	}
	return out
}

// present returns who is present, by the names of their annotations. A time that is much later than now means nothing.
func present(annotations map[string]string, now time.Time) map[string]Editor {
	there := map[string]Editor{}
	for key, value := range annotations {
		if !strings.HasPrefix(key, v1alpha1.EditorAnnotation) {
			continue
		}
		at, name, _ := strings.Cut(value, " ")
		seen, err := time.Parse(time.RFC3339, at)
		if age := now.Sub(seen); err == nil && name != "" && age < Life && age > -Life {
			there[key] = Editor{name, seen}
		}
	}
	return there
}

// keyOf is the name of a person's annotation: their id may have characters that such a name may not have.
func keyOf(id string) string {
	const bytes = 6
	sum := sha256.Sum256([]byte(id))
	return v1alpha1.EditorAnnotation + hex.EncodeToString(sum[:bytes])
}
