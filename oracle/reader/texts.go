package main

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

// writer makes texts that look like YAML, out of its parts and out of given manifests.
type writer struct {
	random *rand.Rand
	seeds  []string
	lines  []string
}

func newWriter(seed int64, folders []string) *writer {
	w := &writer{random: rand.New(rand.NewSource(seed)), seeds: []string{"a: 1\n"}}
	for _, folder := range folders {
		_ = filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() || info.Size() > 20_000 || !strings.HasSuffix(path, ".yaml") {
				return nil
			}
			if content, err := os.ReadFile(path); err == nil {
				w.seeds = append(w.seeds, strings.Split(string(content), "\n---")...)
			}
			return nil
		})
	}
	for _, text := range w.seeds {
		w.lines = append(w.lines, strings.Split(text, "\n")...)
	}
	return w
}

var parts = []string{
	"a", "b: 1", "- ", "- a", "  ", "    ", "\n", "\n", "\n  ", "\n    ", ": ", ":", "#", " # c", "\"", "'", "\"x\"", "'y'", "|", "|-", ">", ">-", "|+", "|2", ">1-",
	"[", "]", "{", "}", ",", "[1, 2]", "{a: 1}", "{\"a\":1}", "yes", "no", "~", "null", "1", "0x1F", "1.5", ".5", "-1", "-", "--", "...", "\n...\n", "---", "\n---\n", "\n--- # c\n",
	"\t", "\n\t", "\r\n", "\r", "\u0085", "\u2028", "\u2029", "\ufeff", "\u00a0", "%", "\n%YAML 1.1\n", "&x ", "*x", "!!str ", "!!int ", "!!binary aGk=", "!!timestamp 2001-01-01", "! ", "!t ",
	"<<: ", "<<: *x", "? ", "?", "\\n", "\\\"", "\\", "é", "😀", "k8s.io/x: y", "\"a\": b", "'it''s'", "25%", "2001-12-14", "\n\n", "a:\n", "a:\n  b", "c: |\n  x\n  y\n", "d: >\n  x\n\n  y\n",
	"on: 1", "y: 2", "e: \"a\n  b\"\n", "f: 'a\n  b'\n", "g: a\n  b\n", "@", "`", "=", "a,b", "http://x", "x:y", "\"\\u0041\"", "\"\\ud83d\\ude00\"", "\"\\/\"", "__proto__: 1", "- - x\n", "1: 2\n",
	"{\"a\": 1}", "{\"a\": [1, {}], \"b\": \"\\u00e9\"}", "1_000", "0b1", "0o7", "1e3", ".inf", "+.5", "1:30",
}

var scalars = []string{
	"1", "0", "-1", "1.5", "0777", "0o17", "08", "1e3", "1_000", "+1", "0x1f", ".5", "1.", "12345678901234567890", "18446744073709551616", "0xFFFFFFFFFFFFFFFFF", "-0", "-0.0", "0b-11", "2001-01-01", "2001-1-1T1:2:3Z", "1:30", ".1_5", "1__0",
	"true", "no", "on", "Y", "~", "null", "", "N", "False", "yEs", "<<", "=", "web", "registry/x:1.2", "a b c", "25%", "100m", "http://x/y?z=1#f", "-x", "--flag=1", "$(A)", "${B}", "a.b", "x-y", ".c", "~a", "Yes!", "1a", "1.2.3",
	"\"a\"", "\"a b\"", "\"a\\nb\"", "\"\\u0041\\x41\\U0001F600\"", "\"\\/\"", "\"\\ud83d\\ude00\"", "\"a#b\"", "\": \"", "\"\t\"", "\"\\\t\"", "\"\\e\\_\\N\\L\\P\"", "\"a\" b", "'a' b", "\"a\"#c", "'a", "\"a", "'it''s'", "''", "'\\n'",
	"[]", "{}", "[a, b]", "{a: b}", "[\"a\", 1]", "{\"a\":1, b: [c]}", "[a: b]", "[a, ]", "[a,, b]", "{a}", "{a:1}", "{a, b: }", "[a b, c]", "{? a : b}", "[? a : b]", "[:]", "{:}", "[-]", "[- a]", "{a: -}", "[[], {}]", "[]: a", "{}: a", "[a]: b",
	"a: b", "a:b", "- x", "a #b", "a#b", "& x", "&x y", "*x", "*y", "&x", "&x [*x]", "!!str 1", "!!int 1", "!!int a", "!!float 1", "!!null x", "!!bool yes", "!!binary aGk=", "!!binary =", "!!timestamp x", "!!timestamp 2001-01-01", "!x y", "!x", "! 1", "!!", "!a!b c", "!<x> y", "!<tag:yaml.org,2002:int> 3", "&x !!str 3", "!!map {a: 1}", "!!seq x",
	"%", "@", "a\tb", "a\t# c", "\tb", "é ü", "\u00a0x", "a, b", "[a", "a]", "}", "a\u0085b", "a\rb", "a\u2028b", "a\u2029  b", "\"a\u0085b\"", "'a\r b'", "a # c\u0085b: 2", "a # c\rb: 2", "a # c\u2028 b: 2", "a\ufeffb", "\U0001F600",
}

var keys = []string{"a", "b", "c", "name", "\"q\"", "'r'", "x.y/z", "yes", "1", "1.0", "1e6", "0x10", "~", "<<", "long key", "\"\\u0041\"", "? a\n", "[x]", "&k a", "*x", "!!str a", "2001-01-01", ".5", "a\tb", "é", "-a", "?a", ":a", "__proto__"}

