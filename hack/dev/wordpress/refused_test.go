//go:build e2e

package wordpress_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/wordpress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	connector "github.com/pressroom-dev/pressroom/internal/publish/wordpress"
)

func connectorTest(t *testing.T, to publish.Target) publish.Outcome {
	t.Helper()
	return connector.New().Test(t.Context(), to, "nonce")
}

// Each wrong set-up is refused with the same sentence by a test and by an attempt to publish, and leaves nothing behind.
func TestWhatIsWrongIsSaid(t *testing.T) {
	needWordPress(t)
	broken := wordpress.Login{Username: "author", Password: "abcd efgh ijkl mnop qrst uvwx"}
	for name, tt := range map[string]struct {
		login    wordpress.Login
		breaking string
		change   func(*v1alpha1.WordPressConnection)
		want     v1alpha1.ErrorClass
		sentence string
	}{
		"a broken password":  {login: broken, want: v1alpha1.ErrorWrongCredentials, sentence: "check username and application password"},
		"an unknown user":    {login: wordpress.Login{Username: "nobody", Password: broken.Password}, want: v1alpha1.ErrorWrongCredentials, sentence: "check username and application password"},
		"a contributor":      {login: server.Contributor, want: v1alpha1.ErrorMissingPermission, sentence: "publish_posts: give it the role Author"},
		"no passwords":       {login: server.Author, breaking: "no-passwords", want: v1alpha1.ErrorWrongCredentials},
		"a page":             {login: server.Author, breaking: "page", want: v1alpha1.ErrorUnexpectedAnswer, sentence: "a page came instead of JSON"},
		"a warning":          {login: server.Author, breaking: "warning", want: v1alpha1.ErrorUnexpectedAnswer, sentence: "a page came instead of JSON"},
		"another folder":     {login: server.Author, change: func(w *v1alpha1.WordPressConnection) { w.URL += "/nowhere/" }, want: v1alpha1.ErrorNotFound, sentence: "correct url"},
		"a post type":        {login: server.Author, change: func(w *v1alpha1.WordPressConnection) { w.PostType = "recipe" }, want: v1alpha1.ErrorNotFound, sentence: "no post type recipe"},
		"pages of an author": {login: server.Author, change: func(w *v1alpha1.WordPressConnection) { w.PostType = "page" }, want: v1alpha1.ErrorMissingPermission},
		"a category":         {login: server.Author, change: func(w *v1alpha1.WordPressConnection) { w.Categories = []string{"news", "nothing"} }, want: v1alpha1.ErrorNotFound, sentence: "one of the categories"},
		"a tag":              {login: server.Author, change: func(w *v1alpha1.WordPressConnection) { w.Tags = []string{"nothing"} }, want: v1alpha1.ErrorNotFound, sentence: "one of the tags"},
		"another's author":   {login: server.Author, change: func(w *v1alpha1.WordPressConnection) { w.AuthorID = 3 }, want: v1alpha1.ErrorMissingPermission, sentence: "edit_others_posts"},
		"no such author":     {login: server.Editor, change: func(w *v1alpha1.WordPressConnection) { w.AuthorID = 99 }, want: v1alpha1.ErrorNotFound, sentence: "the id that author names"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.breaking != "" {
				breaks(t, tt.breaking)
			}
			var changes []func(*v1alpha1.WordPressConnection)
			if tt.change != nil {
				changes = append(changes, tt.change)
			}
			to := blog(tt.login, changes...)
			refused(t, connectorTest(t, to), tt.want, tt.sentence)
			o := publishTo(t, to, article(t, "shoes", "Shoes", body))
			refused(t, o, tt.want, tt.sentence)
			if o.Final != (tt.want != v1alpha1.ErrorUnexpectedAnswer) {
				t.Errorf("final: %t", o.Final)
			}
			for _, secret := range []string{tt.login.Password, strings.ReplaceAll(tt.login.Password, " ", "")} {
				if strings.Contains(o.Message+o.Snippet, secret) {
					t.Errorf("the password is in %q, %q", o.Message, o.Snippet)
				}
			}
		})
	}
	if all := posts(t); len(all) > 0 {
		t.Errorf("something is left behind: %+v", all)
	}
}

func TestAConnectionThatIsRight(t *testing.T) {
	needWordPress(t)
	for _, login := range []wordpress.Login{server.Author, server.Editor} {
		if o := connectorTest(t, blog(login)); o.Outcome != v1alpha1.AttemptAccepted || o.Message == "" {
			t.Errorf("%s: %+v", login.Username, o)
		}
	}
	if all := posts(t); len(all) > 0 {
		t.Errorf("something is left behind: %+v", all)
	}
}

func TestMaintenance(t *testing.T) {
	needWordPress(t)
	file := filepath.Join(server.Folder, "www", ".maintenance")
	if err := os.WriteFile(file, []byte("<?php $upgrading = time(); ?>"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(file) })
	o := publishTo(t, blog(server.Author), article(t, "shoes", "Shoes", body))
	refused(t, o, v1alpha1.ErrorUnavailable, "503")
	if o.Final || o.RetryAfter != 10*time.Minute {
		t.Errorf("%+v", o)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	accepted(t, publishTo(t, blog(server.Author), article(t, "shoes", "Shoes", body)))
}

// The id of a post that a plugin holds back is kept, and the next attempt finds it.
func TestAPostThatIsHeldBack(t *testing.T) {
	needWordPress(t)
	breaks(t, "held")
	a := article(t, "shoes", "Shoes", body)
	o := publishTo(t, blog(server.Author), a)
	refused(t, o, v1alpha1.ErrorMissingPermission, "keeps the post as pending")
	if p := onlyPost(t); o.ID != id(p) || p.Status != "pending" {
		t.Errorf("%+v, %+v", o, p)
	}
	if err := os.Remove(filepath.Join(server.Folder, "breaking")); err != nil {
		t.Fatal(err)
	}
	a = recorded(a, o)
	again := accepted(t, publishTo(t, blog(server.Author), a))
	if p := onlyPost(t); again.ID != o.ID || p.Status != "publish" {
		t.Errorf("%+v, %+v", again, p)
	}
}
