package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

const aboutYAML = "YAML and JSON text as kubectl reads it (apimachinery's NewYAMLOrJSONDecoder, 4096 bytes, into RawExtension; empty and null documents are skipped): " +
	"`documents` up to the first error, `error` that error."

type yamlCase struct {
	Topic     string            `json:"topic"`
	Text      string            `json:"text"`
	Documents []json.RawMessage `json:"documents"`
	Error     string            `json:"error,omitempty"`
}

// readAsKubectl reads a stream as cli-runtime's StreamVisitor does.
func readAsKubectl(text string) ([]json.RawMessage, error) {
	documents := []json.RawMessage{}
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		extension := runtime.RawExtension{}
		if err := decoder.Decode(&extension); err != nil {
			if errors.Is(err, io.EOF) {
				return documents, nil
			}
			return documents, err
		}
		raw := strings.TrimSpace(string(extension.Raw))
		if raw == "" || raw == "null" {
			continue
		}
		documents = append(documents, json.RawMessage(raw))
	}
}

func yamlCases() []any {
	var cases []any
	add := func(topic string, texts ...string) {
		for _, text := range texts {
			documents, err := readAsKubectl(text)
			c := yamlCase{Topic: topic, Text: text, Documents: documents}
			if err != nil {
				c.Error = err.Error()
			}
			cases = append(cases, c)
		}
	}
	for _, topic := range yamlScalars {
		for _, scalar := range topic.texts {
			add(topic.name, "a: "+scalar+"\n")
		}
	}
	for _, key := range []string{"y", "n", "yes", "on", "true", "null", "~", "1", "1.5", "0x10", "010", "\"1\"", "2001-12-14", ".inf", ".nan", "<<", "[1, 2]", "{b: 1}", "", "? [x]\n"} {
		add("key", key+": 1\n")
	}
	for _, topic := range yamlTexts {
		add(topic.name, topic.texts...)
	}
	return cases
}

type yamlTopic struct {
	name  string
	texts []string
}

var yamlScalars = []yamlTopic{
	{"boolean", []string{"true", "True", "TRUE", "tRue", "false", "False", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N", "!!bool yes", "!!bool n", "\"yes\"", "!!str yes"}},
	{"null", []string{"null", "Null", "NULL", "nUll", "~", "", "!!null x", "!!null ''", "nil", "none"}},
	{"integer", []string{
		"0", "1", "-1", "+1", "007", "010", "0o17", "0O17", "08", "09", "0x1F", "0X1f", "-0x10", "0b101", "-0b1", "0b2", "1_000", "1__0", "_1", "1_", "0x_1F", "0_7", "12:30:45", "1:2", "190:20:30",
		"9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "123456789012345678901234567890",
		"!!int '3'", "!!int 3.0", "!!int x", "!!str 3", "'3'", "\"3\"", "3 # three", "!!float 3",
	}},
	{"float", []string{
		"1.0", "1.5", ".5", "5.", "-.5", "+.5", "1e3", "1E3", "1e+3", "1.e3", "1e-3", ".5e1", "1_000.5", "1.2_3", "1e400", "-1e400", "1e21", "1e20", "123456789.123456789", "0.1", "-0", "-0.0", "0.0", "1.5.2", "1e", "e1", "0x1p3", "1d", "1f",
		"685_230.15", "190:20:30.15", ".inf", ".Inf", ".INF", "+.inf", "-.inf", "-.Inf", ".iNF", "inf", ".nan", ".NaN", ".NAN", "nan", "!!float .inf", "100000000000000000000", "1.0e10",
	}},
	{"timestamp", []string{"2001-12-14", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "2001-12-15T02:59:43Z", "2001-1-1", "!!timestamp 2001-12-14", "'2001-12-14'", "20:03:20", "2001-13-45"}},
	{"percent and look-alikes", []string{"25%", "'25%'", "%25", "25 %", "-", "- 1", "--", "=", "<<", "!", "!!str", "!x y", "@x", "`x`", "*", "&", "|", ">", "*unknown", "&x 1", "#x", "a#b", "a: b", "\"a: b\"", "[", "]", "{", "a]", "a, b", "?", "? x", ":", "::", "-1-", "1.2.3.4", "v1", "1/2", "0.0.0.0/0", "12e03", "6e5", "1e2e3"}},
	{"string", []string{
		"'it''s'", "\"a\\tb\"", "\"\\x41\\u0042\\U00000043\"", "\"\\z\"", "\"a\\\n  b\"", "\"a\n  b\n\n  c\"", "'a\n  b'", "a\n  b\n  c", "|\n  a\n   b\n\n", "|-\n  a\n  b\n", "|+\n  a\n\n", ">\n  a\n  b\n\n  c\n", ">-\n  a\n  b\n", "|2\n    a\n", "|\n a\nb: 1",
		"\"\\ud83d\\ude00\"", "\"😀\"", "\"\\0\"", "\"\\/\"", "'unclosed", "\"unclosed", "\"a\" b", "x\ty", "é", "\"\u2028\"", "\u00a0", "\"\\e\"", "\"\\xff\"",
	}},
	{"binary and other tags", []string{"!!binary aGVsbG8=", "!!binary /w==", "!!binary '*'", "!!set {x, y}", "!!omap [a: 1]", "!custom {x: 1}", "!!map {x: 1}", "!!seq [1]", "!!map [1]", "!<tag:yaml.org,2002:str> 3", "!!python/none x"}},
}

