package graph

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// sum is a SHA-256, or an HMAC of it.
type sum = [sha256.Size]byte

// Source is an object that holds configuration, with a hash of each value.
type Source struct {
	ID    ID
	Place Place

	label      string  // starts the labels of its lines
	text       []byte  // as it stands in the document, to tell duplicates apart
	values     []value // sorted by name; one nameless value of another kind, none of a producer
	producer   bool    // a controller makes objects of it
	silent     bool    // of a producer: nothing in it decides their content
	products   []product
	fields     []value // of a producer: what decides every key
	open       bool    // keys may come from elsewhere than the values
	copies     *ID     // what a controller copies into it, nil for nothing
	original   *Source // the same, where the input has it
	standIn    string  // why the content is not all here, "" where it is
	ignored    bool
	ignoreSaid bool // there is a word of ours about it
	ignoreKeys []string
	words      []word    // of other tools
	problems   []problem // faults of the object as a whole
	renames    *renames  // by kustomize, nil where it left no trace
	position   *position // when it comes, nil where it says nothing about it
	suffixed   bool      // its name ends in a hash of its content
	superseded bool      // another object with the same identity comes later
	used       atomic.Bool
	needed     atomic.Bool // by a stamp
}

// value is a key's value, hashed.
type value struct {
	name   string
	sum    sum
	offset int32 // of the key, in the source's document
	field  int8  // the place among dataFields of the field that holds it
	secret bool  // of a Secret: its hash is not shown
	keyed  bool  // through HMAC
	binary bool  // of binaryData, which reaches no environment
	fault  *fault
}

// fault is what there is to tell of a value, if it is used or if not.
type fault struct {
	problem     string // why the API server would refuse it, "" where it would not
	field       string
	also        Place // the key's other place, where the problem is that it has two
	placeholder bool  // a later step fills it in
	needed      atomic.Bool
}

// dataField is a field of a ConfigMap or Secret that holds keys.
type dataField struct {
	name    string
	base64  bool
	binary  bool
	secrets bool
}

// dataFields are listed in the order in which they win.
var dataFields = map[string][]dataField{
	kinds.ConfigMap: {{name: "data"}, {name: "binaryData", base64: true, binary: true}},
	kinds.Secret:    {{name: "stringData", secrets: true}, {name: "data", base64: true, secrets: true}},
}

// readSource reads a ConfigMap or Secret.
func (r *Reader) readSource(s *Source, n tree.Node) {
	for i, f := range dataFields[s.ID.Kind] {
		data := n.Field(f.name)
		if first, again := n.Duplicate(f.name); again.Exists() {
			s.problems = append(s.problems, twice(f.name, r.at(again), r.at(first)))
		}
		switch {
		case data.Kind() == tree.Map:
			r.readData(s, data, f, i)
		case !data.Empty() || data.Kind() == tree.Seq:
			s.fault(r.at(data), f.name, fmt.Sprintf("%s is %s, not a map", f.name, typeName(data)))
		}
	}
	slices.SortStableFunc(s.values, func(a, b value) int { return cmp.Compare(a.name, b.name) })
	s.dropHidden()
	if s.ID.Kind == kinds.Secret && n.Field("type").Text() == kinds.TokenSecret {
		s.standIn = "the cluster fills this Secret with a token"
		s.open = true
	}
}

func (s *Source) fault(at Place, field, message string) {
	s.problems = append(s.problems, problem{field: field, place: at, message: message})
}

func (r *Reader) readData(s *Source, data tree.Node, f dataField, index int) {
	s.values = slices.Grow(s.values, data.Len())
	for k, v := range data.Fields() {
		val := value{
			name: k.KeyText(), offset: int32(k.Offset()), field: int8(index), binary: f.binary,
			secret: f.secrets, keyed: f.secrets && r.opts.SecretKey != nil,
		}
		var problem string
		switch {
		case k.Kind() != tree.Scalar:
			val.name, problem = "?", "the key is "+typeName(k)
		case !validKey(val.name) && !strings.Contains(val.name, "${"):
			problem = "a key may hold letters, digits, '-', '_' and '.' alone"
		case v.Type() != tree.String && v.Type() != tree.Null:
			problem = fmt.Sprintf("the value is %s where a string must be: %s", typeName(v), asString(v))
		}
		hashProblem, placeholder := r.hashValue(&val, v, f)
		if problem = cmp.Or(problem, hashProblem); problem != "" || placeholder {
			val.fault = &fault{problem: problem, field: f.name, placeholder: placeholder}
		}
		s.values = append(s.values, val)
	}
}

// asString says how to make a string of a value that is none.
func asString(v tree.Node) string {
	if v.Kind() == tree.Scalar {
		return "quote it"
	}
	return "put | behind the key"
}

