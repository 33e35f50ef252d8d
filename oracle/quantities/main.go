// Records how the API server reads amounts of resources and how it writes them back: apimachinery's resource.Quantity.
package main

import (
	"encoding/json"
	"math/big"
	"math/rand"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	recording "rolloutkit-oracle-recording"
)

type recorded struct {
	Text string `json:"text"`
	// Nothing else stands where it is refused.
	Refused bool `json:"refused,omitempty"`
	// In billionths.
	Nanos string `json:"nanos,omitempty"`
	// As it is stored, and as it is after requests and limits are rounded up to thousandths.
	Written string `json:"written,omitempty"`
	Rounded string `json:"rounded,omitempty"`
}

func pick(random *rand.Rand, parts ...string) string {
	return parts[random.Intn(len(parts))]
}

func digits(random *rand.Rand, most int) string {
	var text strings.Builder
	for range random.Intn(most + 1) {
		text.WriteString(pick(random, "0", "0", "0", "1", "2", "5", "9", "8", "4"))
	}
	return text.String()
}

func amount(random *rand.Rand) string {
	sign := pick(random, "", "", "", "", "", "+", "-")
	whole := digits(random, 3+random.Intn(20))
	fraction := pick(random, "", "", "", ".", "."+digits(random, 4), "."+digits(random, 14))
	suffix := pick(random, "", "", "m", "k", "M", "G", "T", "P", "E", "n", "u", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "K", "e3", "E2", "e-4", "e+7", "e0", "e20", "E-12", "e", "mi", " ")
	return sign + whole + fraction + suffix
}

// Nought may have any scale; all else is in billionths at the finest.
func inNanos(quantity resource.Quantity) *big.Int {
	if quantity.IsZero() {
		return new(big.Int)
	}
	decimal := quantity.AsDec()
	shift := new(big.Int).Exp(big.NewInt(10), big.NewInt(9-int64(decimal.Scale())), nil)
	return shift.Mul(shift, decimal.UnscaledBig())
}

func judged(text string) recorded {
	var quantity resource.Quantity
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	if err := quantity.UnmarshalJSON(quoted); err != nil {
		return recorded{Text: text, Refused: true}
	}
	written := quantity.String()
	nanos := inNanos(quantity.DeepCopy())
	quantity.RoundUp(resource.Milli)
	return recorded{text, false, nanos.String(), written, quantity.String()}
}

func main() {
	recording.Run([]recording.Maker{recording.Of("kubernetes-quantities", "Amounts of resources: whether they are read, in billionths, and how they are written back.", func() []any {
		random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 1))))
		var cases []any
		for _, text := range []string{"", " ", "+", "-", ".", "m", "Ki", "+m", ".Gi", "e", "e3", "-.e3", ".e30", "0", "00", "0.0", "0Ki"} {
			cases = append(cases, judged(text))
		}
		for range recording.NumberOf("CASES", 4000) {
			cases = append(cases, judged(amount(random)))
		}
		return cases
	})}, "", "k8s.io/apimachinery")
}
