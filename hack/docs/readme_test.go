//go:build e2e

package docs

func readme() page {
	const frontPage = "hack/install: TestTheFrontPage"
	code := ""
	return page{
		file:           "README.md",
		ownEnvironment: true,
		before: map[string]func(*reader){
			"api -X POST $PRESSROOM_URL/v1/api/blogs/$uid/approve": func(r *reader) {
				r.until(`api $PRESSROOM_URL/v1/api/blogs/$uid | jq -e '.status == "review"'`)
			},
			// The reader opens the address that was printed, and lets the app in.
			"code=": func(r *reader) { code = r.consent(r.printed).Query().Get("code") },
		},
		paste: map[string]func(*reader) string{"PASTE-THE-CODE": func(*reader) string { return code }},
		notHere: map[string]string{
			"helm install pressroom ":                                                  frontPage,
			"kubectl apply --server-side -f config/samples/account.yaml ":              frontPage,
			"kubectl apply --server-side -f config/samples/first-article/article.yaml": frontPage,
			"kubectl wait article/first ":                                              frontPage,
			"kubectl patch article first ":                                             frontPage,
			"make run":                                                                 "stays until Ctrl-C. This suite runs on what it starts",
			"make test":                                                                "it would run itself",
		},
	}
}
