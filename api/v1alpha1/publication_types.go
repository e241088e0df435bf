package v1alpha1

// PublicationRevision names a revision and its content.
type PublicationRevision struct {
	// name of the ArticleRevision. Unset if status would have 8 KiB or more with it.
	// +optional
	Name ObjectName `json:"name,omitempty"`

	// number of the revision.
	// +required
	Number RevisionNumber `json:"number,omitempty"`

	// digest of its content.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`

	// title of the revision that the site has while status.revision is another one, as there.
	// +optional
	Title TitleText `json:"title,omitempty"`

	// seoScore of the revision that the site has while status.revision is another one, 0 to 100.
	// +optional
	SEOScore *Score `json:"seoScore,omitempty"`

	// disclosure of the text: HumanOnly, AIAssisted or AIAutonomous, as in spec.records of the Post. Unset if status was
	// restored from a Post without a record of it.
	// +optional
	Disclosure Disclosure `json:"disclosure,omitempty"`
}

// PostPresence says whether a site has the post of an article.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type PostPresence string

// The presences of a post.
const (
	// PostAbsent means that the site does not have the post.
	PostAbsent PostPresence = "Absent"
	// PostPresent means that the site has the post, as it was accepted last.
	PostPresent PostPresence = "Present"
	// PostUncertain means that an attempt may have written the post or taken it back, and that no answer says whether it did.
	PostUncertain PostPresence = "Uncertain"
)

// DeliveryPurpose is what a delivery cycle is to bring about at the site.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type DeliveryPurpose string

// The purposes of a delivery cycle.
const (
	// PurposePut makes the site have a revision.
	PurposePut DeliveryPurpose = "Put"
	// PurposeRemove takes the post back from the site.
	PurposeRemove DeliveryPurpose = "Remove"
)

// PublicationHold says why an article is not published although spec.stage asks for it.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type PublicationHold string

// The reasons to hold a publication.
const (
	// HoldRequested means that the post was taken back on request while the stage asked for publication.
	HoldRequested PublicationHold = "Requested"
)

// UncertainWrite is what an attempt may have done at the site.
type UncertainWrite struct {
	// purpose of the attempt: Put may have written the revision, Remove may have taken the post back.
	// +required
	Purpose DeliveryPurpose `json:"purpose,omitempty"`

	// revision that Put may have written. Unset for Remove.
	// +optional
	Revision *PublicationRevision `json:"revision,omitempty"`
}

// SitePost is the known state of an article's post at its site.
type SitePost struct {
	// state is Absent (the site does not have the post), Present (it has the revision) or Uncertain (an attempt may have written the post
	// or taken it back, and no answer says whether it did).
	// +required
	State PostPresence `json:"state,omitempty"`

	// revision that the site accepted last. Present: it is live. Uncertain: it was live before the attempt; unset if nothing was. Absent:
	// it was taken back; unset if the site never accepted one.
	// +optional
	Revision *PublicationRevision `json:"revision,omitempty"`

	// maybe is what the last attempt may have done. Only if state is Uncertain, and unset even then if nobody knows: after a restore, or if
	// the process that made the attempt ended and the Article was created again.
	// +optional
	Maybe *UncertainWrite `json:"maybe,omitempty"`

	// name of the Post object, made of destination and slug, that the other fields are about. Unset before the first attempt.
	// +optional
	Name ObjectName `json:"name,omitempty"`

	// publishTime is when the receiver first accepted the article.
	// +optional
	PublishTime *MicroTime `json:"publishTime,omitempty"`

	// updateTime is when the site last got another text, or the article again after it was unpublished. Unset if it has the first one.
	// +optional
	UpdateTime *MicroTime `json:"updateTime,omitempty"`

	// unpublishTime is when the post was taken back. Unset while the site has it.
	// +optional
	UnpublishTime *MicroTime `json:"unpublishTime,omitempty"`

	// url of the live post, as the receiver named it. Unset if it named none, or one of more than 512 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	URL string `json:"url,omitempty"`

	// externalID of the post, as the receiver named it; the slug if it named none, or one of more than 128 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	ExternalID string `json:"externalID,omitempty"`

	// slug of the post in the CMS if the CMS gave it another than status.slug, at most 120 bytes as JSON.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	Slug string `json:"slug,omitempty"`

	// contentHash is the beginning of the SHA-256 of what the CMS answered to the last accepted write, of the fields that Pressroom writes.
	// A post that has another one was changed since. Unset for sites of the types Headless and None.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	ContentHash string `json:"contentHash,omitempty"`
}

// Publication is what a site has of an article, and the attempts to change it.
type Publication struct {
	// post is what the site has.
	// +required
	Post SitePost `json:"post,omitempty,omitzero"`

	// hold is Requested if the post was taken back on request while spec.stage was Published. The article is published again if spec.stage
	// is set to another stage and then to Published, or if pressroom.dev/redeliver requests it.
	// +optional
	Hold PublicationHold `json:"hold,omitempty"`

	// What has been sent: empty for a site of the type None.
	DeliveryRecord `json:",inline"`
}

const (
	// MaxPostDifferences bounds how many fields of a changed post status shows.
	MaxPostDifferences = 3
	// MaxFieldNameBytes bounds the name of such a field.
	MaxFieldNameBytes = 64
)

// PostDifference is a field of a post that was changed in the CMS.
type PostDifference struct {
	// field that differs, as the CMS names it.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Field string `json:"field,omitempty"`

	// site is what the CMS has, from a little before the first difference on, at most 200 bytes without secrets. Unset if it has nothing.
	// +optional
	Site ShortText `json:"site,omitempty"`

	// article is what would have been sent in its place. Unset for nothing.
	// +optional
	Article ShortText `json:"article,omitempty"`
}
