package wordpress

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// check tests a connection: application passwords, the user's permissions, and all that the Site names.
func (s *session) check(ctx context.Context) (string, error) {
	for _, step := range []func(context.Context) error{s.checkPasswords, s.checkUser, s.checkAuthor} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	if _, err := s.terms(ctx); err != nil {
		return "", err
	}
	return "WordPress accepts the credentials, and the user may publish", nil
}

// checkPasswords checks that WordPress has application passwords. Without them it takes no notice of the credentials.
func (s *session) checkPasswords(ctx context.Context) error {
	var index struct {
		Authentication json.RawMessage `json:"authentication"`
	}
	if err := s.call(ctx, get("", url.Values{fieldsParam: {"authentication"}}), &index); err != nil {
		return err
	}
	// PHP writes an empty list for no methods.
	var methods map[string]json.RawMessage
	if json.Unmarshal(index.Authentication, &methods) != nil || methods["application-passwords"] == nil {
		return cms.Fail(v1alpha1.ErrorWrongCredentials, noPasswords)
	}
	return nil
}

// checkUser checks the post type, and that the user may publish posts of it.
func (s *session) checkUser(ctx context.Context) error {
	var user struct {
		ID           int64                      `json:"id"`
		Capabilities map[string]json.RawMessage `json:"capabilities"`
	}
	if err := s.call(ctx, get("wp/v2/users/me", url.Values{"context": {"edit"}, fieldsParam: {"id,capabilities"}}), &user); err != nil {
		return err
	}
	if err := s.readPostType(ctx); err != nil {
		return err
	}
	author := s.site.Spec.CMS.WordPress.AuthorID
	needs := []string{"edit_posts", "publish_posts"}
	if author != 0 && author != user.ID {
		needs = append(needs, "edit_others_posts")
	}
	for _, need := range needs {
		name := s.permission(need)
		if has := user.Capabilities[name]; string(has) != "true" && string(has) != "1" {
			return cms.Fail(v1alpha1.ErrorMissingPermission,
				"the WordPress user needs the permission %s: give it the role %s", name, roleWith(need))
		}
	}
	return nil
}

// roleWith is the lowest of WordPress's own roles that has a permission.
func roleWith(permission string) string {
	if permission == "edit_others_posts" {
		return "Editor"
	}
	return "Author"
}

// permission is the name of a permission of posts for the post type.
func (s *session) permission(ofPosts string) string {
	if name := cms.Name(s.permissions[ofPosts]); name != "" {
		return name
	}
	return ofPosts
}

// readPostType reads where posts of a type other than post are, and what they need.
func (s *session) readPostType(ctx context.Context) error {
	name := s.site.Spec.CMS.WordPress.PostType
	if name == "" || name == "post" {
		return nil
	}
	var kind struct {
		RestBase     string            `json:"rest_base"`
		Namespace    string            `json:"rest_namespace"`
		Capabilities map[string]string `json:"capabilities"`
	}
	query := url.Values{"context": {"edit"}, fieldsParam: {"rest_base,rest_namespace,capabilities"}}
	err := s.call(ctx, get("wp/v2/types/"+url.PathEscape(name), query), &kind)
	if isNotFound(err) || err == nil && cms.Name(kind.RestBase) == "" {
		return cms.Fail(v1alpha1.ErrorNotFound, "WordPress has no post type %s in its REST API: correct postType", name)
	}
	if err != nil {
		return err
	}
	if kind.Namespace == "" {
		kind.Namespace = "wp/v2" // before WordPress 5.9
	}
	s.collection, s.permissions = kind.Namespace+"/"+kind.RestBase, kind.Capabilities
	return nil
}

// checkAuthor checks that the author exists.
func (s *session) checkAuthor(ctx context.Context) error {
	author := s.site.Spec.CMS.WordPress.AuthorID
	if author == 0 {
		return nil
	}
	var user struct {
		ID int64 `json:"id"`
	}
	err := s.call(ctx, get("wp/v2/users/"+strconv.FormatInt(author, 10), url.Values{fieldsParam: {"id"}}), &user)
	if isNotFound(err) {
		return noAuthor()
	}
	return err
}
