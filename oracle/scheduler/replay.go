package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	recording "rolloutkit-oracle-recording"
)

// draftOf is the draft of a recorded case.
func (made *placementCase) draftOf(k kind) *draft {
	d := &draft{nodes: made.Nodes, others: made.Others, objects: made.Objects, replicas: len(made.OldPods)}
	for _, other := range d.others {
		if priority, has := other["spec"].(fields)["priority"].(float64); has {
			other["spec"].(fields)["priority"] = int(priority)
		}
	}
	of := func(manifest fields) (fields, fields) {
		spec := manifest["spec"].(fields)
		template, has := spec["template"].(fields)
		if !has {
			template = k.templateOf(spec)
		}
		return template["spec"].(fields), template["metadata"].(fields)["labels"].(fields)
	}
	d.old, d.oldMeta = of(made.Old)
	d.new, d.newMeta = of(made.New)
	return d
}

// pods are those at the start, on the nodes and with the devices that the recording names.
func (made *placementCase) pods(k kind, c *cluster, ordinals []int) []ownPod {
	var pods []ownPod
	for position, name := range made.OldPods {
		own := ownPod{ordinal: ordinals[position], ready: true, hasClaim: c.claimOf(0) != ""}
		own.node = slices.IndexFunc(c.scheduler.nodes, func(node *corev1.Node) bool { return node.Name == name })
		if k.name == daemonSetKind.name {
			own.ordinal = own.node
		}
		if made.OldDevices != nil {
			allocation := &resourceapi.AllocationResult{NodeSelector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
				{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{name}}}}}}}
			for _, device := range made.OldDevices[position] {
				allocation.Devices.Results = append(allocation.Devices.Results, resourceapi.DeviceRequestAllocationResult{Request: "gpu", Driver: "gpu.example.com", Pool: name, Device: device})
			}
			own.allocation = allocation
		}
		pods = append(pods, own)
	}
	return pods
}

// again runs a recorded case and returns its ends, and those if nothing is ever evicted.
func (made *placementCase) again() (*placementCase, *ends) {
	k := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == made.Old["kind"] })]
	d := made.draftOf(k)
	spec := copied(made.Old["spec"]).(fields)
	delete(spec, "template")
	for _, name := range []string{"updateStrategy"} {
		if update, has := spec[name].(fields); has {
			if rolling, has := update["rollingUpdate"].(fields); has {
				if partition, has := rolling["partition"].(float64); has {
					rolling["partition"] = int(partition)
				}
			}
		}
	}
	var found [2]*placementCase
	for run := range found {
		c := d.clusterOf(k)
		if k.adjust != nil {
			c.adjust = k.adjust(d, spec)
		}
		c.scheduler.neverEvicts = run == 1
		if made.Quota != nil {
			c.quotas = quotas{decoded(made.Quota).(*corev1.ResourceQuota)}
		}
		c.controller = k.controller(d, spec)
		ordinals := anonymous(d)
		if k.name != daemonSetKind.name {
			ordinals = k.ordinals(d)
		}
		found[run] = &placementCase{}
		if !found[run].run(c, made.pods(k, c, ordinals)) {
			panic("the search of " + made.ID + " has no end")
		}
		c.scheduler.stop()
		if !found[0].Evicts && (found[0].Raced == nil || !found[0].Raced.Evicts) {
			return found[0], nil
		}
	}
	return found[0], &found[1].ends
}

// readCases reads the cases of a file, one a line: those that were drawn, or a recording.
func readCases(name string) []*placementCase {
	file, err := os.Open(name)
	must(err)
	var reader io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		reader, err = gzip.NewReader(file)
		must(err)
	}
	scanner := bufio.NewScanner(reader)
	scanner.Buffer(nil, 1<<24)
	var cases []*placementCase
	for scanner.Scan() {
		if line := strings.TrimSuffix(scanner.Text(), ","); strings.HasPrefix(line, `{"id"`) {
			made := &placementCase{}
			must(json.Unmarshal([]byte(line), made))
			cases = append(cases, made)
		}
	}
	return cases
}

// replay runs cases anew, and reports each that ends otherwise than recorded. Into a folder it records them, with the ends without evictions.
func replay(name, folder string) {
	cases := readCases(name)
	var recorded []any
	differing := 0
	for _, made := range cases {
		now, unevicted := made.again()
		if string(jsonOf(now.ends)) != string(jsonOf(made.ends)) || string(jsonOf(now.Raced)) != string(jsonOf(made.Raced)) {
			differing++
			fmt.Println(made.ID, "recorded", string(jsonOf(made.ends)), string(jsonOf(made.Raced)), "now", string(jsonOf(now.ends)), string(jsonOf(now.Raced)))
		}
		now.copyInput(made)
		now.Unevicted = unevicted
		recorded = append(recorded, now)
	}
	fmt.Println(len(cases), "cases,", differing, "differ at Kubernetes", kubernetesVersion)
	if folder != "" {
		made := recording.Recording{About: about, Upstream: recording.Versions("k8s.io/kubernetes"), Cases: recorded}
		must(made.Write(filepath.Join(folder, "kubernetes-scheduler.json")))
	}
}

// copyInput takes everything but the ends from a case.
func (made *placementCase) copyInput(from *placementCase) {
	own, raced := made.ends, made.Raced
	*made = *from
	made.ends, made.Raced = own, raced
}
