package rules

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is a file or folder of tests, and after a colon the text that names the tests in the file.
var named = regexp.MustCompile("`([^`]+)`(?:: \"([^\"]+)\")?")

func TestEveryThreatNamesATestThatExists(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "security-model.md"))
	if err != nil {
		t.Fatal(err)
	}
	threats := threatsOf(string(page))
	for threat, test := range threats {
		found := named.FindAllStringSubmatch(test, -1)
		if len(found) == 0 {
			t.Errorf("no test is named for: %s", threat)
		}
		for _, n := range found {
			if err := exists(n[1], n[2]); err != nil {
				t.Errorf("%v: %s", err, threat)
			}
		}
	}
	const least = 30
	if len(threats) < least {
		t.Errorf("only %d threats are found: the page is read wrongly", len(threats))
	}
}

// threatsOf returns the last column of a page's threat tables by the other columns.
func threatsOf(page string) map[string]string {
	threats := map[string]string{}
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		if !strings.HasPrefix(line, "|") || last == "test" || strings.HasPrefix(last, "---") {
			continue
		}
		threats[strings.Join(cells[:len(cells)-1], "|")] = last
	}
	return threats
}

// exists returns an error unless a file or folder has tests, with a text if there is one.
func exists(path, text string) error {
	path = filepath.Join(root, filepath.FromSlash(path))
	if info, err := os.Stat(path); err != nil {
		return err
	} else if info.IsDir() {
		return hasTests(path)
	}
	if !strings.HasSuffix(path, "_test.go") {
		return errors.New(path + " is no test")
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !strings.Contains(string(source), text) {
		return errors.New(path + " has no test " + text)
	}
	return nil
}

func hasTests(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err == nil && len(files) == 0 {
		return errors.New(folder + " has no tests")
	}
	return err
}
