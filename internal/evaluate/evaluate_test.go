package evaluate_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/evaluate"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/test/scripted"
)

func generator(t *testing.T, model string) generate.Generator {
	t.Helper()
	handler, err := scripted.Handler(model)
	if err != nil {
		t.Fatal(err)
	}
	return over(t, scripted.Client(handler))
}

func over(t *testing.T, client *http.Client) generate.Generator {
	t.Helper()
	g, err := generate.New(generate.Config{
		Type: v1alpha1.GeneratorOpenAI, Model: "m", BaseURL: "http://scripted.invalid/v1", APIKey: "sk-secret", HTTPClient: client,
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t *testing.T, model string, suite evaluate.Suite) evaluate.Model {
	t.Helper()
	m, err := evaluate.Run(t.Context(), suite, model, generator(t, model), evaluate.Options{Repeats: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// runs has what the scripted models come to, each over the whole suite once.
var runs sync.Map

func runWhole(t *testing.T, model string) evaluate.Model {
	t.Helper()
	once, _ := runs.LoadOrStore(model, sync.OnceValue(func() evaluate.Model { return run(t, model, evaluate.BuiltInSuite()) }))
	return once.(func() evaluate.Model)()
}

func TestTheBuiltInSuiteHasSixteenRequestsInSixLanguages(t *testing.T) {
	suite, languages, briefs := evaluate.BuiltInSuite(), map[string]bool{}, 0
	for _, c := range suite.Cases {
		if c.Brief != nil {
			briefs++
		}
		base, _, _ := strings.Cut(c.Language, "-")
		languages[base] = true
	}
	if len(suite.Cases) != 16 || len(languages) != 6 || briefs != 4 {
		t.Errorf("%d requests in %d languages, %d with a brief; want 16 in 6, 4 with a brief", len(suite.Cases), len(languages), briefs)
	}
}

// What each scripted model comes to, over the whole suite. The log has the report.
func TestTheScriptedModels(t *testing.T) {
	t.Parallel()
	names := scripted.Names()
	report := evaluate.Report{PromptVersion: generate.PromptVersion, Models: make([]evaluate.Model, len(names))}
	t.Cleanup(func() { t.Logf("%s", written(t, report, "r.md")) })
	for i, model := range names {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			m := runWhole(t, model)
			report.Models[i] = m
			for _, r := range m.Results {
				if r.Outcome != evaluate.Succeeded {
					t.Errorf("%s: %s: %s", r.Case, r.Outcome, r.Message)
				}
				if want := wantGates(model, r.Case); !slices.Equal(r.Gates, want) {
					t.Errorf("%s fails the gates %v, want %v: %v", r.Case, r.Gates, want, r.Claims)
				}
				if model == "perfect" && r.Length != "Long" && r.Turns != 2 {
					t.Errorf("%s took %d turns, want 2", r.Case, r.Turns)
				}
				most := int64(6)
				if r.Length == "Long" {
					most += 8
				}
				if r.Turns > most {
					t.Errorf("%s took %d turns, want %d at most", r.Case, r.Turns, most)
				}
				for _, repair := range r.Repairs {
					if repair.Kept && repair.Points < 0 {
						t.Errorf("%s kept a repair that lost points: %+v", r.Case, repair)
					}
				}
			}
		})
	}
}

// wantGates are the gates that the articles of a model fail: what has a brief is held to it.
func wantGates(model, name string) []string {
	if isBad := model == "inventor" || model == "wrong-source"; isBad && strings.Contains(name, "brief") {
		return []string{"claims"}
	}
	return nil
}

func TestWhoeverCitesTheWrongSourceIsNamed(t *testing.T) {
	for _, r := range runWhole(t, "wrong-source").Results {
		if !strings.Contains(r.Case, "brief") {
			continue
		}
		isNamed := slices.ContainsFunc(r.Claims, func(claim string) bool { return strings.Contains(claim, "/wrong-source: ") })
		if !isNamed || r.Unsupported == 0 || r.Citations == 0 {
			t.Errorf("%s has %d claims without support and %d citations: %v", r.Case, r.Unsupported, r.Citations, r.Claims)
		}
	}
}

// An honest model cites in the forms that models use, and each is read.
func TestAnHonestModelIsRead(t *testing.T) {
	perfect, honest := runWhole(t, "perfect"), runWhole(t, "honest")
	for i, r := range honest.Results {
		if r.Citations != perfect.Results[i].Citations || r.Grounding != perfect.Results[i].Grounding || r.Unsupported > 0 {
			t.Errorf("%s has %d citations and %d for grounding, want %d and %d: %v",
				r.Case, r.Citations, r.Grounding, perfect.Results[i].Citations, perfect.Results[i].Grounding, r.Claims)
		}
		if strings.Contains(r.Case, "brief") && (r.Citations < 3 || r.Grounding < 90) {
			t.Errorf("%s has %d citations, and %d for grounding", r.Case, r.Citations, r.Grounding)
		}
	}
}

// Without links and images 82 is the most that a text can reach, and with links to the site's own articles 86.
func TestASloppyModelIsMendedInThreeRepairs(t *testing.T) {
	looked := 0
	for _, r := range runWhole(t, "sloppy").Results {
		if !strings.HasSuffix(r.Case, "neighbours") {
			continue
		}
		looked++
		if r.SEO < 85 || len(r.Repairs) > 3 {
			t.Errorf("%s has %d points after %d repairs, want 85 or more after 3", r.Case, r.SEO, len(r.Repairs))
		}
	}
	if looked == 0 {
		t.Error("no case of the suite has neighbours")
	}
}

func TestAModelThatGetsWorseIsNotFollowed(t *testing.T) {
	before, after := runWhole(t, "ignores-repairs"), runWhole(t, "gets-worse")
	for i, r := range after.Results {
		if r.SEO < before.Results[i].SEO || r.Style < before.Results[i].Style {
			t.Errorf("%s: %d and %d points, want those without repairs: %d and %d", r.Case, r.SEO, r.Style, before.Results[i].SEO, before.Results[i].Style)
		}
		if kept := slices.ContainsFunc(r.Repairs, func(r generate.Repair) bool { return r.Kept }); kept {
			t.Errorf("%s kept a worse text: %+v", r.Case, r.Repairs)
		}
	}
}

func written(t *testing.T, r evaluate.Report, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, name); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var foreign = regexp.MustCompile(`(?i)(src|href|action)\s*=\s*["']?(https?:)?//|@import|url\(`)

func TestTheReportIsTheSameTwiceAndOneFile(t *testing.T) {
	suite := evaluate.BuiltInSuite()
	report := func() evaluate.Report {
		r := evaluate.Report{PromptVersion: generate.PromptVersion}
		for _, model := range scripted.Names() {
			r.Models = append(r.Models, run(t, model, evaluate.Suite{Cases: suite.Cases[1:2]}))
		}
		return r
	}
	first, second := report(), report()
	for _, name := range []string{"r.html", "r.md", "r.json"} {
		a, b := written(t, first, name), written(t, second, name)
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs from one run to the next", name)
		}
		const most = 300 << 10 // for all cases
		if len(a) > most/len(evaluate.BuiltInSuite().Cases) || foreign.Match(a) {
			t.Errorf("%s has %d bytes for one case of the suite, or refers to something outside", name, len(a))
		}
	}
	if err := first.Write(&bytes.Buffer{}, "r.pdf"); err == nil {
		t.Error("a report of an unknown type is written")
	}
}

// What an article costs is what all turns cost, of articles that failed too.
func TestTheReportSaysWhatAnArticleCosts(t *testing.T) {
	sum := evaluate.Sum{Articles: 3, Finished: 2, CostMicros: 3000}
	for _, name := range []string{"r.html", "r.md"} {
		text := string(written(t, evaluate.Report{Currency: "USD", Models: []evaluate.Model{{Name: "m", Sum: sum}}}, name))
		if !strings.Contains(text, "cost of an article") || !strings.Contains(text, "0.001500 USD") || !strings.Contains(text, "0.003000 USD") {
			t.Errorf("%s does not say 0.0015 USD of 0.003 USD:\n%s", name, text)
		}
		if free := string(written(t, evaluate.Report{Models: []evaluate.Model{{Name: "m", Sum: sum}}}, name)); strings.Contains(free, "cost of an article") {
			t.Errorf("%s has costs without prices", name)
		}
	}
	if got := (evaluate.Sum{CostMicros: 5}).CostOfArticle(); got != 0 {
		t.Errorf("no article costs %d", got)
	}
}

func TestWhatIsWorseThanTheBaselineIsNamed(t *testing.T) {
	suite := evaluate.Suite{Cases: evaluate.BuiltInSuite().Cases[1:2]}
	good, bad := run(t, "perfect", suite), run(t, "ignores-repairs", suite)
	good.Name, bad.Name = "m", "m"
	baseline, err := evaluate.ReadReport(written(t, evaluate.Report{Models: []evaluate.Model{good}}, "b.json"))
	if err != nil {
		t.Fatal(err)
	}
	worse := evaluate.Report{Models: []evaluate.Model{bad}}
	worse.Compare(baseline)
	if len(worse.Worse) != 1 || !strings.Contains(worse.Worse[0], "SEO score") || len(worse.Better) > 0 {
		t.Errorf("worse: %v, better: %v, want one lower score", worse.Worse, worse.Better)
	}
	same := evaluate.Report{Models: []evaluate.Model{good}}
	same.Compare(baseline)
	if len(same.Worse)+len(same.Better) > 0 {
		t.Errorf("worse: %v, better: %v, want neither", same.Worse, same.Better)
	}
}

func TestRecordedAnswersGiveTheSameReport(t *testing.T) {
	suite := evaluate.Suite{Cases: evaluate.BuiltInSuite().Cases[1:2]}
	handler, err := scripted.Handler("sloppy")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "answers")
	through := func(record, replay string, h http.Handler) evaluate.Model {
		tape, err := evaluate.NewTape(record, replay)
		if err != nil {
			t.Fatal(err)
		}
		m, err := evaluate.Run(t.Context(), suite, "m", over(t, egress.NewThrough(scripted.Client(h), tape.Through)), evaluate.Options{Repeats: 2})
		if err := errors.Join(err, tape.Missed()); err != nil {
			t.Fatal(err)
		}
		return m
	}
	silent := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		t.Error("an endpoint was asked in a replay")
		w.WriteHeader(http.StatusTeapot)
	})
	recorded, replayed := through(folder, "", handler), through("", folder, silent)
	a := written(t, evaluate.Report{Models: []evaluate.Model{recorded}}, "r.json")
	if b := written(t, evaluate.Report{Models: []evaluate.Model{replayed}}, "r.json"); !bytes.Equal(a, b) {
		t.Errorf("the replay differs:\n%s\n%s", a, b)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		if raw, err := os.ReadFile(filepath.Join(folder, f.Name())); err != nil || bytes.Contains(raw, []byte("sk-secret")) {
			t.Errorf("%s has the key, or cannot be read: %v", f.Name(), err)
		}
	}
}

func TestAReplayWithoutAnAnswerSaysSo(t *testing.T) {
	tape, err := evaluate.NewTape("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	suite := evaluate.Suite{Cases: evaluate.BuiltInSuite().Cases[:1]}
	if _, err := evaluate.Run(t.Context(), suite, "m", over(t, egress.NewThrough(server.Client(), tape.Through)), evaluate.Options{}); err != nil {
		t.Fatal(err)
	}
	if tape.Missed() == nil {
		t.Error("nothing says that an answer is missing")
	}
	if _, err := evaluate.NewTape("a", "b"); err == nil {
		t.Error("a tape records and replays at once")
	}
}
