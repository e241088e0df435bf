package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MaxDestinationBytes bounds what identifies the place that posts are in: a URL and the name of a collection.
const MaxDestinationBytes = 2400

// MaxRecords bounds the records of a Post.
const MaxRecords = 20

// PostState is what a site has of an article. More states may come.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type PostState string

// The states of a post.
const (
	// PostClaimed has its slug, and nothing is known of a request under it. If its article is deleted, it stays: an attempt may have been
	// written to the status that is lost.
	PostClaimed PostState = "Claimed"
	// PostSent was sent and has not been accepted. The site may have it nevertheless.
	PostSent PostState = "Sent"
	// PostFailed was sent, was not accepted, and is not sent again unless somebody asks for it.
	PostFailed PostState = "Failed"
	// PostPublished was accepted by the site, or may be read by a site that pulls.
	PostPublished PostState = "Published"
	// PostUpdating was accepted by the site, and another text is sent to it, or that has failed. The site may have either text.
	PostUpdating PostState = "Updating"
	// PostUnpublishing was accepted by the site, and is being taken back, or that has failed. The site may have it or not.
	PostUnpublishing PostState = "Unpublishing"
	// PostUnpublished was taken back from the site.
	PostUnpublished PostState = "Unpublished"
	// PostRemoved is of a site that pulls, and of an article that was deleted. The Post is deleted 90 days later.
	PostRemoved PostState = "Removed"
)

// Accepted reports whether the site has accepted the post once.
func (s PostState) Accepted() bool {
	return s == PostPublished || s == PostUpdating || s == PostUnpublishing || s == PostUnpublished
}

// PostRevision is the revision that a post is about.
type PostRevision struct {
	// name of the ArticleRevision.
	// +required
	Name ObjectName `json:"name,omitempty"`

	// number of the revision.
	// +required
	Number RevisionNumber `json:"number,omitempty"`

	// digest of the content: "sha256:" and 64 hex digits.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`

	// title of the revision, at most 300 bytes as JSON.
	// +optional
	Title TitleText `json:"title,omitempty"`

	// source of the text: Generated, Edited or Written.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	Source string `json:"source,omitempty"`

	// seoScore of the revision, 0 to 100.
	// +optional
	SEOScore *Score `json:"seoScore,omitempty"`
}

// Disclosure says whether a model had a part in a text, and whether a person approved it. More values may come.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type Disclosure string

// The disclosures. lifecycle.DisclosureOf decides between them.
const (
	// DisclosureHumanOnly is a text of which Pressroom has generated nothing.
	DisclosureHumanOnly Disclosure = "HumanOnly"
	// DisclosureAIAssisted is a text that was generated, or edited after that, and that a person has approved.
	DisclosureAIAssisted Disclosure = "AIAssisted"
	// DisclosureAIAutonomous is a text that was generated, or edited after that, and that nobody has approved: the Site's policy did.
	DisclosureAIAutonomous Disclosure = "AIAutonomous"
)

// RecordDecision is what let a revision be published. More values may come.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type RecordDecision string

// The decisions of records.
const (
	// RecordApproved is the approval of a person.
	RecordApproved RecordDecision = "Approved"
	// RecordAutomatic is the policy of the Site.
	RecordAutomatic RecordDecision = "Automatic"
)

