package article

import (
	"errors"
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/internal/clipboard"
)

// PathPaste is the path that the script of the editor sends what is pasted to.
const PathPaste = newPath + "/paste"

// paste answers with the Markdown of the HTML that was pasted. Nothing is stored.
func paste(v *page.Visit, form struct{ HTML page.Verbatim }) (*page.Answer, error) {
	end, err := v.Deps.API.Turn(v.Ctx(), v.Person.Account)
	if err != nil {
		return nil, err
	}
	defer end()
	text, err := clipboard.Markdown(string(form.HTML))
	if errors.Is(err, clipboard.ErrTooLarge) {
		return v.Message(http.StatusRequestEntityTooLarge, "Too large", "The text is too large to keep its format."), nil
	}
	if err != nil {
		return nil, err
	}
	a := v.Page("pasted.html", "Pasted", text)
	a.Bare = true
	return a, nil
}
