// Package funcs holds the functions that templates may call: those of sprig of
// which the same input has the same output, on every machine and in every run.
package funcs

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// allowed are sprig's functions that depend on nothing but their arguments.
var allowed = strings.Fields(`
	abbrev abbrevboth camelcase cat contains hasPrefix hasSuffix hello indent initials kebabcase lower nindent nospace
	plural quote repeat replace snakecase squote substr swapcase title trim trimAll trimPrefix trimSuffix trimall trunc
	untitle upper wrap wrapWith regexFind regexFindAll regexMatch regexQuoteMeta regexReplaceAll regexReplaceAllLiteral
	regexSplit mustRegexFind mustRegexFindAll mustRegexMatch mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit
	add add1 add1f addf biggest ceil div divf float64 floor int int64 max maxf min minf mod mul mulf round sub subf seq
	toDecimal until untilStep atoi toString toStrings
	append chunk compact concat first has initial join last list mustAppend mustChunk mustCompact mustFirst mustHas
	mustInitial mustLast mustPrepend mustPush mustRest mustReverse mustSlice mustUniq mustWithout prepend push rest reverse
	slice sortAlpha split splitList splitn tuple uniq without
	all any coalesce default empty fail ternary
	deepCopy deepEqual dict dig get hasKey merge mergeOverwrite mustDeepCopy mustMerge mustMergeOverwrite omit pick pluck
	set unset
	fromJson mustFromJson toJson toPrettyJson toRawJson mustToJson mustToPrettyJson mustToRawJson
	adler32sum sha1sum sha256sum sha512sum b32dec b32enc b64dec b64enc
	base clean dir ext isAbs urlJoin urlParse semver semverCompare
	kindIs kindOf typeIs typeIsLike typeOf
`)

// refused are the others, with the reason.
var refused = reasons(map[string]string{
	`ago date dateInZone dateModify date_in_zone date_modify duration durationRound htmlDate htmlDateInZone
	mustDateModify mustToDate must_date_modify now toDate unixEpoch`: "it depends on the time or on the time zone",
	`randAlpha randAlphaNum randAscii randBytes randInt randNumeric shuffle uuidv4`: "it is random: every run would restart pods",
	`bcrypt buildCustomCert decryptAES derivePassword encryptAES genCA genCAWithKey genPrivateKey genSelfSignedCert
	genSelfSignedCertWithKey genSignedCert genSignedCertWithKey htpasswd`: "it makes or handles keys: every run would give another value",
	`env expandenv`:                      "it reads the environment",
	`getHostByName`:                      "it asks the network",
	`keys values`:                        "the order of its result is random",
	`osBase osClean osDir osExt osIsAbs`: "it goes by the machine's paths",
})

func reasons(lists map[string]string) map[string]string {
	m := make(map[string]string)
	for names, reason := range lists {
		for _, name := range strings.Fields(names) {
			m[name] = reason
		}
	}
	return m
}

// Map returns the functions. A refused one is there too, and fails with the
// reason when it is called.
func Map() template.FuncMap {
	all, m := sprig.TxtFuncMap(), make(template.FuncMap)
	for _, name := range allowed {
		m[name] = all[name]
	}
	limit(m)
	for name, reason := range refused {
		m[name] = func(...any) (string, error) { return "", fmt.Errorf("%s is not allowed: %s", name, reason) }
	}
	return m
}

// most is the largest number by which a function makes a list or a text longer.
// A slip of the pen, until 1e10 say, would else take all memory.
const most = 1 << 20

// limit holds the functions that make as much as they are told to.
func limit(m template.FuncMap) {
	until, untilStep, seq := m["until"].(func(int) []int), m["untilStep"].(func(int, int, int) []int), m["seq"].(func(...int) string)
	repeat, indent, nindent := m["repeat"].(func(int, string) string), m["indent"].(func(int, string) string), m["nindent"].(func(int, string) string)
	m["until"] = func(n int) ([]int, error) { return few(func() []int { return until(n) }, n) }
	m["untilStep"] = func(start, stop, step int) ([]int, error) {
		return few(func() []int { return untilStep(start, stop, step) }, start, stop, step)
	}
	m["seq"] = func(params ...int) (string, error) { return few(func() string { return seq(params...) }, params...) }
	m["repeat"] = func(n int, text string) (string, error) {
		return few(func() string { return repeat(n, text) }, n, n*len(text))
	}
	m["indent"] = func(n int, text string) (string, error) { return few(func() string { return indent(n, text) }, n) }
	m["nindent"] = func(n int, text string) (string, error) { return few(func() string { return nindent(n, text) }, n) }
}

func few[T any](do func() T, numbers ...int) (result T, err error) {
	for _, n := range numbers {
		if n > most || n < -most {
			return result, fmt.Errorf("%d is more than %d, which is as far as it goes", max(n, -n), most)
		}
	}
	return do(), nil
}