var yamlTexts = []yamlTopic{
	{"line ends that an editor does not show", []string{
		"a: 1 # keep\u0085b: 2\n", "a: 1 # keep\u2028b: 2\n", "a: 1 # keep\u2029b: 2\n", "a: 1 # keep\rb: 2\n", "a: 1 # keep\u0085  b: 2\n", "spec:\n  a: 1 # x\u0085  b: {c: d}\n",
		"a: x\u0085y\n", "a: x\u0085  y\n", "a: x\u2028  y\n", "a: x\r  y\n", "a: \"x\u0085y\"\n", "a: \"x\u2028 y\"\n", "a: \"x\\\u0085  y\"\n", "a: 'x\u2029\u2029y'\n", "a: |\n  x\u0085  y\n", "a: |\n  x\u2028  y\n", "a: >\n  x\u0085  y\n", "a: >\n  x\u2028  y\n", "a: >\n  x\r  y\n",
		"a: [1,\u00852]\n", "- a\u0085- b\n", "a: 1\r\rb: 2\n", "a: |\n  x\r\r\n  y\n", "a: |\n  x\r\r\r\n  y\n", "a: |+\n  x\r", "a:\u0085  b: 1\n", "a: 1\u0085\u0085b: 2", "\u0085a: 1\n", "\u00a0a: 1\n", "a: \u00a0b\n",
	}},
	{"separators", []string{
		"--- # x\ra: 1\n", "--- # x\u0085a: 1\n", "a: 1\n--- # x\rb: 2\n", "a: 1\n--- # x\u0085b: 2\nc: 3\n", "a: 1 # x\r---\rb: 2\n", "a: 1\r---\nb: 2\n", "a: 1\u2028---\nb: 2\n", "a: 1\u0085---\u0085b: 2\n", "---\u0085a: 1\n", "---\ra: 1\n", "---\u00a0# x\na: 1\n", "---\u00a0\na: 1\n", "a: 1\n---\u2003\nb: 2\n",
		"a: 1\n---#x\nb: 2\n", "---#x\na: 1\n", "a: |\n  x\u2028---\n  y\n", "...\n", "a: 1\n---\n...\n", "---\n...\n", "...\na: 1\n", "---\n...\na: 1\n", "a: 1\n...\nb: [\n", "a: 1\n... # x\n", "a: 1\n...x\n", "a: 'x\n...\ny'\n", "a: \"x\n--- y\"\n", "---\n---\n%YAML 1.1\n", "---\n%YAML 1.1\n", "a: 1\n%YAML 1.1\n", "a: 1\n%x\n",
	}},
	{"quotes and escapes", []string{
		"a: \"\\/\"\n", "a: \"\\ud83d\\ude00\"\n", "a: \"\\U0001F600\"\n", "a: \"\\U00110000\"\n", "a: \"\\x4\"\n", "a: \"\\\t\"\n", "a: \"\\N\\_\\L\\P\\e\\v\\a\\0\"\n", "a: \"\\'\"\n", "a: \"\\q\"\n", "a: \"x\\\n  y\"\n", "a: \"x\\\n\n  y\"\n", "a: \"x\n  \\ y\"\n", "a: \"x \\\n\ty\"\n",
		"a: \"b\" c\n", "a: 'b' c\n", "a: 'b'#c\n", "a: \"b\"#c\n", "a: 'b'\n  c\n", "a: 'b'\nc\n", "'a' b: c\n", "\"a\nb\": c\n", "a: 'x'y\n", "a: ''''\n", "a: '\n\n'\n", "a: ' x '\n", "a: \"\n  x\n\"\n", "{'a':b}\n", "{\"a\":b, 'c' :d}\n", "a: \"x\ty\"\n",
	}},
	{"explicit tags", []string{
		"a: !!binary aGk\n", "a: !!binary 'aGk='\n", "a: !!binary |\n  aG\n  k=\n", "a: !!binary a===\n", "a: !!binary ''\n", "a: !!timestamp text\n", "a: !!timestamp '2001-01-01'\n", "a: !!timestamp 2001-02-30\n", "a: !!timestamp 2001-1-1 1:2:3\n", "a: !!timestamp 2001-01-01T00:00:00\n", "a: !!float 18446744073709551615\n", "a: !!null\n", "a: ! 3\n", "a: ! <<\n", "! <<: {a: 1}\n", "!!merge <<: {a: 1}\n", "!!str <<: {a: 1}\n", "!a!b c: 1\n", "a: !<x> 1\n", "a: !<> 1\n", "[!!str, a]\n", "a: !%41 b\n", "!!int \"1\": b\n", "!!float 1: b\n",
	}},
	{"numbers as kubectl writes them", []string{
		"1.5: a\n", "1e6: a\n", "100000.0: a\n", "1000000.0: a\n", "0.00001: a\n", "1.0: a\n", "0.1: a\n", "1e39: a\n", "9223372036854775807: a\n", "9223372036854775808: a\n", "0x1F: a\n", "010: a\n", "-0: a\n", "1_000: a\n",
		"a: 0xFFFFFFFFFFFFFFFFFF\n", "a: 07777777777777777777777777\n", "a: 0b-11\n", "a: -0b11\n", "a: +0xFFFFFFFFFFFFFFFF\n", "a: .1_5\n", "a: ._5\n", "a: 1__0\n", "a: 0_8\n", "a: +18446744073709551615\n", "a: 1e-400\n",
	}},
	{"blocks of text", []string{
		"|\nx\n", "|\n x\n", ">\nx\ny\n", "- |\n x\n- y\n", "a: |\nb: 1\n", "a: |\nx\n", "a: |0\n  x\n", "a: |1\n  x\n", "a: |10\n  x\n", "a: |-+\n  x\n", "a: |+2\n    x\n", "a: |\tx\n", "a: |\t# x\n  y\n", "a: |#x\n  y\n", "a: |\n    \n  x\n", "a: |\n \t x\n", "a: |\n  x\n\ty\n", "a: |\n  x\n \n\n", "a: |+\n  x\n \n\n", "a: |\n  x", "a: |+\n  x", "a: >\n  x\n\n   y\n\n  z\n", "a: >\n  x\n  \ty\n  z\n", "a: >\n\n\n  x\n", "a: >+\n  x\n\n\n", "a: |\n  # x\n # y\n", "a: |\n\n\n", "a: |+\n\n\n", "|2\n    x\n",
	}},
	{"tabs", []string{
		"a:\t1\n", "a: 1\t\n", "a:\t\n  b: 1\n", "-\ta\n", "-\t- a\n", "- a\n\t- b\n", "a\t: 1\n", "? a\t\n:\t1\n", "a: b\n\tc\n", "a: b\n \tc\n", "a: [\t1\t,\n\t2]\n", "a: {\tb\t:\t1}\n", "a: \"b\n\tc\"\n", "\t\na: 1\n", "\t# x\na: 1\n", "a: 1\n\t\nb: 2\n", "a:\n\t\n  b: 1\n", "{\n\t\"a\": 1}\n", "{\n\ta: 1}\n", "a: 'b\t'\n",
	}},
	{"byte order marks", []string{"\ufeff\n---\na: 1\n", "a: \ufeffb\n", "a: 1\n\ufeffb: 2\n", "\ufeff\ufeffa: 1\n", "\ufeff# x\na: 1\n", "a: \"\\ufeff\"\n"}},
	{"brackets", []string{
		"[]: a\n", "{}: a\n", "a: []: b\n", "[? a : b]\n", "[?]\n", "[: a]\n", "{: a}\n", "{?}\n", "[-]\n", "[- a]\n", "{a: -}\n", "{a:1}\n", "{a:b: c}\n", "[a:b]\n", "[a: ]\n", "[a b: c]\n", "{a\n: 1}\n", "{\"a\"\n:1}\n", "[a\nb]\n", "{a, b: , c}\n", "a: [\n# x\n1 # y\n,2]\n", "a: [1]2\n", "a: {}b\n", "a: [1]#x\n", "a: ]\n", "a: }\n", "a: ,\n", "[a, [b, {c: [d]}]]\n", "{[a]: b}\n", "{{a: b}: c}\n", "a: [|]\n", "a: [>x]\n", "a: [@x]\n", "a: [*x]\n", "a: [%x]\n", "a: [a#b]\n", "a: [a #b]\n", "a: [a\n---\nb]\n",
	}},
	{"text where none can be", []string{
		" a: 1\nb: 2\n", "a\nb: 1\n", "a: b\nc\n", "a: b\n c\n", "a: b\n c: d\n", "- a\nb\n", "- a\n b\n", "a: - b\n", "a: ? b\n", "a: &x\n  *x\n", "a: &x &y b\n", "a: &x !!str &y b\n", "a: *x\n", "&x a: *x\n", "a: &x-1_b c\nd: *x-1_b\n", "a: &x: b\n", "? a\n? b\n", "? - a\n: b\n", "a:\n  - b\n c: d\n", "a:\n- b\n- c\nd:\n- e\n", "a:\n- b\n -c\n", "a: b #\n", "a #b: c\n", "#\n#\n", "a:  \n", ": a\n", ":\n", "?\n", "-\n", "- -\n", "- - a\n  - b\n", "-  a: 1\n   b: 2\n", "-  a: 1\n  b: 2\n", "a: 'b': c\n", "'a':\n", "a::b\n", "a: :b\n", "a: ?b\n", "a: -b\n", "?a: b\n", ":a: b\n", "-a: b\n", "--a: b\n",
	}},
	{"duplicate key", []string{
		"a: 1\na: 2\n", "a: {b: 1, b: 2}\n", "a: 1\n\"a\": 2\n", "a: 1\nb: 2\na: 1\n", "{\"a\": 1, \"a\": 2}", "yes: 1\ntrue: 2\n",
	}},
	{"merge and anchor", []string{
		"x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\n", "x: &x {a: 1}\ny: {<<: *x}\n", "x: &x {a: 1}\nz: &z {a: 2, c: 3}\ny:\n  <<: [*x, *z]\n", "x: &x {a: 1}\ny:\n  a: 2\n  <<: *x\n", "y:\n  <<: {a: 1}\n", "y:\n  <<: 1\n", "y:\n  <<: [1]\n",
		"y:\n  \"<<\": {a: 1}\n", "y:\n  ? !!merge <<\n  : {a: 1}\n", "x: &x [1]\ny:\n  <<: *x\n", "a: &a 1\nb: *a\n", "a: &a [*a]\n", "a: &a {b: *a}\n", "a: &x 1\nb: &x 2\nc: *x\n", "a: *x\nb: &x 1\n", "x: &x {a: &y 1}\nz: *y\n",
		"x: &x {a: 1}\n---\ny: *x\n", "x: &x {a: 1}\ny:\n  <<: *x\n  <<: *x\n", "x: &x {a: {b: 1}}\ny:\n  <<: *x\n  a: {c: 2}\n", "&k a: 1\nb: *k\n", "a: &a\nb: *a\n",
	}},
	{"documents", []string{
		"", "\n\n", "# nothing\n", "---\n", "---\n---\n", "a: 1\n---\nb: 2\n", "---\na: 1\n---\n\n---\nb: 2\n", "a: 1\n--- \nb: 2\n", "a: 1\n--- # next\nb: 2\n", "a: 1\n---b: 2\n", "--- {a: 1}\n", "--- a: 1\n", "a: 1\n...\nb: 2\n", "a: 1\n...\n", "a: 1\n...\n---\nb: 2\n",
		"%YAML 1.1\n---\na: 1\n", "%YAML 1.2\n---\na: 1\n", "%FOO x\n---\na: 1\n", "%TAG ! tag:x,2000:\n---\na: !y 1\n", "a: |\n  ---\n  x\n", "a: |\n---\nb: 1\n", "a: \"\n---\n\"\n", "\ufeffa: 1\n", "\ufeff---\na: 1\n", "a: 1\n---\n\ufeffb: 2\n", "a: 1\r\n---\r\nb: 2\r\n", "a: 1\rb: 2\r",
		"a: 1\n----\nb: 2\n", "----\na: 1\n", "a: 1\n ---\nb: 2\n", "# c\n---\na: 1\n", "# c\n---\n# d\n---\na: 1\n", "null\n---\na: 1\n", "~\n", "a: 1\n---\n[\n---\nb: 2\n", "a: 1\n---\n- x\n- y\n", "just text\n", "3\n", "[1, 2]\n", "- a: 1\n", "--- |\n x\n", "a: 1\n---", "---\na: 1\n---\n---\n---\n",
		"a: 1\n--- # one\n---\nb: 2", "---\n---\na: 1\n", "--- \n--- \na: 1\n", "---\t\na: 1\n", "a: 1\n---\tb\n",
	}},
	{"JSON", []string{
		"{\"a\": 1}", "{\"a\": 1}\n{\"b\": 2}\n", "{\"a\": 1}{\"b\": 2}", "{\"a\": 1}\n---\n{\"b\": 2}\n", "{\"a\": 1}\n---\nb: 2\n", "b: 2\n---\n{\"a\": 1}\n", "{\"a\": 1,}", "{a: 1}", "{\"a\": 1} # c", "// c\n{\"a\": 1}", "{\"a\": 1.0}", "{\"a\": 1e3}", "{\"a\": 12345678901234567890}", "{\"a\": 1} x",
		"[{\"a\": 1}]", "\t{\"a\": 1}", "\n\n  {\"a\": 1}", "{\"a\":\n\"b\tc\"}", "{\"a\": \"\\u0041\"}", "{\"a\": NaN}", "{\"a\": 01}", "{\"a\": True}", "{\"a\": null}", "{}", "{\"a\": 'x'}", "\ufeff{\"a\": 1}", "{\"a\": \"\\ud800\"}", "{\"a\": \"x\"\n", "{\"a\":1}\n\n\n{\"b\":", "{\"a\":\t1}", "{\"a\": +1}", "{\"a\": .5}",
	}},
	{"behind a JSON object", []string{
		"{\"a\": 1}\n\"b\": 2\n", "{\"a\": 1}\n\"b\"\n---\nc: 3\n", "{\"a\": 1}\n25%\n", "{\"a\": 1}\ntrue: 1\n", "{\"a\": 1}\nnulled: 1\n", "{\"a\": 1}\n[1]\nb: 2\n", "{\"a\": 1}\nnull\n", "{\"a\": 1}\nnull\n{\"b\": 2}\n", "{\"a\": 1}\nnull\nb: 2\n",
		"{\"a\": 1}\nb: 2\n", "{\"a\": 1}\n{b: 2}\n", "{\"a\": 1}\n1.x: 1\n", "{\"a\": 1}\n1e: 2\n", "{\"a\": 1}\nnul: 1\n", "{\"a\": 1}\n\"\\x\": 1\n", "{\"a\": 1}\n- b\n", "{\"a\": 1}\r\n    \"\\ud83d\\ude00\"",
	}},
	{"a carriage return at the end", []string{
		"a: |+\n y\r", "a: |+\n y\r\r", "a: |+\n y\r\r\r", "a: |+\n y\r\r\n", "a: |+\n y\n\r", "a: >+\u0085 x\u0085  \u0085 y\r\r", "a: 1\r\r", "{\"a\": 1}\r\r", "{\"a\": 1}\nb: 2\r\r", "a: 1\r\r---\r\r",
	}},
	{"indentation and tabs", []string{
		"a:\n\tb: 1\n", "a:\n  b: 1\n\tc: 2\n", "a:\tb\n", "a: b\t# c\n", "a:\n  - 1\n -  2\n", "a:\n- 1\n- 2\n", "a:\n   b: 1\n  c: 2\n", "a: 1\n b: 2\n", " a: 1\nb: 2\n", "a:\n  b: 1\n c: 2\n", "- a\nb: 1\n", "a: b: c\n", "a:b\n", "a:\n", "a: [1,\n2]\n", "a: [1, 2\nb: 1\n", "a: {b: 1\n", "a: [1, , 2]\n", "a: [1, 2,]\n", "a: {b, c: 1}\n", "a: {b: 1,}\n",
		"a: [\n  1,\n  2\n]\n", "a: {\n  b: 1\n}\n", "a:\n  b: [\n    1\n  ]\n", "a:\n  b: [\n  1\n  ]\n", "a: [\n1,\n2\n]\n", "a: \"x\ny\"\n", "a: 'x\ny'\n", "- [b,\nc]\n", "a:\n  - {b: 1,\n  c: 2}\n", "a:\n- b:\n  - c\n- d: |\n    x\n  e: 1\n",
		"a: >\n\n  x\n   y\n  z\n", "a: |\n  x\n\n \n  y\n", "a: |  # c\n  x\n", "a: |\n\tx\n", "a: \"x\n\ty\"\n", "a: x\n\ty\n", "a:\n  - b\n  -\n    c: 1\n  -\n", "a: [x, # c\n  y]\n", "a: -1\n", "a: - \n", "a: b:\n", "\"a\" : 1\n", "'a':1\n", "\"a\":1\n", "a : 1\n", "a: {b: [c, {d: e}]}\n", "a: {? b : c}\n", "a: {b: c: d}\n", "a: [b, c: d]\n", "a: !!int\n", "a: b\n---\n...\n---\nc: d\n",
		"# c\na: 1 # d\n# e\n", "a: 1\n\n\n#\n", "a:\n# c\n  b: 1\n", "a:\n  b: 1\n # c\n  d: 1\n", "a: |\n  x\n # c\nb: 1\n", "a:\n  - 1\n# c\n  - 2\n", "a: b\n  # c\n", "a: b\n  # c\n  d\n", "a: b c\n  d: e\n", "a:\n  b\n  c: d\n", "a: \"b\": c\n", "{a: 1}: b\n", "a: *b c\n", "a: &b\n  c: 1\nd: *b\n", "a: &b !!str 1\n", "a: !!str &b 1\n", "a: & b\n", "a: !!map\n  b: 1\n", "*a : 1\n", "a: &a b\n*a : c\n",
		"a: [b: 1]\n", "a: {\"b\":1}\n", "a: {b:1}\n", "? a\n: 1\n", "? a\n", "? [a, b]\n: 1\n", "a: - b\n", "\ta: 1\n", "a: 1\n\t\n", "a: 1\n\t# c\n", "a: \"\t\"\n", "- \t- 1\n", "a:\n    - b: 1\n      c: 2\n    - d\n", "a: !!str\nb: 1\n", "a: @b\n", "a: b #c\n", "a: b#c\n", "a: 'b' #c\n", "a: 1\x00\n", "a: \"\x01\"\n", "a: \x7f\n", "a: 1\u0085b: 2\n", "a: 1\u2028b: 2\n",
	}},
}
