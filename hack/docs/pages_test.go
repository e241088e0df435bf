//go:build e2e

package docs

import (
	"io"
	"net/http"

	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/scripted"
)

// page is a page whose commands run, in a shell and a folder of its own.
type page struct {
	// file is the path of the page in the project.
	file string
	// prepare does what the page takes for granted before its first command; may be nil. There are already the objects of
	// config/samples, as after `make run`.
	prepare func(*reader)
	// ownEnvironment is whether the page says how to set the variables of .pressroom/env. For others they are set.
	ownEnvironment bool
	// before does what is left to others before a command, which is named by its beginning: another person, or time.
	before map[string]func(*reader)
	// paste finds what people paste for a word of the page.
	paste map[string]func(*reader) string
	// exits are the exit codes of commands that do not end with 0. A command is named by its beginning.
	exits map[string]int
	// notHere are commands that are not run, by their beginning: the test that does, or why none does.
	notHere map[string]string
	// elsewhere is the test that runs the whole page; empty if its commands run here.
	elsewhere string
	// sectionsElsewhere are sections that another test runs, which is named.
	sectionsElsewhere map[string]string
}

const (
	// installTest fails for a command of its pages that it neither runs nor lists.
	installTest = "hack/install/commands_test.go"
	frontPage   = "hack/install: TestTheFrontPage"
	// These step a clock.
	backupTest = "controllers/backup_test.go"
	walkTest   = "controllers/walk_test.go"

	staysRunning = "stays until Ctrl-C. This suite runs on what it starts"
	runsItself   = "it would run itself"

	// askForToken begins the commands that exchange a code.
	askForToken = `curl -sS "$PRESSROOM_URL/v1/public/oauth/token" `
	trailShoes  = "trail-shoes"
	// changes asks jq about what changed at the sites of the workspace.
	changes = `curl -sS "$PRESSROOM_URL/v1/api/blogs?changed_since=1970-01-01T00:00:00Z" -H "x-api-key: $PRESSROOM_API_KEY" ` +
		`-H "x-workspace-id: $PRESSROOM_WORKSPACE" | jq -e `
)

