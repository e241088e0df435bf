package lifecycle

// Mode is how articles get to a Site. The registry of connectors knows it.
type Mode string

const (
	// Push sends each article to the Site.
	Push Mode = "Push"
	// Pull leaves it to the Site to read its articles from the REST API.
	Pull Mode = "Pull"
	// Unsupported Sites cannot be published to.
	Unsupported Mode = "Unsupported"
)
