package main

import (
	"math/rand"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	recording "rolloutkit-oracle-recording"
)

const aboutIdentity = "Pairs of RayClusters: the base's rayClusterConfig with `old` and with `new` changed (a JSON pointer into the RayService, and the value). " +
	"same says whether the operator's hash of both is one; appended whether the new one is the old one with worker groups appended, " +
	"which is when the hash without those is the old one."

type identityCase struct {
	Base     map[string]any `json:"base,omitempty"`
	Old      []change       `json:"old"`
	New      []change       `json:"new"`
	Same     bool           `json:"same"`
	Appended bool           `json:"appended"`
}

const (
	cluster   = "/spec/rayClusterConfig"
	headPod   = cluster + "/headGroupSpec/template"
	group     = cluster + "/workerGroupSpecs/0"
	container = group + "/template/spec/containers/0"
)

// A slot is a place in a cluster, and what may stand there; nil is nothing.
type slot struct {
	at     string
	values []any
}

type m = map[string]any
type l = []any

var slots = []slot{
	{cluster + "/rayVersion", l{nil, "", "2.51.0", "2.52.0"}},
	{cluster + "/enableInTreeAutoscaling", l{nil, true, false}},
	{cluster + "/suspend", l{nil, true, false}},
	{cluster + "/managedBy", l{nil, "ray.io/kuberay-operator"}},
	{cluster + "/upgradeStrategy", l{nil, m{}, m{"type": "None"}}},
	{cluster + "/autoscalerOptions", l{nil, m{}, m{"idleTimeoutSeconds": 0}, m{"idleTimeoutSeconds": 60}, m{"version": "v2"}, m{"version": ""},
		m{"image": ""}, m{"imagePullPolicy": ""}, m{"resources": m{}}, m{"resources": m{"limits": m{}}}, m{"env": l{}}, m{"securityContext": m{}}}},
	{cluster + "/gcsFaultToleranceOptions", l{nil, m{}, m{"redisAddress": "r:6379"}, m{"redisAddress": "r:6379", "externalStorageNamespace": ""},
		m{"redisAddress": "r:6379", "redisPassword": m{}}, m{"redisAddress": "r:6379", "redisPassword": m{"value": ""}}}},
	{cluster + "/authOptions", l{nil, m{}, m{"mode": ""}, m{"mode": "token"}}},
	{cluster + "/headServiceAnnotations", l{nil, m{}, m{"a": ""}, m{"a": "b"}}},
	{cluster + "/headGroupSpec/rayStartParams", l{nil, m{}, m{"num-cpus": "0"}, m{"num-cpus": ""}}},
	{cluster + "/headGroupSpec/labels", l{nil, m{}, m{"a": ""}, m{"image": ""}}},
	{cluster + "/headGroupSpec/resources", l{nil, m{}, m{"CPU": "1"}, m{"CPU": ""}}},
	{cluster + "/headGroupSpec/serviceType", l{nil, "", "ClusterIP", "NodePort"}},
	{cluster + "/headGroupSpec/enableIngress", l{nil, true, false}},
	{cluster + "/headGroupSpec/headService", l{nil, m{}, m{"spec": m{}}, m{"spec": m{"selector": m{}}}, m{"spec": m{"type": "NodePort"}}, m{"spec": m{"selector": m{"a": ""}}},
		m{"spec": m{"publishNotReadyAddresses": false}}, m{"metadata": m{}}, m{"spec": m{"sessionAffinityConfig": m{}}}}},
	{headPod + "/metadata", l{nil, m{}, m{"labels": m{}}, m{"labels": m{"a": ""}}, m{"annotations": m{"a": "b"}}}},
	{headPod + "/spec/tolerations", l{nil, l{}, l{m{"operator": "Exists"}}, l{m{"key": "gpu", "operator": "Exists", "tolerationSeconds": 0}}}},
	{headPod + "/spec/schedulingGates", l{nil, l{}, l{m{"name": "a"}}}},
	{headPod + "/spec/nodeSelector", l{nil, m{}, m{"zone": "a"}, m{"zone": ""}}},
	{headPod + "/spec/affinity", l{nil, m{}, m{"nodeAffinity": m{}}, m{"podAffinity": m{"requiredDuringSchedulingIgnoredDuringExecution": l{}}}}},
	{headPod + "/spec/securityContext", l{nil, m{}, m{"runAsUser": 0}, m{"runAsUser": 1000}, m{"supplementalGroups": l{}}, m{"sysctls": l{m{"name": "a", "value": ""}}}}},
	{headPod + "/spec/dnsConfig", l{nil, m{}, m{"options": l{}}, m{"options": l{m{"name": "a"}}}, m{"options": l{m{"name": "a", "value": ""}}}}},
	{headPod + "/spec/restartPolicy", l{nil, "", "Never", "Always"}},
	{headPod + "/spec/priorityClassName", l{nil, "", "high"}},
	{headPod + "/spec/priority", l{nil, 0, 5}},
	{headPod + "/spec/terminationGracePeriodSeconds", l{nil, 0, 30}},
	{headPod + "/spec/enableServiceLinks", l{nil, true, false}},
	{headPod + "/spec/hostNetwork", l{nil, true, false}},
	{headPod + "/spec/resources", l{nil, m{}, m{"limits": m{"cpu": "1"}}}},
	{headPod + "/spec/overhead", l{nil, m{}, m{"cpu": "500m"}, m{"cpu": 0.5}}},
	{headPod + "/spec/imagePullSecrets", l{nil, l{}, l{m{"name": "a"}}, l{m{}}}},
	{headPod + "/spec/topologySpreadConstraints", l{nil, l{}, l{m{"maxSkew": 1, "topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule"}},
		l{m{"maxSkew": 1, "topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": m{}}},
		l{m{"maxSkew": 1, "topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule", "minDomains": 0}}}},
	{headPod + "/spec/volumes", l{nil, l{}, l{m{"name": "v"}}, l{m{"name": "v", "emptyDir": m{}}}, l{m{"name": "v", "emptyDir": m{"medium": ""}}},
		l{m{"name": "v", "emptyDir": m{"sizeLimit": "1Gi"}}}, l{m{"name": "v", "emptyDir": m{"sizeLimit": "1024Mi"}}},
		l{m{"name": "v", "emptyDir": m{"sizeLimit": "1073741824"}}}, l{m{"name": "v", "emptyDir": m{"sizeLimit": 0}}},
		l{m{"name": "v", "configMap": m{"name": "c"}}}, l{m{"name": "v", "configMap": m{"name": "c", "optional": false}}},
		l{m{"name": "v", "configMap": m{"name": "c", "defaultMode": 0}}}, l{m{"name": "v", "configMap": m{"name": "c", "items": l{}}}},
		l{m{"name": "v", "configMap": m{"name": "c", "items": l{m{"key": "k", "path": "p", "mode": 0}}}}},
		l{m{"name": "v", "configMap": m{"name": "c", "items": l{m{"key": "k", "path": "p"}}}}},
		l{m{"name": "v", "hostPath": m{"path": "/x"}}}, l{m{"name": "v", "hostPath": m{"path": "/x", "type": ""}}},
		l{m{"name": "v", "csi": m{"driver": "d"}}}, l{m{"name": "v", "csi": m{"driver": "d", "readOnly": false}}}, l{m{"name": "v", "csi": m{"driver": "d", "fsType": ""}}},
		l{m{"name": "v", "nfs": m{"server": "s", "path": "/"}}}, l{m{"name": "v", "nfs": m{"server": "s", "path": "/", "readOnly": false}}},
		l{m{"name": "v", "image": m{}}}, l{m{"name": "v", "projected": m{}}}, l{m{"name": "v", "projected": m{"sources": l{}}}},
		l{m{"name": "v", "ephemeral": m{}}}, l{m{"name": "v", "ephemeral": m{"volumeClaimTemplate": m{}}}},
		l{m{"name": "v", "ephemeral": m{"volumeClaimTemplate": m{"spec": m{}}}}},
		l{m{"name": "v", "ephemeral": m{"volumeClaimTemplate": m{"spec": m{"resources": m{}}}}}},
		l{m{"name": "v", "ephemeral": m{"volumeClaimTemplate": m{"spec": m{"resources": m{"requests": m{"storage": "1Gi"}}}}}}},
		l{m{"name": "v", "ephemeral": m{"volumeClaimTemplate": m{"spec": m{"resources": m{"requests": m{"storage": "1024Mi"}}}}}}},
		l{m{"name": "v", "ephemeral": m{"volumeClaimTemplate": m{"spec": m{"storageClassName": ""}}}}},
		l{m{"name": "v", "ephemeral": m{"volumeClaimTemplate": m{"spec": m{"selector": m{}}}}}}}},
	{group + "/replicas", l{0, 1, 3}},
	{group + "/minReplicas", l{0, 1}},
	{group + "/maxReplicas", l{5, 9}},
	{group + "/numOfHosts", l{nil, 1, 2}},
	{group + "/suspend", l{nil, false, true}},
	{group + "/idleTimeoutSeconds", l{nil, 0, 30}},
	{group + "/scaleStrategy", l{nil, m{}, m{"workersToDelete": l{}}, m{"workersToDelete": l{"a"}}}},
	{group + "/rayStartParams", l{nil, m{}, m{"num-gpus": "1"}}},
	{group + "/labels", l{nil, m{}, m{"a": "b"}}},
	{group + "/resources", l{nil, m{}, m{"GPU": "1"}}},
	{group + "/template/spec/tolerations", l{nil, l{}, l{m{"operator": "Exists"}}}},
	{group + "/template/spec/nodeSelector", l{nil, m{}, m{"zone": "a"}}},
	{container + "/image", l{nil, "", "a", "b"}},
	{container + "/resources", l{nil, m{}, m{"limits": m{}}, m{"limits": m{"cpu": "1"}}, m{"limits": m{"cpu": 1}}, m{"limits": m{"cpu": "1000m"}}, m{"limits": m{"cpu": "2"}},
		m{"limits": m{"memory": "1Gi"}}, m{"limits": m{"memory": "1024Mi"}}, m{"limits": m{"memory": "1073741824"}}, m{"limits": m{"memory": 1073741824}},
		m{"limits": m{"memory": "1G"}}, m{"limits": m{"memory": "1000M"}}, m{"limits": m{"memory": "1e9"}}, m{"limits": m{"memory": "1000e6"}}, m{"limits": m{"memory": "1000000000"}},
		m{"limits": m{"memory": "0.5Ki"}}, m{"limits": m{"memory": "512"}}, m{"limits": m{"cpu": "0"}}, m{"limits": m{"cpu": ".5"}}, m{"limits": m{"cpu": "500m"}},
		m{"limits": m{"cpu": "0.1"}}, m{"limits": m{"cpu": "100m"}}, m{"limits": m{"memory": "1.5Gi"}}, m{"limits": m{"memory": "1536Mi"}}, m{"requests": m{"cpu": "1"}}, m{"claims": l{}}}},
	{container + "/env", l{nil, l{}, l{m{"name": "A"}}, l{m{"name": "A", "value": ""}}, l{m{"name": "A", "value": "1"}}, l{m{"name": "A"}, m{"name": "B"}}, l{m{"name": "B"}, m{"name": "A"}},
		l{m{"name": "A", "valueFrom": m{}}}, l{m{"name": "A", "valueFrom": m{"secretKeyRef": m{"key": "k", "name": "s"}}}},
		l{m{"name": "A", "valueFrom": m{"secretKeyRef": m{"key": "k", "name": "s", "optional": false}}}},
		l{m{"name": "A", "valueFrom": m{"resourceFieldRef": m{"resource": "limits.cpu"}}}}, l{m{"name": "A", "valueFrom": m{"resourceFieldRef": m{"resource": "limits.cpu", "divisor": "0"}}}},
		l{m{"name": "A", "valueFrom": m{"resourceFieldRef": m{"resource": "limits.cpu", "divisor": "1"}}}},
		l{m{"name": "A", "valueFrom": m{"fieldRef": m{"fieldPath": "x"}}}}, l{m{"name": "A", "valueFrom": m{"fieldRef": m{"fieldPath": "x", "apiVersion": ""}}}}}},
	{container + "/ports", l{nil, l{}, l{m{"containerPort": 8000}}, l{m{"containerPort": 8000, "protocol": "TCP"}}, l{m{"containerPort": 8000, "protocol": "UDP"}},
		l{m{"containerPort": 8000, "name": ""}}, l{m{"containerPort": 8000, "hostPort": 0}}}},
	{container + "/securityContext", l{nil, m{}, m{"privileged": false}, m{"capabilities": m{}}, m{"capabilities": m{"add": l{}}}, m{"readOnlyRootFilesystem": true}}},
	{container + "/command", l{nil, l{}, l{""}, l{"a"}}},
	{container + "/args", l{nil, l{}, l{"", "a"}, l{"a"}}},
	{container + "/stdin", l{nil, false, true}},
	{container + "/restartPolicy", l{nil, "", "Always"}},
	{container + "/imagePullPolicy", l{nil, "", "Always"}},
	{container + "/workingDir", l{nil, "", "/x"}},
	{container + "/volumeMounts", l{nil, l{}, l{m{"name": "v", "mountPath": "/x"}}, l{m{"name": "v", "mountPath": "/x", "readOnly": false}}, l{m{"name": "v", "mountPath": "/x", "subPath": ""}},
		l{m{"name": "v", "mountPath": "/x", "mountPropagation": ""}}}},
	{container + "/livenessProbe", l{nil, m{}, m{"httpGet": m{"port": 80}}, m{"httpGet": m{"port": "80"}}, m{"httpGet": m{"port": 80, "path": ""}}, m{"exec": m{}}, m{"exec": m{"command": l{}}},
		m{"exec": m{}, "timeoutSeconds": 0}, m{"exec": m{}, "terminationGracePeriodSeconds": 0}, m{"tcpSocket": m{"port": 80}}}},
	{container + "/lifecycle", l{nil, m{}, m{"preStop": m{}}, m{"preStop": m{"sleep": m{"seconds": 0}}}, m{"preStop": m{"exec": m{}}}}},
}

