package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MaxDestinationBytes bounds what identifies the place that posts are in: a URL and the name of a collection.
const MaxDestinationBytes = 2400

// PostState is what a site has of an article.
// +kubebuilder:validation:Enum=Sent;Failed;Published
type PostState string

// The states of a post.
const (
	// PostSent was sent and has not been accepted. The site may have it nevertheless.
	PostSent PostState = "Sent"
	// PostFailed was sent, was not accepted, and is not sent again unless somebody asks for it.
	PostFailed PostState = "Failed"
	// PostPublished was accepted by the site, or may be read by a site that pulls.
	PostPublished PostState = "Published"
)

// PostSpec says what a site has of an article.
// +kubebuilder:validation:XValidation:rule="self.destination == oldSelf.destination",message="destination may not change: the name of the post is made of it",fieldPath=".destination"
// +kubebuilder:validation:XValidation:rule="self.slug == oldSelf.slug",message="slug may not change: the name of the post is made of it",fieldPath=".slug"
// +kubebuilder:validation:XValidation:rule="self.articleRef.name == oldSelf.articleRef.name",message="articleRef may not change: the slug is taken for good",fieldPath=".articleRef"
type PostSpec struct {
	// siteRef names the Site that the article was sent to. The Site may be gone.
	// +required
	SiteRef LocalReference `json:"siteRef"`

	// articleRef names the article. It may be gone: what its site has stays there.
	// +required
	ArticleRef LocalReference `json:"articleRef"`

	// destination identifies the place that the post is in: the URL that the site is published to, normalized, and the
	// collection behind it if the CMS has several. Sites of one destination share their slugs. For a site of the type None it is
	// "pull:" and the name of the Site.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2400
	Destination string `json:"destination"`

	// slug of the post, which the receiver upserts by. No other article gets it while this object exists.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	Slug string `json:"slug"`

	// state of the post.
	// +required
	State PostState `json:"state"`

	// reason of the last failure: one of the reasons of the condition Published. It is empty once the post is published.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`

	// revision that was sent, as the article's status had it.
	// +required
	Revision CurrentRevision `json:"revision"`

	// publishedAt is when the article was published first.
	// +optional
	PublishedAt *metav1.MicroTime `json:"publishedAt,omitempty"`

	// url of the live post, as in the article's status.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	URL string `json:"url,omitempty"`

	// externalID of the post, as in the article's status.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	ExternalID string `json:"externalID,omitempty"`
}

// Post is what a site has of an article: the slug that the article has for good, and what a restored article is published as.
// The controller creates it when the site has accepted the article, or when an attempt has failed. It has no owner: it stays when
// the article or the site is deleted. Deleting it frees the slug.
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=ppost,categories=pressroom
// +kubebuilder:printcolumn:name="Site",type=string,JSONPath=`.spec.siteRef.name`
// +kubebuilder:printcolumn:name="Article",type=string,JSONPath=`.spec.articleRef.name`
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.spec.state`
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.spec.url`
// +kubebuilder:printcolumn:name="Published",type=date,JSONPath=`.spec.publishedAt`
// +kubebuilder:printcolumn:name="Destination",type=string,JSONPath=`.spec.destination`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.articleRef.name`
type Post struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the site has. It is one field to server-side apply, because the controller alone writes it.
	// +required
	// +structType=atomic
	Spec PostSpec `json:"spec"`
}

// PostList is a list of posts.
// +kubebuilder:object:root=true
type PostList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Post `json:"items"`
}
