package change

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A recorded pair, as the recording shows it. Places are JSON pointers.
type recorded struct {
	Topic string `json:"topic"`
	Base  string `json:"base"`
	// Old are the edits of the base that make the first manifest, New those of the first that make the second.
	Old []edit `json:"old,omitempty"`
	New []edit `json:"new"`
	// Made is how the first manifest reached the server, where that is not the mode.
	Made    string  `json:"made,omitempty"`
	Touches []touch `json:"touches,omitempty"`
	Mode    string  `json:"mode"`
	// Unmade is why the first manifest was refused; then nothing else is there.
	Unmade *refusal `json:"unmade,omitempty"`
	// Live are the edits of the live object of the base (see lives) that make the one before the second write.
	Live    []edit   `json:"live,omitempty"`
	Refused *refusal `json:"refused,omitempty"`
	// Stored are the edits of the live object that the second write made.
	Stored []edit `json:"stored,omitempty"`
	// Generation and Revision: was the generation raised, is there a ReplicaSet or ControllerRevision more?
	Generation bool `json:"generation,omitempty"`
	Revision   bool `json:"revision,omitempty"`
	// Recreated says that the object was deleted and created.
	Recreated bool `json:"recreated,omitempty"`
}

// A refusal is what the server or the tool says. Code is 0 where the tool says it.
type refusal struct {
	Code    int32   `json:"code"`
	Message string  `json:"message,omitempty"`
	Causes  []cause `json:"causes,omitempty"`
}

type cause struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// refusalOf has the server's own words, or the tool's where the server was not asked.
func (u *tools) refusalOf(err error) *refusal {
	if status := u.refused.last; status != nil {
		found := &refusal{Code: status.Code}
		if status.Details != nil {
			for _, c := range status.Details.Causes {
				found.Causes = append(found.Causes, cause{c.Field, c.Message})
			}
		}
		if len(found.Causes) == 0 || status.Code != 422 {
			found.Message = status.Message
		}
		return found
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return &refusal{Code: status.Status().Code, Message: status.Status().Message}
	}
	return &refusal{Message: err.Error()}
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// noise are annotations that controllers or kubectl write, and that a reader can make up for.
var noise = []string{lastApplied, "deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation"}

// dump is a live object without what differs from run to run; with the fields' managers where asked for.
func dump(live *unstructured.Unstructured, withManagers bool) object {
	o := clone(live.Object).(object)
	delete(o, "status")
	metadata := o["metadata"].(object)
	for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "namespace", "selfLink"} {
		delete(metadata, name)
	}
	annotations, _ := metadata["annotations"].(object)
	for _, name := range noise {
		delete(annotations, name)
	}
	if annotations != nil && len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	managers, _ := metadata["managedFields"].([]any)
	delete(metadata, "managedFields")
	if withManagers {
		kept := []any{}
		for _, m := range managers {
			entry := m.(object)
			if entry["subresource"] == "status" {
				continue
			}
			delete(entry, "time")
			kept = append(kept, entry)
		}
		metadata["managedFields"] = kept
	}
	return settledText(o, string(live.GetUID()))
}

var address = regexp.MustCompile(`"10\.0\.0\.[0-9]+"`)
var allocatedPort = regexp.MustCompile(`"(nodePort|healthCheckNodePort)":3[0-9]{4}`)

// settledText puts one name for what the server draws at random: addresses, ports, the uid in a Job's labels.
func settledText(o object, uid string) object {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	if o["kind"] == "Service" {
		text = address.ReplaceAllFunc(text, func(found []byte) []byte {
			if bytes.Contains(found, []byte("10.0.0.9")) {
				return found
			}
			return []byte(`"allocated"`)
		})
		text = allocatedPort.ReplaceAll(text, []byte(`"$1":30000`))
	}
	if uid != "" {
		text = bytes.ReplaceAll(text, []byte(uid), []byte("uid"))
	}
	var settled object
	if err := json.Unmarshal(text, &settled); err != nil {
		panic(err)
	}
	return settled
}