const identityCount = 500

func identityCases() []any {
	read := readInputs()
	random := rand.New(rand.NewSource(1))
	cases := []any{}
	for range recording.NumberOf("CASES", identityCount) {
		old, next := []change{}, []change{}
		for _, at := range random.Perm(len(slots))[:1+random.Intn(3)] {
			s := slots[at]
			pair := []int{random.Intn(len(s.values)), random.Intn(len(s.values))}
			old = append(old, changeTo(s, pair[0])...)
			next = append(next, changeTo(s, pair[1])...)
		}
		if random.Intn(8) == 0 {
			next = append(next, appendGroup(read.Base, next))
		}
		c := identityCase{Old: old, New: next}
		oldSpec := stored(changed(read.Base, old)).Spec.RayClusterSpec
		newSpec := stored(changed(read.Base, next)).Spec.RayClusterSpec
		c.Same = hashOf(oldSpec) == hashOf(newSpec)
		c.Appended = isAppended(oldSpec, newSpec)
		if len(cases) == 0 {
			c.Base = read.Base
		}
		cases = append(cases, c)
	}
	return cases
}

func changeTo(s slot, value int) []change {
	if s.values[value] == nil {
		return []change{{s.at}}
	}
	return []change{{s.at, s.values[value]}}
}

func appendGroup(base map[string]any, changes []change) change {
	groups := at(changed(base, changes), "spec", "rayClusterConfig", "workerGroupSpecs").([]any)
	first := copied(groups[0]).(map[string]any)
	first["groupName"] = "appended"
	return change{cluster + "/workerGroupSpecs", append(groups, any(first))}
}

func hashOf(spec rayv1.RayClusterSpec) string {
	hash, err := clusterHash(spec)
	must(err)
	return hash
}

func isAppended(old, next rayv1.RayClusterSpec) bool {
	if len(next.WorkerGroupSpecs) <= len(old.WorkerGroupSpecs) {
		return false
	}
	next.WorkerGroupSpecs = next.WorkerGroupSpecs[:len(old.WorkerGroupSpecs)]
	return hashOf(old) == hashOf(next)
}