func (w *writer) pick(from []string) string { return from[w.random.Intn(len(from))] }

func (w *writer) chance(percent int) bool { return w.random.Intn(100) < percent }

func spaces(count int) string { return strings.Repeat(" ", count) }

// soup puts parts one behind the other.
func (w *writer) soup() string {
	var b strings.Builder
	for range 1 + w.random.Intn(14) {
		b.WriteString(w.pick(parts))
	}
	return b.String()
}

// scalar is a value in the midst of a line, or over several.
func (w *writer) scalar(indent int) string {
	next := w.pick([]string{"\n", "\n", "\n", "\r\n", "\r", "\u0085"}) + spaces(max(0, indent+w.random.Intn(5)-1))
	switch w.random.Intn(12) {
	case 0:
		return w.pick([]string{"|", "|-", "|+", "|2", "|1-", "| # c", "|\t", "|0", "|x"}) + next + w.pick([]string{"x", "x" + next + "y", "x" + next + " y", "", "  z" + next + "y", "x\n\n" + next + "y", "x\n", "x\n\n", "\tx", "x" + next + "\ty", "# x", "---", "..."})
	case 1:
		return w.pick([]string{">", ">-", ">+", ">2", ">-1"}) + next + w.pick([]string{"x" + next + "y", "x\n" + next + "y", "x" + next + " y" + next + "z", " x" + next + "y", "x" + next + " " + next + "y", "x" + next + "\ty" + next + "z"})
	case 2:
		return "\"" + w.pick([]string{"a" + next + "b", "a " + next + "\n" + next + " b", "a\\" + next + "b", "a\\" + next + "  \\ b", "a" + next, next + "a", "a" + next + "\tb", "a" + next + "---", "a\\n" + next + "b"}) + "\""
	case 3:
		return "'" + w.pick([]string{"a" + next + "b", "a " + next + "\n" + next + " b", "a" + next, next + "a", "a''" + next + "b", "a" + next + "..."}) + "'"
	case 4:
		return "a" + next + w.pick([]string{"b", "b" + next + "c", "b # c" + next + "d", "# c", "\tb", "- b", "b: c", "? b", "&b", "[b]", "\"b\"", "b\n\n" + next + "c", "..."})
	case 5:
		return w.pick([]string{"[a," + next + "b]", "{a: 1," + next + "b: 2}", "[" + next + "a" + next + "]", "{a:" + next + "1}", "{a" + next + ": 1}", "[a" + next + "b]", "[a, # c" + next + "b]", "{\"a\"" + next + ":1}", "[\ta]", "[a" + next + "\t]"})
	}
	return w.pick(scalars)
}

// tree is a block of maps and lists.
func (w *writer) tree(indent, depth int) string {
	var b strings.Builder
	isList := w.chance(30)
	for range 1 + w.random.Intn(3) {
		b.WriteString(spaces(indent))
		if isList {
			b.WriteString("-" + w.pick([]string{" ", " ", " ", "  ", "   ", "\t", "\n"}))
		} else {
			b.WriteString(w.pick(keys) + w.pick([]string{":", ":", ":", ":", " :", ":\t"}))
		}
		switch {
		case depth < 4 && w.chance(40) && isList:
			b.WriteString(strings.TrimLeft(w.tree(indent+2, depth+1), " "))
		case depth < 4 && w.chance(40):
			b.WriteString("\n" + w.tree(max(0, indent+[]int{0, 1, 2, 2, 2, 4, -1}[w.random.Intn(7)]), depth+1))
		default:
			b.WriteString(" " + w.scalar(indent) + w.pick([]string{"\n", "\n", "\n", "\n", "\n", "\r\n", " # c\n", "\r", "\u0085", "\u2028"}))
		}
		if w.chance(8) {
			b.WriteString(w.pick([]string{"# c\n", "\n", "  \n", spaces(indent) + "# d\n", "\t\n", "---\n", "--- # x\n", "...\n", "\t# c\n", "--- # c\ra: 1\n", "---\u0085\n"}))
		}
	}
	return b.String()
}

// mutated is a piece of a manifest with a few changes.
func (w *writer) mutated(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) > 25 {
		from := w.random.Intn(len(lines) - 20)
		lines = lines[from : from+20]
	}
	for range w.random.Intn(4) {
		at := w.random.Intn(len(lines))
		line := lines[at]
		switch w.random.Intn(7) {
		case 0:
			cut := w.random.Intn(len(line) + 1)
			lines[at] = line[:cut] + w.pick(parts) + line[cut:]
		case 1:
			cut := w.random.Intn(len(line) + 1)
			lines[at] = line[:cut] + line[min(len(line), cut+1+w.random.Intn(4)):]
		case 2:
			lines[at] = w.pick(w.lines)
		case 3:
			lines[at] = spaces(w.random.Intn(4)) + line
		case 4:
			lines[at] = strings.TrimPrefix(line, spaces(w.random.Intn(4)))
		case 5:
			other := w.random.Intn(len(lines))
			lines[at], lines[other] = lines[other], line
		case 6:
			lines[at] = line + w.pick(parts)
		}
	}
	return strings.Join(lines, "\n")
}

func (w *writer) next() string {
	var text string
	switch n := w.random.Intn(100); {
	case n < 20:
		text = w.soup()
	case n < 60:
		text = w.tree(0, 0)
	case n < 70:
		text = w.mutated(w.tree(0, 0))
	default:
		text = w.mutated(w.pick(w.seeds))
	}
	if w.chance(3) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return strings.ToValidUTF8(text, "?")
}
