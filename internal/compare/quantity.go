package compare

import (
	"math/big"
	"regexp"
	"strings"
)

// quantity is a number with a suffix, as the API server reads amounts
// (k8s.io/apimachinery resource.Quantity).
var quantity = regexp.MustCompile(`^([+-]?[0-9.]+)(n|u|m|k|[KMGTPE]i?|[eE][+-]?[0-9]{1,2})?$`)

var powers = map[string]struct{ base, exponent int64 }{
	"n": {10, -9}, "u": {10, -6}, "m": {10, -3}, "": {10, 0}, "k": {10, 3}, "M": {10, 6}, "G": {10, 9}, "T": {10, 12}, "P": {10, 15}, "E": {10, 18},
	"Ki": {2, 10}, "Mi": {2, 20}, "Gi": {2, 30}, "Ti": {2, 40}, "Pi": {2, 50}, "Ei": {2, 60},
}

// isQuantity reports whether a field of a pod template holds an amount.
func isQuantity(path string) bool {
	return strings.Contains(path, "resources.limits") || strings.Contains(path, "resources.requests") || strings.HasSuffix(path, ".sizeLimit")
}

// sameQuantity reports whether two texts are the same amount: "1" and "1000m".
func sameQuantity(a, b string) bool {
	x, y := amount(a), amount(b)
	return x != nil && y != nil && x.Cmp(y) == 0
}

func amount(text string) *big.Rat {
	parts := quantity.FindStringSubmatch(text)
	if parts == nil {
		return nil
	}
	power, ok := powers[parts[2]]
	if !ok { // 1e3
		n, _ := new(big.Rat).SetString(text)
		return n
	}
	n, ok := new(big.Rat).SetString(parts[1])
	if !ok {
		return nil
	}
	factor := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(power.base), big.NewInt(max(power.exponent, -power.exponent)), nil))
	if power.exponent < 0 {
		return n.Quo(n, factor)
	}
	return n.Mul(n, factor)
}
