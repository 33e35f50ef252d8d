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
	{"indentation and tabs", []string{
		"a:\n\tb: 1\n", "a:\n  b: 1\n\tc: 2\n", "a:\tb\n", "a: b\t# c\n", "a:\n  - 1\n -  2\n", "a:\n- 1\n- 2\n", "a:\n   b: 1\n  c: 2\n", "a: 1\n b: 2\n", " a: 1\nb: 2\n", "a:\n  b: 1\n c: 2\n", "- a\nb: 1\n", "a: b: c\n", "a:b\n", "a:\n", "a: [1,\n2]\n", "a: [1, 2\nb: 1\n", "a: {b: 1\n", "a: [1, , 2]\n", "a: [1, 2,]\n", "a: {b, c: 1}\n", "a: {b: 1,}\n",
		"a: [\n  1,\n  2\n]\n", "a: {\n  b: 1\n}\n", "a:\n  b: [\n    1\n  ]\n", "a:\n  b: [\n  1\n  ]\n", "a: [\n1,\n2\n]\n", "a: \"x\ny\"\n", "a: 'x\ny'\n", "- [b,\nc]\n", "a:\n  - {b: 1,\n  c: 2}\n", "a:\n- b:\n  - c\n- d: |\n    x\n  e: 1\n",
		"a: >\n\n  x\n   y\n  z\n", "a: |\n  x\n\n \n  y\n", "a: |  # c\n  x\n", "a: |\n\tx\n", "a: \"x\n\ty\"\n", "a: x\n\ty\n", "a:\n  - b\n  -\n    c: 1\n  -\n", "a: [x, # c\n  y]\n", "a: -1\n", "a: - \n", "a: b:\n", "\"a\" : 1\n", "'a':1\n", "\"a\":1\n", "a : 1\n", "a: {b: [c, {d: e}]}\n", "a: {? b : c}\n", "a: {b: c: d}\n", "a: [b, c: d]\n", "a: !!int\n", "a: b\n---\n...\n---\nc: d\n",
		"# c\na: 1 # d\n# e\n", "a: 1\n\n\n#\n", "a:\n# c\n  b: 1\n", "a:\n  b: 1\n # c\n  d: 1\n", "a: |\n  x\n # c\nb: 1\n", "a:\n  - 1\n# c\n  - 2\n", "a: b\n  # c\n", "a: b\n  # c\n  d\n", "a: b c\n  d: e\n", "a:\n  b\n  c: d\n", "a: \"b\": c\n", "{a: 1}: b\n", "a: *b c\n", "a: &b\n  c: 1\nd: *b\n", "a: &b !!str 1\n", "a: !!str &b 1\n", "a: & b\n", "a: !!map\n  b: 1\n", "*a : 1\n", "a: &a b\n*a : c\n",
		"a: [b: 1]\n", "a: {\"b\":1}\n", "a: {b:1}\n", "? a\n: 1\n", "? a\n", "? [a, b]\n: 1\n", "a: - b\n", "\ta: 1\n", "a: 1\n\t\n", "a: 1\n\t# c\n", "a: \"\t\"\n", "- \t- 1\n", "a:\n    - b: 1\n      c: 2\n    - d\n", "a: !!str\nb: 1\n", "a: @b\n", "a: b #c\n", "a: b#c\n", "a: 'b' #c\n", "a: 1\x00\n", "a: \"\x01\"\n", "a: \x7f\n", "a: 1\u0085b: 2\n", "a: 1\u2028b: 2\n",
	}},
}
