package article_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/article"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// made is a revision that somebody has made at a minute.
func made(number int64, source, by, minute string) restarticle.ArticleRevisionSummary {
	r := restarticle.ArticleRevisionSummary{Number: number, Source: source, CreatedAt: "2026-11-20T12:" + minute + ":00Z"}
	r.MadeBy = by
	return r
}

// happened is a transition at a minute and a second.
func happened(kind string, revision int64, by, at string) restarticle.ArticleTransition {
	return restarticle.ArticleTransition{Type: kind, Revision: revision, By: by, At: "2026-11-20T12:" + at + ".250Z"}
}

func TestTheStoryNamesWhoMadeATextOnce(t *testing.T) {
	restored := func(r restarticle.ArticleRevisionSummary, from int64, live bool) restarticle.ArticleRevisionSummary {
		r.RestoredFrom, r.Live = &from, live
		return r
	}
	for name, tt := range map[string]struct {
		transitions []restarticle.ArticleTransition
		revisions   []restarticle.ArticleRevisionSummary
		want        []string
		older       bool
	}{
		"an edit that is ready at once": {
			[]restarticle.ArticleTransition{happened("ready_for_review", 1, "", "00:03"), happened("ready_for_review", 2, "", "10:02"), happened("approved", 2, "Jo", "11:00")},
			[]restarticle.ArticleRevisionSummary{made(2, "written", "Petra", "10"), made(1, "written", "Mara", "00")},
			[]string{"Approved 2 Jo", "Edited 2 Petra, ready", "Written 1 Mara, ready"}, false,
		},
		"a draft that is submitted later": {
			[]restarticle.ArticleTransition{happened("ready_for_review", 2, "", "30:00")},
			[]restarticle.ArticleRevisionSummary{made(2, "written", "Mara", "10"), made(1, "written", "Mara", "00")},
			[]string{"Ready for review 2", "Edited 2 Mara", "Written 1 Mara"}, false,
		},
		"an edit within the second of a rejection": {
			[]restarticle.ArticleTransition{happened("rejected", 1, "Jo", "10:00"), happened("ready_for_review", 2, "", "10:00")},
			[]restarticle.ArticleRevisionSummary{made(2, "written", "Mara", "10"), made(1, "written", "Mara", "00")},
			[]string{"Edited 2 Mara, ready", "Rejected 1 Jo", "Written 1 Mara"}, false,
		},
		"another generated text": {
			nil, []restarticle.ArticleRevisionSummary{made(2, "generated", "Petra", "10"), made(1, "generated", "Mara", "00")},
			[]string{"Generated again 2 Petra", "Generated 1 Mara"}, false,
		},
		"a text that was approved before it was restored": {
			[]restarticle.ArticleTransition{
				happened("approved", 1, "Jo", "05:00"), happened("ready_for_review", 3, "", "20:01"), happened("approved", 3, "Jo", "20:01"),
			},
			[]restarticle.ArticleRevisionSummary{
				restored(made(3, "written", "Petra", "20"), 1, false), made(2, "written", "Mara", "10"), made(1, "written", "Mara", "00"),
			},
			[]string{"Approved before 3 Jo", "Restored 3 Petra, ready", "Edited 2 Mara", "Approved 1 Jo", "Written 1 Mara"}, false,
		},
		"a text that was discarded": {
			[]restarticle.ArticleTransition{happened("approved", 1, "Jo", "05:00"), happened("published", 1, "", "06:00")},
			[]restarticle.ArticleRevisionSummary{
				restored(made(3, "written", "Petra", "20"), 1, true), made(2, "written", "Mara", "10"), made(1, "written", "Mara", "00"),
			},
			[]string{"Other text discarded 3 Petra", "Edited 2 Mara", "Published 1", "Approved 1 Jo", "Written 1 Mara"}, false,
		},
		"revisions that are gone": {
			[]restarticle.ArticleTransition{happened("ready_for_review", 3, "", "30:02")},
			[]restarticle.ArticleRevisionSummary{made(5, "written", "Mara", "50"), made(4, "written", "Mara", "40"), made(1, "written", "Mara", "00")},
			[]string{"Edited 5 Mara", "Edited 4 Mara", "Ready for review 3", "Written 1 Mara"}, true,
		},
		"numbers of runs that failed": {
			[]restarticle.ArticleTransition{happened("failed", 1, "", "00:30"), happened("ready_for_review", 2, "", "10:02")},
			[]restarticle.ArticleRevisionSummary{made(2, "generated", "Mara", "10")},
			[]string{"Generated again 2 Mara, ready", "Failed 1"}, false,
		},
		"a delivery that failed of a revision that is gone": {
			[]restarticle.ArticleTransition{happened("approved", 2, "Jo", "20:02"), happened("failed", 2, "", "20:30")},
			[]restarticle.ArticleRevisionSummary{made(3, "written", "Mara", "30"), made(1, "written", "Mara", "00")},
			[]string{"Edited 3 Mara", "Failed 2", "Approved 2 Jo", "Written 1 Mara"}, true,
		},
	} {
		got, older := article.Story(tt.transitions, tt.revisions)
		if diff := cmp.Diff(tt.want, got); diff != "" || older != tt.older {
			t.Errorf("%s: older ones are gone: %v; the story is not as wanted:\n%s", name, older, diff)
		}
	}
}
