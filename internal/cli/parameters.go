package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/render"
)

// application is what is to be done for one application of Argo CD.
type application struct {
	options
	folder render.FolderOptions
	fitted []parameter // that were set, and are not for all renderers
}

// parameter is one that an application may set. None of them reaches beyond the
// application's repository, lets a program run, or names a key.
type parameter struct {
	name, title, tooltip string
	form                 string   // of the value: one of the forms below
	initial              string   // the default, where it is no list and no map
	flag                 string   // that takes the parameter away from applications when it is set
	renderers            []string // that the parameter is for; default: all
	set                  func(app *application, v value) error
}

// Forms of parameters.
const (
	text    = "string"
	boolean = "boolean"
	list    = "array"
	textMap = "map"
)

// parameters is the table that generate reads and parameters announces.
var parameters = []parameter{
	{
		name: "renderer", title: "Renderer", form: text,
		tooltip: "how to render the folder: " + strings.Join(render.RendererNames, ", ") + "; default: the first that knows it",
		set: func(app *application, v value) error {
			return choose(&app.folder.Renderer, *v.Text, render.RendererNames)
		},
	},
	{
		name: "recurse", title: "Recurse", form: boolean, initial: "false", renderers: []string{"plain"},
		tooltip: "take the manifests in subfolders of a plain folder too",
		set:     func(app *application, v value) error { return truth(&app.folder.Recurse, *v.Text) },
	},
	{
		name: "strict", title: "Strict", form: boolean, initial: "false", flag: "strict",
		tooltip: "references to what is not rendered are errors",
		set:     func(app *application, v value) error { return truth(&app.strict, *v.Text) },
	},
	{
		name: "fail-on", title: "Fail on", form: text, initial: "error", flag: "fail-on",
		tooltip: "least severity of a finding that fails the run: error, warning, info or none",
		set: func(app *application, v value) error {
			return choose(&app.failOn, *v.Text, []string{"error", "warning", "info", "none"})
		},
	},
	{
		name: "release-name", title: "Release name", form: text, renderers: []string{"helm"},
		tooltip: "of a chart; default: the application's name",
		set:     func(app *application, v value) error { app.folder.Helm.Release = *v.Text; return nil },
	},
	{
		name: "values-files", title: "Values files", form: list, renderers: withValues,
		tooltip: "of a chart or of templates, relative to the folder; with a slash before it, relative to the repository",
		set:     func(app *application, v value) error { app.folder.Values.Files = v.Array; return nil },
	},
	{
		name: "values", title: "Values", form: text, renderers: withValues,
		tooltip: "of a chart or of templates, as YAML; over those of the files",
		set:     func(app *application, v value) error { app.folder.Values.Text = *v.Text; return nil },
	},
	{
		name: "helm-parameters", title: "Helm parameters", form: textMap, renderers: withValues,
		tooltip: "values of a chart or of templates by their paths, as --set takes them",
		set:     func(app *application, v value) error { app.folder.Values.Sets = setsOf(v.Map); return nil },
	},
	{
		name: "helm-string-parameters", title: "Helm string parameters", form: textMap, renderers: withValues,
		tooltip: "the same as --set-string takes them: each is a text",
		set:     func(app *application, v value) error { app.folder.Values.SetStrings = setsOf(v.Map); return nil },
	},
	{
		name: "kudo-instance", title: "KUDO instance", form: text, renderers: []string{"kudo"},
		tooltip: "name of a KUDO package's instance; default: the application's name",
		set:     func(app *application, v value) error { app.folder.KUDO.Instance = *v.Text; return nil },
	},
	{
		name: "kudo-plans", title: "KUDO plans", form: list, renderers: []string{"kudo"},
		tooltip: "plans of a KUDO package, which run one after the other; default: deploy",
		set:     func(app *application, v value) error { app.folder.KUDO.Plans = v.Array; return nil },
	},
	{
		name: "kudo-parameters", title: "KUDO parameters", form: textMap, renderers: []string{"kudo"},
		tooltip: "parameters of a KUDO package by their names; over those of the files",
		set: func(app *application, v value) error {
			for _, name := range slices.Sorted(maps.Keys(v.Map)) {
				app.folder.KUDO.Params = append(app.folder.KUDO.Params, name+"="+v.Map[name])
			}
			return nil
		},
	},
	{
		name: "kudo-parameter-files", title: "KUDO parameter files", form: list, renderers: []string{"kudo"},
		tooltip: "files of parameters of a KUDO package, relative to it; with a slash before it, relative to the repository",
		set:     func(app *application, v value) error { app.folder.KUDO.ParamFiles = v.Array; return nil },
	},
}

// withValues are the renderers that take values.
var withValues = []string{"helm", "templates"}

// value is a parameter as Argo CD sends it.
type value struct {
	Name  string            `json:"name"`
	Text  *string           `json:"string"`
	Array []string          `json:"array"`
	Map   map[string]string `json:"map"`
}

