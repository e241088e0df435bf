package v1alpha1

// AccountLimits bound what an account may do and have. The REST API and the pages refuse what would exceed them; kubectl is bounded by
// ResourceQuotas.
type AccountLimits struct {
	// articlesPerSitePerDay is how many articles may be generated for one site in a UTC day, 50 by default. A Site can set a lower limit.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	ArticlesPerSitePerDay *int32 `json:"articlesPerSitePerDay,omitempty"`

	// articles is the number of articles in all workspaces, published ones too, 100000 by default. While it is reached, the REST API
	// creates no article.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	Articles *int32 `json:"articles,omitempty"`

	// unpublishedArticles is the number of articles in all workspaces that are not published, 10000 by default. While it is reached, the
	// REST API creates no article.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	UnpublishedArticles *int32 `json:"unpublishedArticles,omitempty"`

	// textBytes is the size, in bytes of JSON, of what authors have written in all workspaces, published or not, 134217728 (128 MiB) by
	// default. A text counts in its article and in each revision that is kept. While it is reached, the REST API takes no more text.
	// +optional
	TextBytes *Count `json:"textBytes,omitempty"`

	// posts is the number of Posts in all workspaces, 100000 by default: of articles that were sent to their sites, even if they are
	// deleted. While it is reached, the REST API creates no article.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000000
	Posts *int32 `json:"posts,omitempty"`

	// idempotencyRecords is the number of Idempotency-Keys that are remembered, for 24 hours each, 50000 by default. One whose answer is
	// kept counts once more for each KiB of that. While it is reached, the REST API refuses requests with a new key.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000000
	IdempotencyRecords *int32 `json:"idempotencyRecords,omitempty"`

	// writtenBytesPerMinute is the size, in bytes, of the objects that requests of the account may write in a minute through one replica of
	// the REST API, 8388608 (8 MiB) by default. Twice as much may come at once. etcd keeps each state of an object for some minutes.
	// +optional
	// +kubebuilder:validation:Minimum=65536
	// +kubebuilder:validation:Maximum=1000000000000
	WrittenBytesPerMinute *int64 `json:"writtenBytesPerMinute,omitempty"`

	// eventDeliveries is the number of deliveries of events that are kept, 10000 by default. The controller removes the oldest ones of an
	// account that has more.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	EventDeliveries *int32 `json:"eventDeliveries,omitempty"`

	// eventSubscriptions is the number of event subscriptions in all workspaces, 100 by default.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	EventSubscriptions *int32 `json:"eventSubscriptions,omitempty"`

	// oauthClients is the number of OAuth clients that the account may register, 50 by default.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	OAuthClients *int32 `json:"oauthClients,omitempty"`

	// sites is the number of sites in all workspaces up to which the REST API creates others, 500 by default and at most.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=500
	Sites *int32 `json:"sites,omitempty"`

	// briefs is the number of briefs in all workspaces up to which the REST API and the pages create others, 500 by default.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	Briefs *int32 `json:"briefs,omitempty"`

	// apiKeys is the number of API keys that `pressroom keys create` and the REST API may create, 50 by default.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	APIKeys *int32 `json:"apiKeys,omitempty"`

	// grantsPerPersonAndClient is how many grants one person may give one OAuth client at the same time, 10 by default. Codes that are not
	// exchanged yet count. With those that have ended, which are kept for an hour, there may be three times as many, and 500 times as many
	// in the account.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	GrantsPerPersonAndClient *int32 `json:"grantsPerPersonAndClient,omitempty"`
}

// MostArticles returns the limit of articles.
func (l AccountLimits) MostArticles() int64 { return limitOf(l.Articles, 100_000) }

// MostUnpublishedArticles returns the limit of articles that are not published.
func (l AccountLimits) MostUnpublishedArticles() int64 { return limitOf(l.UnpublishedArticles, 10_000) }

// MostTextBytes returns the limit of written text, in bytes.
func (l AccountLimits) MostTextBytes() int64 { return limitOf(l.TextBytes, 128<<20) }

// MostPosts returns the limit of Posts.
func (l AccountLimits) MostPosts() int64 { return limitOf(l.Posts, 100_000) }

// MostIdempotencyRecords returns the limit of Idempotency-Keys that are remembered.
func (l AccountLimits) MostIdempotencyRecords() int64 { return limitOf(l.IdempotencyRecords, 50_000) }

// MostWrittenBytesPerMinute returns the limit of what requests write in a minute, in bytes.
func (l AccountLimits) MostWrittenBytesPerMinute() int64 {
	return limitOf(l.WrittenBytesPerMinute, 8<<20)
}

// MostEventDeliveries returns the limit of deliveries of events.
func (l AccountLimits) MostEventDeliveries() int64 { return limitOf(l.EventDeliveries, 10_000) }

// MostEventSubscriptions returns the limit of event subscriptions.
func (l AccountLimits) MostEventSubscriptions() int64 { return limitOf(l.EventSubscriptions, 100) }

// MostOAuthClients returns the limit of OAuth clients.
func (l AccountLimits) MostOAuthClients() int64 { return limitOf(l.OAuthClients, 50) }

// MostSites returns the limit of sites.
func (l AccountLimits) MostSites() int64 { return limitOf(l.Sites, 500) }

// MostBriefs returns the limit of briefs.
func (l AccountLimits) MostBriefs() int64 { return limitOf(l.Briefs, 500) }

// MostAPIKeys returns the limit of API keys.
func (l AccountLimits) MostAPIKeys() int64 { return limitOf(l.APIKeys, 50) }

// MostGrants returns the limit of grants of one person for one client.
func (l AccountLimits) MostGrants() int64 { return limitOf(l.GrantsPerPersonAndClient, 10) }

func limitOf[N int32 | int64](set *N, byDefault int64) int64 {
	if set == nil {
		return byDefault
	}
	return int64(*set)
}
