package v1alpha1

// WebflowConnection is a collection of a Webflow site, which Pressroom publishes to by the Data API v2.
type WebflowConnection struct {
	// siteID as Webflow gives it: 24 hexadecimal digits.
	// +required
	// +kubebuilder:validation:MinLength=24
	// +kubebuilder:validation:MaxLength=24
	// +kubebuilder:validation:Pattern=`^[0-9a-f]+$`
	SiteID string `json:"siteID,omitempty"`

	// collectionID of the collection that articles become items of: 24 hexadecimal digits.
	// +required
	// +kubebuilder:validation:MinLength=24
	// +kubebuilder:validation:MaxLength=24
	// +kubebuilder:validation:Pattern=`^[0-9a-f]+$`
	CollectionID string `json:"collectionID,omitempty"`

	// credentialsSecretRef names a Secret with the key token: a site token with the scopes cms:read, cms:write and sites:read.
	// +required
	CredentialsSecretRef LocalReference `json:"credentialsSecretRef,omitempty,omitzero"`

	// fields of the collection, by their slugs. The title and the slug of an article go to name and slug, which every collection has.
	// +required
	Fields WebflowFields `json:"fields,omitempty,omitzero"`
}

// WebflowFields names the fields of a Webflow collection that take the parts of an article.
type WebflowFields struct {
	// body is the slug of the rich-text field for the HTML of the body.
	// +required
	Body WebflowFieldSlug `json:"body,omitempty"`

	// excerpt is the slug of the plain-text field for the excerpt. Without it, the excerpt is not sent.
	// +optional
	Excerpt WebflowFieldSlug `json:"excerpt,omitempty"`

	// metaTitle is the slug of the plain-text field for the SEO title. Without it, the SEO title is not sent.
	// +optional
	MetaTitle WebflowFieldSlug `json:"metaTitle,omitempty"`

	// metaDescription is the slug of the plain-text field for the meta description. Without it, the meta description is not sent.
	// +optional
	MetaDescription WebflowFieldSlug `json:"metaDescription,omitempty"`

	// tags is the slug of the plain-text field for the tags, separated by commas. Without it, the tags are not sent.
	// +optional
	Tags WebflowFieldSlug `json:"tags,omitempty"`

	// category is the slug of the plain-text field for the category. Without it, the category is not sent.
	// +optional
	Category WebflowFieldSlug `json:"category,omitempty"`

	// author is the slug of the field for the author: a plain-text field for the name, or a reference for the externalID. Without it, the
	// author is not sent.
	// +optional
	Author WebflowFieldSlug `json:"author,omitempty"`

	// image is the slug of the image field for the featured image, of at most 4 MiB. Without it, the image is not sent.
	// +optional
	Image WebflowFieldSlug `json:"image,omitempty"`
}
