package v1alpha1

// WordPressConnection is a WordPress site, 5.6 or later, whose REST API Pressroom publishes to.
// +kubebuilder:validation:XValidation:rule="isURL(self.url) && url(self.url).getScheme() in ['https', 'http'] && size(url(self.url).getHostname()) > 0",message="url must be an http or https URL with a host",fieldPath=".url"
// +kubebuilder:validation:XValidation:rule="!self.url.matches('^[A-Za-z]+://[^/?#]*@')",message="url may not carry user information",fieldPath=".url"
type WordPressConnection struct {
	// url of the home page, such as https://blog.acme.example. It must be https, because the password goes to it, and on a public address,
	// which is checked when sending.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`

	// credentialsSecretRef names a Secret with the keys username and password, an application password of that user.
	// +required
	CredentialsSecretRef LocalReference `json:"credentialsSecretRef,omitempty,omitzero"`

	// postType that articles become, by its name in WordPress. The default is post.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[a-z0-9_-]+$`
	PostType string `json:"postType,omitempty"`

	// authorID is the WordPress user who is the author of new posts. The default is the user of the credentials; another needs the
	// permission edit_others_posts.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9007199254740991
	AuthorID int64 `json:"authorID,omitempty"`

	// categories of the posts, by the slugs of existing ones, at most 20. If there are none, new posts get the default category of
	// WordPress, and others keep theirs.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=20
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=200
	Categories []string `json:"categories,omitempty"`

	// tags of the posts, by the slugs of existing ones, at most 20. If there are none, posts keep the tags that they have.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=20
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=200
	Tags []string `json:"tags,omitempty"`

	// createTags says what becomes of tags of articles (content.tags) that WordPress does not have. Never ends the delivery with an
	// error. Missing creates them. If unset, it is Never. Categories are never created.
	// +optional
	CreateTags WordPressTagCreation `json:"createTags,omitempty"`

	// shortcodes says what becomes of [shortcodes] of a body, and of addresses that stand alone, for which WordPress shows something else.
	// Escape has it show them as the text that was approved. Run has it run the shortcodes of all its plugins, and embed. If unset, it is
	// Escape.
	// +optional
	Shortcodes WordPressShortcodes `json:"shortcodes,omitempty"`
}

// WordPressShortcodes says whether WordPress runs the shortcodes of a body.
// +kubebuilder:validation:Enum=Escape;Run
type WordPressShortcodes string

// What becomes of shortcodes.
const (
	// ShortcodesEscape shows them as text.
	ShortcodesEscape WordPressShortcodes = "Escape"
	// ShortcodesRun has WordPress run them.
	ShortcodesRun WordPressShortcodes = "Run"
)

// WordPressTagCreation says whether tags are created.
// +kubebuilder:validation:Enum=Never;Missing
type WordPressTagCreation string

// Which tags are created.
const (
	// CreateTagsNever creates none.
	CreateTagsNever WordPressTagCreation = "Never"
	// CreateTagsMissing creates those that WordPress does not have.
	CreateTagsMissing WordPressTagCreation = "Missing"
)