// pages are run in this order. hack/rules sees that each page with commands is here.
var pages = []page{
	{
		file: "README.md",
		notHere: map[string]string{
			"git clone": "the suite has a clone",
			"make run":  staysRunning,
			"make test": "the suite is a part of the tests",
		},
	},
	{file: "docs/tutorials/first-article-in-a-cluster.md", elsewhere: frontPage},
	{
		file:           "docs/tutorials/first-article.md",
		ownEnvironment: true,
		notHere:        map[string]string{"make run": staysRunning},
	},
	{
		file:           "docs/tutorials/oauth.md",
		ownEnvironment: true,
		before: map[string]func(*reader){
			// The reader opens the address that was printed, and lets the app in.
			"code=": func(r *reader) { r.pasted = r.consent(r.printed).Query().Get("code") },
		},
		paste: map[string]func(*reader) string{"PASTE-THE-CODE": func(r *reader) string { return r.pasted }},
	},
	{
		file:    "docs/how-to/connect-a-model.md",
		prepare: func(r *reader) { r.write("key.txt", "the-endpoint's-key") },
		notHere: map[string]string{"PRESSROOM_CONTROLLER_FLAGS=": staysRunning},
	},
	{file: "docs/how-to/github-workflows.md"},
	{file: "docs/how-to/schedule.md"},
	{
		file:    "docs/how-to/leaked-key.md",
		prepare: (*reader).createKey,
		notHere: map[string]string{"kubectl logs": "there are no Pods"},
	},
	{file: "docs/how-to/mend-a-typo.md", prepare: func(r *reader) { r.generated(trailShoes) }},
	{
		file: "docs/reference/account.md",
		prepare: func(r *reader) {
			r.apply(r.yaml("kind: Account"))
			r.generated("first")
		},
	},
	{
		file:    "docs/reference/api-key.md",
		prepare: (*reader).createKey,
		notHere: map[string]string{"kubectl port-forward": "there are no Pods"},
		before: map[string]func(*reader){
			// The key of the page is revoked twice, and then listed.
			"pressroom keys revoke --keep-made": (*reader).createKey,
			"kubectl get apikeys.pressroom.dev": func(r *reader) {
				r.must("kubectl delete apikeys.pressroom.dev aa3kq2vxw5ntb6ha")
				r.createKey()
			},
		},
	},
	{
		file:    "docs/reference/article.md",
		prepare: func(r *reader) { r.write("trail-shoes.yaml", r.yaml("name: trail-shoes")) },
		before: map[string]func(*reader){
			// An article that was published meanwhile can neither be rejected nor get another text.
			"kubectl patch article $name -n acme-blog --field-manager=pressroom-review --type merge -p \\\n  '{\"spec\": {\"review\"": func(r *reader) {
				r.generated("boots")
				r.must("name=boots; digest=$(kubectl get article boots -n acme-blog -o jsonpath='{.status.revision.digest}')")
			},
			"kubectl annotate article $name -n acme-blog --field-manager=pressroom-request --overwrite pressroom.dev/redeliver": func(r *reader) { r.must("name=trail-shoes") },
		},
	},
	{
		file:    "docs/reference/article-revision.md",
		prepare: func(r *reader) { r.generated(trailShoes) },
	},
	{
		file: "docs/how-to/backup.md",
		sectionsElsewhere: map[string]string{
			"Back up with kubectl": backupTest, "Restore with kubectl": backupTest, "Velero": backupTest, "Confirm a restore": backupTest,
			"API keys and OAuth clients": backupTest, "The installation": backupTest,
		},
	},
	{
		file: "CONTRIBUTING.md",
		notHere: map[string]string{
			"make run":  staysRunning,
			"make demo": "hack/dev/system/whole_test.go does the same on a system that runs",
			"make test": runsItself,
		},
	},
	{
		file: "docs/reference/post.md",
		prepare: func(r *reader) {
			site := r.serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if _, err := io.WriteString(w, `{"id": "1", "url": "https://blog.acme.example/huts-open"}`); err != nil {
					r.Error(err)
				}
			}))
			r.must(`kubectl patch sites.pressroom.dev acme -n acme-blog --type merge -p '{"spec": {"cms": {"headless": {"url": "` + site + `"}}}}'`)
			r.apply(`{apiVersion: pressroom.dev/v1alpha1, kind: Article, metadata: {name: huts-open, namespace: acme-blog}, spec: {siteRef: {name: acme},
  content: {title: The huts are open again, slug: huts-open, markdown: From the first of May.}, stage: Published,
  review: {decision: Approved, by: mara@acme.example}}}`)
			r.must("kubectl wait article/huts-open -n acme-blog --for=condition=Published --timeout=5m")
		},
		paste: map[string]func(*reader) string{
			"huts-open-3f1c92b04a6de857": func(r *reader) string {
				return r.must(`kubectl get posts.pressroom.dev -n acme-blog -o jsonpath='{.items[?(@.spec.articleRef.name=="huts-open")].metadata.name}'`)
			},
		},
	},
	{
		file: "docs/reference/site.md",
		before: map[string]func(*reader){
			// The page has changed the type and the secret of the Site since: this is another day.
			"kubectl annotate sites.pressroom.dev acme ": func(r *reader) {
				r.must("kubectl delete -n acme-blog sites.pressroom.dev/acme secret/acme-webhook")
				r.createSamples(r.T)
			},
		},
	},
	{
		file: "docs/how-to/troubleshooting.md",
		prepare: func(r *reader) {
			r.must("make plugin")
			r.generated(trailShoes)
			r.must("blog_uid=" + identity.UID(identity.KindArticle, system.Workspace, trailShoes))
		},
	},
	{
		file: "docs/how-to/build-an-app.md",
		before: map[string]func(*reader){
			"pressroom oauth-clients rotate pr_ci_aa3ntef7lzig6jmn": func(r *reader) { r.apply(r.yaml("name: aa3ntef7lzig6jmn")) },
			askForToken + "-u": func(r *reader) { r.confidentialClient(); r.verifiedCode() },
			`curl -sS "$PRESSROOM_URL/v1/api/sites" -H "x-api-key: $token"`: func(r *reader) { r.exchange("$client_id", "$client_secret") },
		},
	},
	{file: "docs/how-to/run-oauth.md"},
	{
		file:    "docs/reference/oauth-grant.md",
		prepare: (*reader).grant,
		before: map[string]func(*reader){
			"kubectl delete oauthgrants --field-selector":     (*reader).grant,
			"kubectl get oauthgrants -o jsonpath='{range":     (*reader).grant,
			"kubectl get oauthgrant aakjn7njaixrmqbu -o yaml": (*reader).grant,
		},
	},
	{
		file: "docs/reference/rest-api.md",
		before: map[string]func(*reader){
			`curl -sS "$PRESSROOM_URL/v1/api/blogs/$blog_uid/share"`: func(r *reader) {
				r.generated(trailShoes)
				r.must("blog_uid=" + identity.UID(identity.KindArticle, system.Workspace, trailShoes))
			},
			`curl -sS "$PRESSROOM_URL/v1/api/blogs/bulk"`: func(r *reader) {
				r.generated(trailShoes)
				r.must("blog_uid=" + identity.UID(identity.KindArticle, system.Workspace, trailShoes))
				r.must("revision_digest=$(kubectl get article trail-shoes -n acme-blog -o jsonpath='{.status.revision.digest}')")
			},
		},
	},
	{
		file: "docs/how-to/pull.md",
		prepare: func(r *reader) {
			programs, err := docpage.BlocksOf(r.page.file, "js")
			must(r.T, err)
			r.write("pull.mjs", programs[0])
			r.must("kubectl wait article/welcome -n acme-blog --for=condition=Published --timeout=5m")
			r.must(`kubectl patch sites.pressroom.dev acme -n acme-blog --type merge -p '{"spec": {"cms": {"type": "None", "headless": null}}}'`)
			r.apply(`{apiVersion: pressroom.dev/v1alpha1, kind: Article, metadata: {name: taken-back, namespace: acme-blog}, spec: {siteRef: {name: acme},
  content: {title: Closed, markdown: The huts are closed.}, stage: Published, review: {decision: Approved, by: mara@acme.example}}}`)
			r.must("kubectl wait article/taken-back -n acme-blog --for=condition=Published --timeout=5m")
		},
		paste: map[string]func(*reader) string{
			"https://api.example.com": func(r *reader) string { return r.APIURL() },
			"pr_ak_...":               func(r *reader) string { return r.APIKey },
			// The Site of the samples.
			"notes.acme.example": func(*reader) string { return "blog.acme.example" },
		},
		before: map[string]func(*reader){
			"node pull.mjs": func(r *reader) { r.until(changes + `'.data | length == 2'`) },
			// Another day: an article was unpublished, and the site pulls again.
			"ls posts": func(r *reader) {
				r.must("test $(ls posts | wc -l) = 2")
				r.must("kubectl annotate article taken-back -n acme-blog pressroom.dev/unpublish=1")
				r.until(changes + `'.gone | length == 1'`)
				r.must("node pull.mjs && test $(ls posts | wc -l) = 1")
			},
		},
	},
	{
		file: "docs/reference/checks-and-gates.md",
		prepare: func(r *reader) {
			posts, err := docpage.BlocksOf(r.page.file, "markdown")
			must(r.T, err)
			r.write("post.md", posts[0])
			r.write("brief.yaml", "apiVersion: pressroom.dev/v1alpha1\nkind: Brief\nmetadata: {name: soles}\nspec: {facts: [Acme repairs soles.]}\n")
		},
		// In place of Ollama.
		paste: map[string]func(*reader) string{"http://localhost:11434/v1": func(r *reader) string {
			model, err := scripted.Handler("perfect")
			must(r.T, err)
			return r.serve(model) + "/v1"
		}},
		notHere: map[string]string{"make build": "the program that is tested was built before"},
	},
	{
		file: "docs/explanation/quality-figures.md",
		notHere: map[string]string{
			"git worktree add":                           "checks another commit out",
			"../pressroom-figures/hack/yoast/heldout.sh": "needs the npm registry and clones of other repositories",
		},
	},
	{file: "docs/how-to/build-a-receiver.md"},
	{file: "docs/how-to/wordpress.md", prepare: func(r *reader) { r.write("wordpress.yaml", r.yaml("kind: Site")) }},
	{file: "docs/how-to/webflow.md", prepare: func(r *reader) { r.write("token.txt", "a-site-token\n") }},
	{
		file: "docs/how-to/shopify.md",
		prepare: func(r *reader) {
			r.write("token.txt", "shpat_token\n")
			r.write("secret.txt", "shpss_secret\n")
		},
		// Anyone who has the one kind of credentials does not have the other.
		before: map[string]func(*reader){
			"kubectl create secret generic acme-shopify -n acme-blog --from-file=token=": func(r *reader) {
				r.must("kubectl delete secret acme-shopify -n acme-blog")
			},
		},
	},
	{file: "docs/reference/events.md", sectionsElsewhere: map[string]string{"What became of an article": walkTest, "What became of an event": walkTest}},
	{
		file: "docs/how-to/refresh.md",
		prepare: func(r *reader) {
			r.generated(trailShoes)
			r.must("make plugin")
		},
	},
	{file: "docs/reference/brief.md", prepare: func(r *reader) { r.apply(r.yaml("kind: Brief")) }},
	{
		file: "docs/how-to/briefs.md",
		prepare: func(r *reader) {
			r.apply(r.yaml("name: soles-2026"))
			r.apply(r.yaml("keyword: trail shoe soles"))
		},
	},
	{
		file: "docs/reference/kubectl-plugin.md",
		prepare: func(r *reader) {
			r.must("make plugin")
			r.generated(trailShoes)
		},
		exits:             map[string]int{"kubectl pressroom diff": 1},
		sectionsElsewhere: map[string]string{"The installation": "cmd/kubectl-pressroom/main_kubectl_test.go"},
	},
	{file: "docs/how-to/gitops.md", elsewhere: installTest},
	{file: "docs/how-to/review-in-git.md", elsewhere: "hack/gitops/flux_test.go"},
	{file: "docs/how-to/agents.md", elsewhere: "hack/clients"},
	{file: "docs/how-to/generate-a-client.md", elsewhere: "hack/clients"},
	{file: "docs/how-to/use-the-npm-package.md", elsewhere: "hack/clients"},
	{file: "docs/how-to/use-the-kinds-from-go.md", elsewhere: "hack/clients"},
	{file: "docs/how-to/install.md", elsewhere: installTest},
	{file: "docs/how-to/operate.md", elsewhere: installTest},
	{file: "docs/how-to/upgrade.md", elsewhere: installTest},
	{file: "docs/how-to/permissions.md", elsewhere: installTest},
	{file: "docs/how-to/several-installations.md", elsewhere: "hack/cells"},
}