// PostRecord says where the text of an accepted revision comes from, and who approved it.
type PostRecord struct {
	// digest of the content: "sha256:" and 64 hex digits.
	// +required
	// +kubebuilder:validation:MinLength=71
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`

	// revisionNumber is that of the revision.
	// +required
	RevisionNumber RevisionNumber `json:"revisionNumber,omitempty"`

	// disclosure is HumanOnly (Pressroom has generated nothing of the text), AIAssisted (generated, perhaps edited after that, and approved
	// by a person) or AIAutonomous (generated, perhaps edited after that, and approved by the Site's policy alone). More may come.
	// +required
	Disclosure Disclosure `json:"disclosure,omitempty"`

	// decision is Approved (by a person) or Automatic (by the Site's review.policy). More may come.
	// +required
	Decision RecordDecision `json:"decision,omitempty"`

	// decisionTime is when the controller found the decision.
	// +required
	DecisionTime MicroTime `json:"decisionTime,omitempty,omitzero"`

	// by is who approved, as in spec.review.by of the Article.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	By string `json:"by,omitempty"`

	// note of the approval, as in spec.review.note of the Article.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2000
	Note string `json:"note,omitempty"`

	// approvals are those of further reviewers, as in spec.approvals of the Article, at most 5. They are there if the Site asked for
	// several approvals. The last approval is that of by. Notes are cut to 200 bytes of JSON.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=5
	Approvals []ArticleApproval `json:"approvals,omitempty"`

	// source of the text: Generated, Edited or Written. Unset if an earlier revision was deleted before its record was made.
	// +optional
	Source RevisionSource `json:"source,omitempty"`

	// model that wrote a generated text, also one that a person has edited since, as the endpoint named it.
	// +optional
	Model ShortText `json:"model,omitempty"`

	// promptVersion names the prompts of Pressroom that the model was given.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	PromptVersion string `json:"promptVersion,omitempty"`

	// unsupportedClaims is how many claims of the text its Brief did not support, of those that its revision listed, 0 to 1000. Unset
	// without a Brief.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	UnsupportedClaims *int32 `json:"unsupportedClaims,omitempty"`

	// briefDigest is that of the Brief that the text was checked against: "sha256:" and 64 hex digits.
	// +optional
	BriefDigest Digest `json:"briefDigest,omitempty"`
}

// PostSpec says what a site has of an article.
// +kubebuilder:validation:XValidation:rule="self.destination == oldSelf.destination",message="destination may not change: the name of the post is made of it",fieldPath=".destination"
// +kubebuilder:validation:XValidation:rule="self.slug == oldSelf.slug",message="slug may not change: the name of the post is made of it",fieldPath=".slug"
// +kubebuilder:validation:XValidation:rule="has(self.articleRef) == has(oldSelf.articleRef) && (!has(self.articleRef) || self.articleRef.name == oldSelf.articleRef.name)",message="articleRef may not change: the slug is taken for good",fieldPath=".articleRef"
type PostSpec struct {
	// siteRef names the Site that the article was sent to. The Site may be gone.
	// +required
	SiteRef LocalReference `json:"siteRef,omitempty,omitzero"`

	// articleRef names the article, which may have been deleted. Unset if the post was never one of an Article.
	// +optional
	ArticleRef LocalReference `json:"articleRef,omitempty,omitzero"`

	// articleUID is the metadata.uid of the Article that claimed the slug, or that was last sent under it.
	// +optional
	ArticleUID UID `json:"articleUID,omitempty"`

	// articleCreatedTime is when the article was created.
	// +optional
	ArticleCreatedTime *MicroTime `json:"articleCreatedTime,omitempty"`

	// keyword that the article is about: that of its spec.generate.
	// +optional
	Keyword ShortText `json:"keyword,omitempty"`

	// destination is the place that the post is in: the normalized URL of the site, and the collection behind it if the CMS has several;
	// for the type None, "pull:" and the name of the Site. Sites of one destination share their slugs.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2400
	Destination string `json:"destination,omitempty"`

	// slug of the post, which the receiver upserts by. While this object exists, no other article gets it.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=120
	Slug string `json:"slug,omitempty"`

	// state of the post. Claimed: nothing is known to have been sent. Sent: not accepted; the site may have it nevertheless. Failed: not
	// accepted, and not sent again unless somebody asks for it. Published: the site has it. Updating: another text is sent, or that has
	// failed; the site may have either. Unpublishing: it is being taken back, or that has failed; the site may have it or not. Unpublished:
	// it was taken back. Removed: the article of a site that pulls was deleted. More may come.
	// +required
	State PostState `json:"state,omitempty"`

	// reason of the last failure: one of the reasons of the condition Published. Empty if the last delivery has not failed for good.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`

	// revision that was sent last, or that is to be sent.
	// +required
	Revision PostRevision `json:"revision,omitempty,omitzero"`

	// publishTime is when the article was published first.
	// +optional
	PublishTime *MicroTime `json:"publishTime,omitempty"`

	// updateTime is when the site last got another text of the article, as in status.publication.post.updateTime of the Article.
	// +optional
	UpdateTime *MicroTime `json:"updateTime,omitempty"`

	// url of the live post, as in status.publication.post.url of the Article.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	URL string `json:"url,omitempty"`

	// externalID of the post, as in status.publication.post.externalID of the Article.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	ExternalID string `json:"externalID,omitempty"`

	// contentHash of the post, as in status.publication.post.contentHash of the Article.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	ContentHash string `json:"contentHash,omitempty"`

	// removalTime is when the post was taken back, or when the controller found that the article of a site that pulls was deleted.
	// +optional
	RemovalTime *MicroTime `json:"removalTime,omitempty"`

	// records say of each revision that the site has accepted where its text comes from, and who approved it, oldest first: the last 20.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=20
	Records []PostRecord `json:"records,omitempty"`
}

// Post is the slug that an article has at a destination, and what the site has of the article. The controller creates it before the first
// attempt: its name is made of destination and slug, so that one article can. It stays when the article or the site is deleted. Deleting it
// frees the slug.
// +kubebuilder:object:root=true
// +kubebuilder:ac:generate=false
// +kubebuilder:resource:shortName=ppost,categories=pressroom
// +kubebuilder:printcolumn:name="Site",type=string,JSONPath=`.spec.siteRef.name`
// +kubebuilder:printcolumn:name="Article",type=string,JSONPath=`.spec.articleRef.name`,priority=1
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.spec.state`
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.spec.url`,priority=1
// +kubebuilder:printcolumn:name="Published",type=date,JSONPath=`.spec.publishTime`
// +kubebuilder:printcolumn:name="Destination",type=string,JSONPath=`.spec.destination`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.siteRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.articleRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.state`
type Post struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the site has.
	// +required
	// +structType=atomic
	Spec PostSpec `json:"spec,omitempty,omitzero"`
}

// PostList is a list of posts.
// +kubebuilder:object:root=true
type PostList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Post `json:"items"`
}
