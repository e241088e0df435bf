package reading_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/reading"
)

func TestAnImageThatIsNotLoadedIsABoxWithItsText(t *testing.T) {
	const text = `<p>A <img src="https://a.example/a.png" alt="hut &amp; &lt;b&gt;"/> &amp; <img src="/b.png"></p>`
	const boxes = `<p>A <span class="picture" role="img" aria-label="hut &amp; &lt;b&gt;">hut &amp; &lt;b&gt;</span> &amp; ` +
		`<span class="picture" role="img" lang="en" dir="ltr" aria-label="An image without a text">An image without a text</span></p>`
	for loaded, want := range map[bool]string{false: boxes, true: text} {
		shown := reading.Text{HTML: reading.Sanitised(text), Images: loaded}
		shown.Complete(reading.InPage)
		if string(shown.HTML) != want || !shown.HasImages {
			t.Errorf("with images %v: %t, %s\nwant %s", loaded, shown.HasImages, shown.HTML, want)
		}
	}
}
