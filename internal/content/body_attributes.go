package content

import (
	"slices"
	"strings"
)

func (r *bodyReader) readLink(hasAttributes bool) Link {
	var link Link
	r.attributes(hasAttributes, func(key, value string) {
		switch key {
		case "href":
			link.URL = strings.TrimSpace(value)
		case "rel":
			link.NoFollow = slices.Contains(strings.Fields(strings.ToLower(value)), "nofollow")
		}
	})
	return link
}

func (r *bodyReader) readImage(hasAttributes bool) {
	image := Image{Section: r.section}
	r.attributes(hasAttributes, func(key, value string) {
		if key == "alt" {
			image.Alt = oneLine(value)
		}
	})
	r.body.Images = append(r.body.Images, image)
}

func (r *bodyReader) attributes(more bool, see func(key, value string)) {
	for more {
		var key, value []byte
		key, value, more = r.tokens.TagAttr()
		see(string(key), string(value))
	}
}
