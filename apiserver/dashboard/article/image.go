package article

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
)

// PinnedImage returns the featured image that the path of a visit names by its hash: that of the article, or of the revision in the query.
// It is nil if the text has another image, or none.
func PinnedImage(v *page.Visit) (*v1alpha1.RevisionImage, error) {
	p, err := readPicture(v)
	if err != nil || p == nil || p.SHA256 != v.Param("sha256") || !featuredimage.IsType(p.Type) {
		return nil, err
	}
	return &v1alpha1.RevisionImage{
		ArticleImage: v1alpha1.ArticleImage{URL: p.URL, Alt: p.Alt, Credit: p.Credit},
		ImageFile: v1alpha1.ImageFile{
			SHA256: p.SHA256, Type: p.Type, Width: p.Width, Height: p.Height, Bytes: p.Bytes,
		},
	}, nil
}

func readPicture(v *page.Visit) (*restarticle.Picture, error) {
	if number := v.Query("revision"); number != "" {
		r, err := readRevision(v, number)
		return r.Image, err
	}
	a, err := getArticle(v)
	return a.Image, err
}

// imagePath is the path of a file that PinnedImage finds; empty if none was fetched for the text.
func imagePath(v *page.Visit, p *restarticle.Picture, revision string) string {
	if p == nil || p.SHA256 == "" {
		return ""
	}
	return page.WithQuery(v.ArticlePath(v.Param("uid"), "images", p.SHA256), "revision", revision)
}
