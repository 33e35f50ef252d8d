package main

import (
	"fmt"
	"math/rand"
)

// dice draw the cases. A seed always draws the same ones.
type dice struct{ *rand.Rand }

func (d dice) percent(chance int) bool { return d.Intn(100) < chance }

func pick[T any](d dice, of ...T) T { return of[d.Intn(len(of))] }

// A draft is a case before its outcome is known.
type draft struct {
	dice
	nodes    []fields
	others   []fields
	objects  []fields
	replicas int
	old, new fields // specs of the templates
	oldMeta  fields // labels and annotations of the templates
	newMeta  fields
	// quotas by resource: how much more than the pods at the start use, in pods.
	quota func(d *draft, used map[string]int64) fields
}

var app = fields{"matchLabels": fields{"app": "web"}}

func copied(value any) any {
	switch value := value.(type) {
	case fields:
		made := fields{}
		for key, item := range value {
			made[key] = copied(item)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, item := range value {
			made[i] = copied(item)
		}
		return made
	default:
		return value
	}
}

func requests(spec fields) fields {
	return spec["containers"].([]any)[0].(fields)["resources"].(fields)["requests"].(fields)
}

// request sets an amount; extended resources have equal limits.
func request(spec fields, resource string, amount any) {
	resources := spec["containers"].([]any)[0].(fields)["resources"].(fields)
	resources["requests"].(fields)[resource] = amount
	if resource != "cpu" && resource != "memory" {
		limits, has := resources["limits"].(fields)
		if !has {
			limits = fields{}
			resources["limits"] = limits
		}
		limits[resource] = amount
	}
}

func podSpec(image, cpu string) fields {
	return fields{"containers": []any{fields{"name": "web", "image": image, "resources": fields{"requests": fields{"cpu": cpu}}}}}
}

func newDraft(d dice) *draft {
	made := &draft{dice: d, replicas: pick(d, 1, 2, 2, 2, 3, 3, 3, 4)}
	count := 2 + d.Intn(5)
	cpu := pick(d, "2", "3", "4")
	for i := range count {
		labels := fields{"kubernetes.io/hostname": fmt.Sprint("n", i+1), "topology.kubernetes.io/zone": pick(d, "a", "b", "c"), "pool": pick(d, "x", "y")}
		if d.percent(4) {
			delete(labels, "topology.kubernetes.io/zone")
		}
		size := cpu
		if d.percent(30) {
			size = pick(d, "2", "3", "4", "6")
		}
		made.nodes = append(made.nodes, fields{
			"apiVersion": "v1", "kind": "Node", "metadata": fields{"name": fmt.Sprint("n", i+1), "labels": labels}, "spec": fields{},
			"status": fields{"allocatable": fields{"cpu": size, "memory": "32Gi", "pods": pick(d, "110", "110", "110", "3")}, "conditions": []any{fields{"type": "Ready", "status": "True"}}},
		})
	}
	made.old = podSpec("web:1", pick(d, "1", "1", "2", "1500m"))
	made.oldMeta, made.newMeta = fields{"app": "web"}, fields{"app": "web"}
	for range d.Intn(count + 2) {
		made.addOther(fmt.Sprint("n", 1+d.Intn(count)))
	}
	return made
}

// other is a pod of others on a node, with an owner that no plan knows, or without one.
func (d *draft) addOther(node string) fields {
	name := fmt.Sprint(pick(d.dice, "db", "cache", "ray"), "-", len(d.others))
	spec := podSpec("other:1", pick(d.dice, "500m", "1", "1", "2"))
	spec["nodeName"] = node
	spec["tolerations"] = []any{fields{"operator": "Exists"}}
	labels := fields{"app": name[:len(name)-2]}
	metadata := fields{"name": name, "namespace": pick(d.dice, namespace, namespace, "other"), "uid": name, "labels": labels}
	if owner := pick(d.dice, fields(nil), fields{"apiVersion": "ray.io/v1", "kind": "RayCluster", "name": "ray"}, fields{"apiVersion": "batch/v1", "kind": "Job", "name": "job"}); owner != nil {
		owner = copied(owner).(fields)
		owner["uid"], owner["controller"] = owner["name"], true
		metadata["ownerReferences"] = []any{owner}
	}
	pod := fields{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": fields{"phase": "Running", "conditions": []any{fields{"type": "Ready", "status": "True"}}}}
	d.others = append(d.others, pod)
	return pod
}

func (d *draft) anyNode() fields { return pick(d.dice, d.nodes...) }

// finish makes NEW of OLD: the image always changes.
func (d *draft) finish() {
	d.new = copied(d.old).(fields)
	d.new["containers"].([]any)[0].(fields)["image"] = "web:2"
}

func (d *draft) resize(chance int) {
	if d.percent(chance) {
		request(d.new, "cpu", pick(d.dice, "500m", "1", "2", "3"))
	}
}

// themes change a draft before and after NEW is made of OLD.
var themes = []struct {
	name          string
	before, after func(d *draft)
}{
	{"size", nil, func(d *draft) { d.resize(100) }},
	{"selector", selectPool, func(d *draft) { d.resize(30); moveSelector(d) }},
	{"taints", taintNodes, func(d *draft) { d.resize(30); moveTolerations(d) }},
	{"gpu", withGpus, func(d *draft) { d.resize(20); regpu(d) }},
	{"spread", withSpread, func(d *draft) { d.resize(30); changeSpread(d) }},
	{"anti", withAnti, func(d *draft) { d.resize(30); changeAnti(d) }},
	{"affinity", withAffinity, func(d *draft) { d.resize(30); changeAffinity(d) }},
	{"ports", withPorts, func(d *draft) { d.resize(30); changePorts(d) }},
	{"devices", withDevices, func(d *draft) { d.resize(20); changeDevices(d) }},
	{"quota", withQuota, func(d *draft) { d.resize(70); changeQuota(d) }},
	{"volumes", withVolume, func(d *draft) { d.resize(30); changeVolume(d) }},
	{"priority", withPriority, func(d *draft) { d.resize(60); changePriority(d) }},
	{"gates", nil, func(d *draft) {
		d.resize(30)
		d.new["schedulingGates"] = []any{fields{"name": "example.com/wait"}}
	}},
}

func selectPool(d *draft) {
	for _, node := range d.nodes {
		if d.percent(60) {
			node["metadata"].(fields)["labels"].(fields)["gpu"] = pick(d.dice, "a100", "h100")
		}
	}
	switch d.Intn(4) {
	case 0:
		d.old["nodeSelector"] = fields{"pool": pick(d.dice, "x", "y")}
	case 1:
		d.old["nodeSelector"] = fields{"gpu": "a100"}
	case 2:
		requireNodes(d, d.old)
	}
}

func requireNodes(d *draft, spec fields) {
	expression := pick(d.dice,
		fields{"key": "gpu", "operator": "Exists"}, fields{"key": "gpu", "operator": "NotIn", "values": []any{"a100"}},
		fields{"key": "topology.kubernetes.io/zone", "operator": "In", "values": []any{"a", "b"}}, fields{"key": "pool", "operator": "In", "values": []any{"x"}},
		fields{"key": "kubernetes.io/hostname", "operator": "NotIn", "values": []any{"n1"}})
	terms := []any{fields{"matchExpressions": []any{copied(expression)}}}
	if d.percent(30) {
		terms = append(terms, fields{"matchExpressions": []any{fields{"key": "pool", "operator": "In", "values": []any{"y"}}}})
	}
	affinityOf(spec)["nodeAffinity"] = fields{"requiredDuringSchedulingIgnoredDuringExecution": fields{"nodeSelectorTerms": terms}}
}

func affinityOf(spec fields) fields {
	affinity, has := spec["affinity"].(fields)
	if !has {
		affinity = fields{}
		spec["affinity"] = affinity
	}
	return affinity
}

func moveSelector(d *draft) {
	switch d.Intn(5) {
	case 0:
		delete(d.new, "nodeSelector")
		delete(d.new, "affinity")
	case 1:
		d.new["nodeSelector"] = fields{"gpu": "h100"}
	case 2:
		d.new["nodeSelector"] = fields{"pool": pick(d.dice, "x", "y")}
	case 3:
		requireNodes(d, d.new)
	}
}

var toleratesAll = []any{fields{"key": "dedicated", "operator": "Exists"}}

func taintNodes(d *draft) {
	for _, node := range d.nodes {
		if d.percent(45) {
			node["spec"].(fields)["taints"] = []any{fields{"key": "dedicated", "value": pick(d.dice, "web", "db"), "effect": pick(d.dice, "NoSchedule", "NoSchedule", "PreferNoSchedule")}}
		}
	}
	if d.percent(50) {
		d.old["tolerations"] = copied(pick(d.dice, toleratesAll, []any{fields{"key": "dedicated", "value": "web"}}))
	}
}

func moveTolerations(d *draft) {
	switch d.Intn(3) {
	case 0:
		delete(d.new, "tolerations")
	case 1:
		d.new["tolerations"] = copied(pick(d.dice, toleratesAll, []any{fields{"key": "dedicated", "value": "db", "effect": "NoSchedule"}}))
	}
}

func withGpus(d *draft) {
	for _, node := range d.nodes {
		if amount := pick(d.dice, "", "1", "2", "2", "4"); amount != "" {
			node["status"].(fields)["allocatable"].(fields)["nvidia.com/gpu"] = amount
		}
	}
	for _, other := range d.others {
		if d.percent(30) {
			request(other["spec"].(fields), "nvidia.com/gpu", 1)
		}
	}
	if d.percent(85) {
		request(d.old, "nvidia.com/gpu", pick(d.dice, 1, 1, 2))
	}
}

func regpu(d *draft) {
	if d.percent(80) {
		request(d.new, "nvidia.com/gpu", pick(d.dice, 1, 2, 2, 4))
	}
}

func spreadConstraint(d *draft) fields {
	constraint := fields{"maxSkew": pick(d.dice, 1, 1, 1, 2), "whenUnsatisfiable": "DoNotSchedule", "labelSelector": copied(app),
		"topologyKey": pick(d.dice, "topology.kubernetes.io/zone", "topology.kubernetes.io/zone", "kubernetes.io/hostname", "kubernetes.io/hostname", "pool")}
	if d.percent(15) {
		constraint["minDomains"] = pick(d.dice, 2, 3)
	}
	if d.percent(20) {
		constraint["matchLabelKeys"] = []any{"pod-template-hash"}
	}
	if d.percent(15) {
		constraint["nodeTaintsPolicy"] = "Honor"
	}
	if d.percent(12) {
		constraint["nodeAffinityPolicy"] = "Ignore"
	}
	if d.percent(8) {
		constraint["labelSelector"] = copied(pick(d.dice, fields{"matchLabels": fields{"app": "db"}}, fields{}, fields{"matchExpressions": []any{fields{"key": "app", "operator": "In", "values": []any{"web", "db"}}}}))
	}
	return constraint
}

func withSpread(d *draft) {
	var constraints []any
	seen := map[any]bool{}
	for range pick(d.dice, 1, 1, 1, 2) {
		constraint := spreadConstraint(d)
		if !seen[constraint["topologyKey"]] {
			constraints = append(constraints, constraint)
		}
		seen[constraint["topologyKey"]] = true
	}
	d.old["topologySpreadConstraints"] = constraints
	if d.percent(30) {
		taintNodes(d)
	}
	if d.percent(20) {
		selectPool(d)
	}
	for _, other := range d.others {
		if d.percent(15) {
			other["metadata"].(fields)["labels"].(fields)["app"] = "web"
		}
	}
}

func changeSpread(d *draft) {
	if d.percent(30) {
		d.new["topologySpreadConstraints"] = []any{spreadConstraint(d)}
	}
	if d.percent(10) {
		d.new["topologySpreadConstraints"].([]any)[0].(fields)["maxSkew"] = 2
	}
	if d.percent(25) {
		delete(d.old, "topologySpreadConstraints")
	}
}

func podTerm(d *draft) fields {
	term := fields{"topologyKey": pick(d.dice, "kubernetes.io/hostname", "kubernetes.io/hostname", "topology.kubernetes.io/zone", "pool"), "labelSelector": copied(app)}
	switch d.Intn(8) {
	case 0:
		term["matchLabelKeys"] = []any{"pod-template-hash"}
	case 1:
		term["mismatchLabelKeys"] = []any{"pod-template-hash"}
	case 2, 3:
		term["labelSelector"] = fields{"matchLabels": fields{"app": pick(d.dice, "db", "cache", "ray")}}
	}
	if d.percent(15) {
		term["namespaces"] = pick(d.dice, []any{"other"}, []any{"other", namespace})
	}
	return term
}

func require(spec fields, kind string, terms ...any) {
	affinityOf(spec)[kind] = fields{"requiredDuringSchedulingIgnoredDuringExecution": terms}
}

func withAnti(d *draft) {
	if d.percent(60) {
		require(d.old, "podAntiAffinity", podTerm(d))
	}
	for _, other := range d.others {
		if d.percent(20) {
			require(other["spec"].(fields), "podAntiAffinity", podTerm(d))
		}
	}
}

func changeAnti(d *draft) {
	switch d.Intn(4) {
	case 0:
		delete(d.new, "affinity")
	case 1:
		require(d.new, "podAntiAffinity", podTerm(d))
	case 2:
		require(d.new, "podAntiAffinity", podTerm(d), podTerm(d))
	}
}

func withAffinity(d *draft) {
	if d.percent(60) {
		require(d.old, "podAffinity", podTerm(d))
	}
	if d.percent(15) {
		withAnti(d)
	}
}

func changeAffinity(d *draft) {
	switch d.Intn(4) {
	case 0:
		delete(d.new, "affinity")
	case 1, 2:
		require(d.new, "podAffinity", podTerm(d))
	}
}

func hostPort(spec fields, port fields) {
	spec["containers"].([]any)[0].(fields)["ports"] = []any{port}
}

func somePort(d *draft) fields {
	port := fields{"containerPort": 8080, "hostPort": pick(d.dice, 8080, 8080, 9090)}
	if d.percent(25) {
		port["hostIP"] = pick(d.dice, "10.0.0.1", "0.0.0.0")
	}
	return port
}

func withPorts(d *draft) {
	if d.percent(70) {
		hostPort(d.old, somePort(d))
	}
	for _, other := range d.others {
		if d.percent(35) {
			hostPort(other["spec"].(fields), somePort(d))
		}
	}
}

func changePorts(d *draft) {
	if d.percent(50) {
		hostPort(d.new, somePort(d))
	}
}

const resourceVersion = "resource.k8s.io/v1"

func claimSpec(class string, count int) fields {
	return fields{"devices": fields{"requests": []any{fields{"name": "gpu", "exactly": fields{"deviceClassName": class, "allocationMode": "ExactCount", "count": count}}}}}
}

func withDevices(d *draft) {
	d.objects = append(d.objects, fields{"apiVersion": resourceVersion, "kind": "DeviceClass", "metadata": fields{"name": "gpu.example.com"},
		"spec": fields{"selectors": []any{fields{"cel": fields{"expression": `device.driver == "gpu.example.com"`}}}}})
	free := map[string]int{}
	for _, node := range d.nodes {
		name := node["metadata"].(fields)["name"].(string)
		count := pick(d.dice, 0, 1, 2, 2, 3)
		if count == 0 {
			continue
		}
		var devices []any
		for i := range count {
			devices = append(devices, fields{"name": fmt.Sprint(name, "-gpu-", i)})
		}
		free[name] = count
		d.objects = append(d.objects, fields{"apiVersion": resourceVersion, "kind": "ResourceSlice", "metadata": fields{"name": name + "-gpu"},
			"spec": fields{"driver": "gpu.example.com", "nodeName": name, "pool": fields{"name": name, "generation": 1, "resourceSliceCount": 1}, "devices": devices}})
	}
	for _, other := range d.others {
		node := other["spec"].(fields)["nodeName"].(string)
		if free[node] == 0 || !d.percent(40) {
			continue
		}
		free[node]--
		metadata := other["metadata"].(fields)
		name := metadata["name"].(string) + "-gpu"
		other["spec"].(fields)["resourceClaims"] = []any{fields{"name": "gpu", "resourceClaimName": name}}
		d.objects = append(d.objects, fields{"apiVersion": resourceVersion, "kind": "ResourceClaim", "metadata": fields{"name": name, "namespace": metadata["namespace"], "uid": name},
			"spec": claimSpec("gpu.example.com", 1),
			"status": fields{
				"reservedFor": []any{fields{"resource": "pods", "name": metadata["name"], "uid": metadata["name"]}},
				"allocation": fields{"devices": fields{"results": []any{fields{"request": "gpu", "driver": "gpu.example.com", "pool": node, "device": fmt.Sprint(node, "-gpu-", free[node])}}},
					"nodeSelector": fields{"nodeSelectorTerms": []any{fields{"matchFields": []any{fields{"key": "metadata.name", "operator": "In", "values": []any{node}}}}}}}}})
	}
	d.claimTemplate(d.old, "web-old", pick(d.dice, 1, 1, 2))
}

// claimTemplate lets the pods of a template claim devices.
func (d *draft) claimTemplate(spec fields, name string, count int) {
	spec["resourceClaims"] = []any{fields{"name": "gpu", "resourceClaimTemplateName": name}}
	spec["containers"].([]any)[0].(fields)["resources"].(fields)["claims"] = []any{fields{"name": "gpu"}}
	d.objects = append(d.objects, fields{"apiVersion": resourceVersion, "kind": "ResourceClaimTemplate", "metadata": fields{"name": name, "namespace": namespace}, "spec": fields{"spec": claimSpec("gpu.example.com", count)}})
}

func changeDevices(d *draft) {
	if d.percent(50) {
		d.claimTemplate(d.new, "web-new", pick(d.dice, 1, 1, 2, 3))
	}
	if d.percent(25) {
		d.quota = func(d *draft, _ map[string]int64) fields {
			return fields{"gpu.example.com.deviceclass.resource.k8s.io/devices": fmt.Sprint(d.replicas + d.Intn(2*d.replicas+2))}
		}
	}
}

func withQuota(d *draft) {
	for _, node := range d.nodes {
		allocatable := node["status"].(fields)["allocatable"].(fields)
		allocatable["cpu"], allocatable["nvidia.com/gpu"] = pick(d.dice, "8", "4"), "4"
	}
	if d.percent(60) {
		request(d.old, "nvidia.com/gpu", pick(d.dice, 1, 2))
	}
	if d.percent(40) {
		request(d.old, "memory", pick(d.dice, "1Gi", "2Gi"))
	}
}

func changeQuota(d *draft) {
	if _, has := requests(d.old)["nvidia.com/gpu"]; has && d.percent(60) {
		request(d.new, "nvidia.com/gpu", pick(d.dice, 1, 2, 3))
	}
	if _, has := requests(d.old)["memory"]; has && d.percent(60) {
		request(d.new, "memory", pick(d.dice, "1Gi", "2Gi", "3Gi"))
	}
	d.quota = func(d *draft, used map[string]int64) fields {
		hard := fields{}
		if _, has := requests(d.new)["nvidia.com/gpu"]; has && d.percent(75) {
			hard["requests.nvidia.com/gpu"] = fmt.Sprint(used["requests.nvidia.com/gpu"]/1000 + int64(d.Intn(5)))
		}
		if d.percent(50) {
			hard[pick(d.dice, "requests.cpu", "cpu")] = fmt.Sprint(used["requests.cpu"]+int64(500*d.Intn(8)), "m")
		}
		if _, has := requests(d.new)["memory"]; has && d.percent(40) {
			hard["requests.memory"] = fmt.Sprint(used["requests.memory"]/1000/(1<<30)+1+int64(d.Intn(4)), "Gi")
		}
		if len(hard) == 0 || d.percent(25) {
			hard["pods"] = fmt.Sprint(used["pods"]/1000 + int64(d.Intn(4)))
		}
		return hard
	}
}

func withVolume(d *draft) {
	mode := pick(d.dice, "ReadWriteMany", "ReadWriteMany", "ReadOnlyMany", "ReadWriteOncePod", "ReadWriteOncePod")
	d.addVolume("data", mode)
	if mode == "ReadWriteOncePod" {
		d.replicas = 1
	}
	d.mount(d.old, "data")
}

// addVolume adds a bound claim whose volume is in a zone, in some zones, on a node, or anywhere.
func (d *draft) addVolume(name, mode string) {
	volume := fields{"capacity": fields{"storage": "1Gi"}, "accessModes": []any{mode}, "claimRef": fields{"name": name, "namespace": namespace, "uid": name},
		"csi": fields{"driver": "disk.example.com", "volumeHandle": name}, "storageClassName": "fast"}
	metadata := fields{"name": "pv-" + name}
	switch d.Intn(5) {
	case 0, 1:
		volume["nodeAffinity"] = required("topology.kubernetes.io/zone", pick(d.dice, "a", "b"))
	case 2:
		metadata["labels"] = fields{"topology.kubernetes.io/zone": pick(d.dice, "a", "b", "a__b")}
	case 3:
		volume["nodeAffinity"] = required("kubernetes.io/hostname", pick(d.dice, "n1", "n2"))
	}
	d.objects = append(d.objects,
		fields{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": metadata, "spec": volume, "status": fields{"phase": "Bound"}},
		fields{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": fields{"name": name, "namespace": namespace, "uid": name, "annotations": fields{"pv.kubernetes.io/bind-completed": "yes"}},
			"spec":   fields{"accessModes": []any{mode}, "volumeName": "pv-" + name, "storageClassName": "fast", "resources": fields{"requests": fields{"storage": "1Gi"}}},
			"status": fields{"phase": "Bound", "accessModes": []any{mode}, "capacity": fields{"storage": "1Gi"}}})
	for _, object := range d.objects {
		if object["kind"] == "StorageClass" {
			return
		}
	}
	d.objects = append(d.objects, fields{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": fields{"name": "fast"}, "provisioner": "disk.example.com", "volumeBindingMode": pick(d.dice, "Immediate", "WaitForFirstConsumer")})
}

func required(label, value string) fields {
	return fields{"required": fields{"nodeSelectorTerms": []any{fields{"matchExpressions": []any{fields{"key": label, "operator": "In", "values": []any{value}}}}}}}
}

func (d *draft) mount(spec fields, claim string) {
	spec["volumes"] = []any{fields{"name": "data", "persistentVolumeClaim": fields{"claimName": claim}}}
}

func changeVolume(d *draft) {
	switch d.Intn(5) {
	case 0:
		d.addVolume("other", "ReadWriteMany")
		d.mount(d.new, "other")
	case 1:
		delete(d.old, "volumes")
	}
}

func withPriority(d *draft) {
	d.objects = append(d.objects,
		fields{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": fields{"name": "high"}, "value": 1000},
		fields{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": fields{"name": "mid"}, "value": 500})
	for _, other := range d.others {
		if class := pick(d.dice, "", "", "high", "mid"); class != "" {
			prioritize(other["spec"].(fields), class)
			other["spec"].(fields)["priority"] = map[string]int{"high": 1000, "mid": 500}[class]
		} else {
			other["spec"].(fields)["priority"] = 0
		}
	}
	if d.percent(70) {
		prioritize(d.old, pick(d.dice, "high", "mid"))
	}
}

func prioritize(spec fields, class string) {
	spec["priorityClassName"] = class
	if class == "" {
		delete(spec, "priorityClassName")
	}
}

func changePriority(d *draft) {
	if d.percent(30) {
		prioritize(d.new, pick(d.dice, "high", "mid", ""))
	}
	if d.percent(15) {
		if class, has := d.new["priorityClassName"]; has {
			for _, object := range d.objects {
				if object["kind"] == "PriorityClass" && object["metadata"].(fields)["name"] == class {
					object["preemptionPolicy"] = "Never"
				}
			}
		}
	}
}
