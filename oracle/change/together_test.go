package change

import (
	"os"
	"testing"
	"time"

	recording "rolloutkit-oracle-recording"
)

// together is how many pairs are brought to rest at once.
const together = 300

// surroundings are the controllers that run next to the server.
type surroundings struct {
	// rest waits until they have nothing left to do.
	rest func()
	// revisions counts ReplicaSets and ControllerRevisions by namespace.
	revisions func() map[string]int
}

// record writes the result of each pair to the file at path, which it extends as it goes.
func record(t *testing.T, u *tools, around surroundings, pairs []pair, bases, lives map[string]object, path string, changes recording.Recording) {
	changes.Sections = []recording.Section{recording.SectionOf("bases", bases), recording.SectionOf("lives", lives)}
	must(t, changes.Write(path))
	for begin := 0; begin < len(pairs); begin += together {
		end := min(begin+together, len(pairs))
		for _, one := range recordTogether(t, u, around, begin, pairs[begin:end], bases, lives) {
			changes.Cases = append(changes.Cases, one)
		}
		must(t, changes.Write(path))
		t.Logf("%s: %d of %d", time.Now().Format(time.TimeOnly), end, len(pairs))
	}
}

// chosen leaves of the pairs those of the topic TOPIC, if it is set.
func chosen(pairs []pair) []pair {
	topic := os.Getenv("TOPIC")
	if topic == "" {
		return pairs
	}
	var left []pair
	for _, p := range pairs {
		if p.Topic == topic {
			left = append(left, p)
		}
	}
	return left
}

// recordLives writes each base in each way, and reads what the server then holds.
func recordLives(t *testing.T, u *tools, around surroundings, bases map[string]object, ways []string) map[string]object {
	lives := map[string]object{}
	firsts := map[string]object{}
	for name, base := range bases {
		for _, made := range ways {
			first := edited(base, []edit{set("/metadata/namespace", "base-"+name+"-"+made)})
			if err := u.write(made, nil, first); err != nil {
				t.Fatalf("%s by %s: %v", name, made, err)
			}
			firsts[name+"/"+made] = first
		}
	}
	around.rest()
	for name, first := range firsts {
		live, err := u.get(first)
		must(t, err)
		lives[name] = dump(live, true)
	}
	return lives
}

func recordTogether(t *testing.T, u *tools, around surroundings, offset int, pairs []pair, bases, lives map[string]object) []recorded {
	var trials []*trial
	for i, p := range pairs {
		one := newTrial(offset+i, p, bases)
		trials = append(trials, one)
		one.begin(u)
	}
	around.rest()
	for _, one := range trials {
		if !one.done {
			one.touch(u)
		}
	}
	around.rest()
	before := around.revisions()
	for _, one := range trials {
		if !one.done {
			must(t, one.change(u, lives))
		}
	}
	around.rest()
	after := around.revisions()
	var rows []recorded
	for _, one := range trials {
		one.row.Revision = after[one.namespace] > before[one.namespace]
		rows = append(rows, one.row)
		if one.row.Unmade == nil {
			_ = u.remove(one.first)
		}
	}
	around.rest()
	return rows
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
