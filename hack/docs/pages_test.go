//go:build e2e

package docs

// page is a page whose commands run, in a shell and a folder of its own. Its preparation is in a file of its own.
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

// installTest fails for a command of its pages that it neither runs nor lists.
const installTest = "hack/install/commands_test.go"

// pages are run in this order.
func pages() []page {
	return []page{
		readme(),
		accounts(),
		apiKeys(),
		articles(),
		articleRevisions(),
		backup(),
		contributing(),
		posts(),
		sites(),
		troubleshooting(),
		oauthClients(),
		oauthConsent(),
		oauthGrants(),
		restAPI(),
		quality(),
		webflow(),
		shopify(),
		delivery(),
		kubectlPlugin(),
		development(),
		{file: "docs/gitops.md", elsewhere: installTest},
		{file: "docs/installing.md", elsewhere: installTest},
		{file: "docs/operating.md", elsewhere: installTest},
		{file: "docs/upgrading.md", elsewhere: installTest},
	}
}