// hashValue hashes the bytes that a container would see, and tells why there
// are none or whether they are a placeholder.
func (r *Reader) hashValue(val *value, v tree.Node, f dataField) (problem string, placeholder bool) {
	text := v.Bytes(&r.text)
	placeholder = r.vault.isPlaceholder(text)
	if f.base64 && !isCiphertext(text) {
		r.decoded = slices.Grow(r.decoded[:0], base64.StdEncoding.DecodedLen(len(text)))
		decoded := r.decoded[:cap(r.decoded)]
		n, err := base64.StdEncoding.Decode(decoded, text)
		switch {
		case err == nil:
			text = decoded[:n]
			placeholder = placeholder || r.vault.fills(text)
		case r.vault.holdsPlaceholder(text):
			placeholder = true
		default:
			return base64Problem(err), false
		}
	}
	val.sum = r.hash(text, f.secrets)
	return "", placeholder
}

// hash hashes a value, with the key where it is a Secret's.
func (r *Reader) hash(text []byte, secret bool) sum {
	if !secret || r.opts.SecretKey == nil {
		return sha256.Sum256(text)
	}
	if r.mac == nil {
		r.mac = hmac.New(sha256.New, r.opts.SecretKey)
	}
	r.mac.Reset()
	r.mac.Write(text) // a hash never fails to write
	return sum(r.mac.Sum(nil))
}

func base64Problem(err error) string {
	var at base64.CorruptInputError
	if errors.As(err, &at) {
		return fmt.Sprintf("the value is not base64, from byte %d on", int64(at))
	}
	return "the value is not base64"
}

// dropHidden drops a key's value where a field that wins has the key too, and
// notes the keys that are there twice otherwise. Values are sorted by name, and
// equal names stand in the order of the fields.
func (s *Source) dropHidden() {
	kept := s.values[:0]
	for _, v := range s.values {
		n := len(kept)
		if n == 0 || kept[n-1].name != v.name {
			kept = append(kept, v)
			continue
		}
		last := &kept[n-1]
		if s.ID.Kind == kinds.Secret && last.field != v.field {
			continue
		}
		last.fault = &fault{
			problem: "the key stands here and", field: dataFields[s.ID.Kind][v.field].name,
			also: Place{s.Place.Doc, int(last.offset)},
		}
		last.offset = v.offset
	}
	s.values = kept
}

// find returns the value of a key, nil where there is none.
func (s *Source) find(key string) *value {
	if values := named(s.values, key); len(values) > 0 {
		return &values[0]
	}
	return nil
}

// named returns those of sorted values that have a name.
func named(values []value, name string) []value {
	start, _ := slices.BinarySearchFunc(values, name, func(v value, name string) int { return cmp.Compare(v.name, name) })
	end := start
	for end < len(values) && values[end].name == name {
		end++
	}
	return values[start:end]
}

// validKey is the API server's rule for the keys of ConfigMaps and Secrets
// (k8s.io/apimachinery validation.IsConfigMapKey).
func validKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return key != "" && key != "." && !strings.HasPrefix(key, "..") && len(key) <= 253
}

// ValidNamespace reports whether a namespace can have the name: a DNS label
// (RFC 1123).
func ValidNamespace(name string) bool {
	return len(name) <= 63 && validName(name) && !strings.Contains(name, ".")
}

// validName is the API server's rule for the names of ConfigMaps and Secrets: a
// DNS subdomain (RFC 1123).
func validName(name string) bool {
	if len(name) > 253 {
		return false
	}
	for _, part := range strings.Split(name, ".") {
		if part == "" || part[0] == '-' || part[len(part)-1] == '-' {
			return false
		}
		for i := range len(part) {
			c := part[i]
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
		}
	}
	return true
}

// Value is a key of a source with the hash of its value.
type Value struct {
	Key    string
	Sum    [sha256.Size]byte
	Secret bool // the sum is not for showing
	Place  Place
}

// Values are the source's keys, sorted; of a producer its entries and fields.
func (s *Source) Values() []Value {
	var all []Value
	s.eachValue(func(label string, v *value) {
		all = append(all, Value{label + v.name, v.sum, v.secret, Place{s.Place.Doc, int(v.offset)}})
	})
	return all
}

// eachValue visits every value, with what goes before its name in the label of
// a line.
func (s *Source) eachValue(visit func(label string, v *value)) {
	walk := func(label string, values []value) {
		for i := range values {
			visit(label, &values[i])
		}
	}
	walk("", s.values)
	for i := range s.products {
		if p := &s.products[i]; !p.again {
			walk(p.label, p.values)
			walk(p.label, p.every)
		}
	}
	walk("", s.fields)
}

// Superseded reports whether a later object of the input has the same identity.
func (s *Source) Superseded() bool { return s.superseded }