// settledWords does the same for a refusal.
func settledWords(r *refusal, uid, namespace string) *refusal {
	if r == nil {
		return nil
	}
	words := func(text string) string {
		text = strings.ReplaceAll(text, uid, "uid")
		text = strings.ReplaceAll(text, namespace, "shop")
		text = sentFile.ReplaceAllString(text, "next.json")
		return shortened(address.ReplaceAllString(text, `"allocated"`))
	}
	r.Message = words(r.Message)
	for i := range r.Causes {
		r.Causes[i].Message = words(r.Causes[i].Message)
	}
	return r
}

// A trial is a pair under way.
type trial struct {
	pair
	namespace string
	first     object
	second    object
	row       recorded
	revisions int
	done      bool
}

func (t *trial) made() string {
	if t.Made != "" {
		return t.Made
	}
	if t.Mode == "replace" {
		return "create"
	}
	return t.Mode
}

func newTrial(number int, p pair, bases map[string]object) *trial {
	t := &trial{pair: p, namespace: fmt.Sprintf("pair-%d", number)}
	t.first = edited(bases[p.Base], append([]edit{set("/metadata/namespace", t.namespace)}, p.Old...))
	t.second = edited(t.first, p.New)
	t.row = recorded{Topic: p.Topic, Base: p.Base, Old: p.Old, New: p.New, Mode: p.Mode, Touches: p.Touches}
	if t.row.New == nil {
		t.row.New = []edit{}
	}
	if t.Made != "" && t.Made != p.Mode {
		t.row.Made = p.Made
	}
	return t
}

func (t *trial) begin(u *tools) {
	if err := u.write(t.made(), nil, t.first); err != nil {
		t.row.Unmade, t.done = settledWords(u.refusalOf(err), "no uid", t.namespace), true
	}
}

func (t *trial) touch(u *tools) {
	for _, one := range t.Touches {
		if err := u.touchWrite(t.first, one); err != nil {
			t.row.Unmade, t.done = settledWords(u.refusalOf(err), "no uid", t.namespace), true
			return
		}
	}
}

func (u *tools) touchWrite(o object, t touch) error {
	u.refused.last = nil
	return u.touch(o, t)
}

// change writes the second manifest.
func (t *trial) change(u *tools, lives map[string]object) error {
	before, err := u.get(t.first)
	if err != nil {
		return err
	}
	_, isOther := u.appliers[t.Mode]
	withManagers := isOther || t.Mode == "server"
	live := dump(before, withManagers || t.Made == "server" || t.Mode == "client")
	known, has := lives[t.Base+"/"+t.made()]
	if !has {
		return fmt.Errorf("no live object of %s/%s", t.Base, t.made())
	}
	if !withManagers {
		delete(live["metadata"].(object), "managedFields")
		known = clone(known).(object)
		delete(known["metadata"].(object), "managedFields")
	}
	t.row.Live = between(known, live)

	writeErr := u.write(t.Mode, t.first, t.second)
	after, err := u.get(t.first)
	if apierrors.IsNotFound(err) {
		t.row.Refused, t.row.Recreated = settledWords(u.refusalOf(writeErr), string(before.GetUID()), t.namespace), true
		return nil
	}
	if err != nil {
		return err
	}
	t.row.Recreated = after.GetUID() != before.GetUID()
	if writeErr != nil {
		t.row.Refused = settledWords(u.refusalOf(writeErr), string(before.GetUID()), t.namespace)
		return nil
	}
	t.row.Generation = after.GetGeneration() != before.GetGeneration()
	t.row.Stored = between(dump(before, false), dump(after, false))
	return nil
}

// sentFile is the file that kubectl was given.
var sentFile = regexp.MustCompile(`[^" ]*next-[0-9]+\.json`)

// longest is how much of a message is kept: some of them print a whole pod template.
const longest = 600

// shortened leaves the middle of a long message out.
func shortened(text string) string {
	if len(text) <= longest {
		return text
	}
	return text[:longest/2] + "…" + text[len(text)-longest/2:]
}
