//go:build e2e

package wordpress_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/imagehost"
)

func TestAPostHasItsFeaturedImage(t *testing.T) {
	needWordPress(t)
	t.Cleanup(func() {
		eval(t, `foreach (get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'numberposts' => -1]) as $p) { wp_delete_post($p->ID, true); }`)
	})
	host := imagehost.New()
	t.Cleanup(host.Close)
	media := func() string {
		return eval(t, `foreach (get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'numberposts' => -1, 'order' => 'ASC']) as $m) {
			echo $m->ID, '|', get_post_meta($m->ID, '_wp_attachment_image_alt', true), '|', $m->post_title, '|', $m->post_excerpt, '|',
				hash_file('sha256', get_attached_file($m->ID)), '|', basename(get_attached_file($m->ID)), "\n"; }`)
	}
	a := article(t, "shoes", "Shoes & more", body)
	a.Image = host.Reviewed()
	a.Image.Alt = "Größe 42 & \"more\""
	for range 2 {
		a = recorded(a, accepted(t, publishTo(t, blog(server.Author), a)))
		lines := strings.Split(strings.TrimSpace(media()), "\n")
		fields := strings.Split(lines[0], "|")
		if len(lines) != 1 || len(fields) != 6 || fields[1] != a.Image.Alt || fields[2] != "Shoes &amp; more" || fields[3] != "Mara &amp; Co." || fields[4] != a.Image.SHA256 ||
			!strings.HasPrefix(fields[5], a.Image.SHA256) {
			t.Fatalf("the media library has %q", lines)
		}
		if got := eval(t, "echo get_post_thumbnail_id("+a.ExternalID+");"); got != fields[0] {
			t.Errorf("the post shows the file %s, want %s", got, fields[0])
		}
	}
	if host.Fetched() != 1 {
		t.Errorf("the image was fetched %d times", host.Fetched())
	}
	eval(t, `delete_post_thumbnail(`+a.ExternalID+`);`)
	if o := publishTo(t, blog(server.Author), a); o.ErrorClass != v1alpha1.ErrorChangedAtSite {
		t.Errorf("after somebody has taken the image away in wp-admin: %+v", o)
	}
}