// form is the form of a value, nothing where it has none or several.
func (v *value) form() string {
	switch {
	case v.Text != nil && v.Array == nil && v.Map == nil:
		return text
	case v.Text == nil && v.Array != nil && v.Map == nil:
		return list
	case v.Text == nil && v.Array == nil && v.Map != nil:
		return textMap
	}
	return ""
}

// application reads what Argo CD says of an application.
func (a *argo) application(cmd *cobra.Command) (*application, error) {
	app := &application{options: *a.options, folder: a.folder}
	if app.namespace == "" {
		app.namespace = os.Getenv("ARGOCD_APP_NAMESPACE")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fail(err)
	}
	app.folder.Root = repositoryRoot(dir, os.Getenv("ARGOCD_APP_SOURCE_PATH"))
	app.folder.KubeVersion = os.Getenv("KUBE_VERSION")
	app.folder.APIVersions = strings.FieldsFunc(os.Getenv("KUBE_API_VERSIONS"), func(r rune) bool { return r == ',' })
	app.folder.Helm.Release = instanceName(os.Getenv("ARGOCD_APP_NAME"))
	app.folder.KUDO.Instance = app.folder.Helm.Release
	app.folder.Namespace = app.namespace
	values, err := readValues(os.Getenv(parametersVariable))
	if err != nil {
		return nil, usage("reading %s: %w", parametersVariable, err)
	}
	var errs []error
	for i, v := range values {
		if slices.ContainsFunc(values[:i], func(other value) bool { return other.Name == v.Name }) {
			errs = append(errs, fmt.Errorf("parameter %s: it is there twice", v.Name))
			continue
		}
		if err := app.set(cmd, v); err != nil {
			errs = append(errs, fmt.Errorf("parameter %s: %w", v.Name, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, &failure{misusage, err, "restamp argocd parameters lists them: " + strings.Join(parameterNames(), ", ")}
	}
	return app, nil
}

const parametersVariable = "ARGOCD_APP_PARAMETERS"

// readValues reads the list of parameters. No value is quoted in an error.
func readValues(text string) ([]value, error) {
	if text == "" {
		return nil, nil
	}
	var values []value
	in := json.NewDecoder(bytes.NewReader([]byte(text)))
	in.DisallowUnknownFields()
	if err := in.Decode(&values); err != nil {
		return nil, err
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than a list")
	}
	return values, nil
}

func (app *application) set(cmd *cobra.Command, v value) error {
	i := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == v.Name })
	if i < 0 {
		return errors.New("there is no such parameter")
	}
	p := parameters[i]
	want := p.form
	if want == boolean {
		want = text
	}
	if v.form() != want {
		return fmt.Errorf("it takes the field %q alone", want)
	}
	if p.flag != "" && cmd.Flags().Changed(p.flag) {
		return fmt.Errorf("the plugin's command sets --%s, so that no application may", p.flag)
	}
	if p.renderers != nil {
		app.fitted = append(app.fitted, p)
	}
	return p.set(app, v)
}

// fits refuses parameters that are for another renderer than the folder's.
func (app *application) fits(renderer string) error {
	var errs []error
	for _, p := range app.fitted {
		if !slices.Contains(p.renderers, renderer) {
			errs = append(errs, fmt.Errorf("parameter %s: it is for the renderer %s, and this folder is rendered by %s", p.name, strings.Join(p.renderers, " or "), renderer))
		}
	}
	if len(errs) > 0 {
		return &failure{misusage, errors.Join(errs...), ""}
	}
	return nil
}

// setsOf writes a map of paths to values as --set takes each.
func setsOf(m map[string]string) []string {
	var sets []string
	for _, path := range slices.Sorted(maps.Keys(m)) {
		sets = append(sets, path+"="+escapeCommas(m[path]))
	}
	return sets
}

// escapeCommas keeps a comma from ending a value. A list, in braces, has its
// own; a comma that is escaped stays so.
func escapeCommas(value string) string {
	if strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}") {
		return value
	}
	var b strings.Builder
	for i := range len(value) {
		if value[i] == ',' && (i == 0 || value[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

func choose(field *string, word string, words []string) error {
	if !slices.Contains(words, word) {
		return fmt.Errorf("it must be one of %s", strings.Join(words, ", "))
	}
	*field = word
	return nil
}

func truth(field *bool, word string) error {
	if err := choose(new(string), word, []string{"true", "false"}); err != nil {
		return err
	}
	*field = word == "true"
	return nil
}

func parameterNames() []string {
	var names []string
	for _, p := range parameters {
		names = append(names, p.name)
	}
	return names
}

// announcement is a parameter as Argo CD shows it.
type announcement struct {
	Name           string `json:"name"`
	Title          string `json:"title"`
	Tooltip        string `json:"tooltip"`
	ItemType       string `json:"itemType"`
	CollectionType string `json:"collectionType"`
	Text           string `json:"string,omitempty"`
}

func announcements() []announcement {
	var all []announcement
	for _, p := range parameters {
		a := announcement{p.name, p.title, p.tooltip, text, text, p.initial}
		switch p.form {
		case boolean:
			a.ItemType = boolean
		case list, textMap:
			a.CollectionType = p.form
		}
		all = append(all, a)
	}
	return all
}
