package change

func by(manager string, patch object) touch { return touch{Manager: manager, Patch: patch} }

// scaled is what an autoscaler writes.
func scaled(replicas int) touch {
	return touch{Manager: "kube-controller-manager", Sub: "scale", Patch: object{"spec": object{"replicas": replicas}}}
}

func inTemplate(spec object) object {
	return object{"spec": object{"template": object{"spec": spec}}}
}

func inWeb(fields object) object {
	fields["name"] = "web"
	return inTemplate(object{"containers": []any{fields}})
}

// touchesOfOthers are what others do to a live workload.
var touchesOfOthers = [][]touch{
	{},
	{scaled(5)},
	{by("kubectl-edit", object{"spec": object{"replicas": 4}})},
	{by("kubectl-set", inWeb(object{"env": []any{object{"name": "B", "value": "2"}}}))},
	{by("injector", inTemplate(object{"containers": []any{object{"name": "sidecar", "image": "sidecar:1"}}}))},
	{by("injector", inTemplate(object{"initContainers": []any{object{"name": "setup", "image": "setup:1"}}, "volumes": []any{object{"name": "certs", "emptyDir": object{}}}}))},
	{by("kubectl-set", inWeb(object{"image": "web:live"}))},
	{by("kubectl-set", inWeb(object{"resources": object{"limits": object{"memory": "1Gi"}}}))},
	{by("kubectl-rollout", object{"spec": object{"template": object{"metadata": object{"annotations": object{"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"}}}}})},
	{by("someone", object{"metadata": object{"annotations": object{"example.com/by": "hand"}, "labels": object{"by": "hand"}}})},
	{by("someone", inTemplate(object{"tolerations": []any{object{"key": "a", "operator": "Exists"}}}))},
	{by("someone", inTemplate(object{"nodeSelector": object{"disk": "ssd"}, "terminationGracePeriodSeconds": 5}))},
	{by("someone", inWeb(object{"args": []any{"live"}, "imagePullPolicy": "Always"}))},
	{by("someone", inWeb(object{"readinessProbe": object{"periodSeconds": 3, "httpGet": object{"port": 80}}}))},
	{by("someone", inWeb(object{"ports": []any{object{"containerPort": 9090}}}))},
	{scaled(5), by("injector", inTemplate(object{"containers": []any{object{"name": "sidecar", "image": "sidecar:1"}}})), by("kubectl-set", inWeb(object{"env": []any{object{"name": "B", "value": "2"}}}))},
	{by("someone", inTemplate(object{"serviceAccountName": "live"}))},
	{by("someone", object{"spec": object{"strategy": object{"type": "Recreate", "rollingUpdate": nil}}})},
	{by("someone", object{"spec": object{"minReadySeconds": 7, "revisionHistoryLimit": 2}})},
}

// nextOfLive are what an apply then says.
var nextOfLive = [][]edit{
	{},
	{set("/spec/replicas", 3)},
	{drop("/spec/replicas")},
	{set("/spec/replicas", nil)},
	{set(inContainer("image"), "web:2")},
	{set(inContainer("env"), []any{object{"name": "A", "value": "9"}})},
	{drop(inContainer("env"))},
	{set(inContainer("env"), nil)},
	{set(inContainer("env"), []any{})},
	{set(inContainer("env"), []any{object{"name": "B", "value": "mine"}})},
	{set(inContainer("env"), []any{object{"name": "N", "value": "1"}, object{"name": "B", "value": "2"}, object{"name": "A", "value": "1"}})},
	{set(podSpec+"/containers/-", object{"name": "second", "image": "second:1"})},
	{set(podSpec+"/containers", []any{object{"name": "second", "image": "second:1"}, object{"name": "web", "image": "web:1"}})},
	{set(inContainer("name"), "renamed")},
	{set(inContainer("args"), []any{"a"})},
	{set(inContainer("ports"), []any{object{"containerPort": 80}, object{"containerPort": 9090}})},
	{set(inContainer("ports"), []any{object{"containerPort": 9091}})},
	{drop(inContainer("ports"))},
	{set(inContainer("readinessProbe"), object{"tcpSocket": object{"port": 81}})},
	{drop(inContainer("readinessProbe"))},
	{set(inContainer("resources"), object{"limits": object{"cpu": "2"}})},
	{drop(inContainer("resources"))},
	{set(inContainer("imagePullPolicy"), "IfNotPresent")},
	{set(inPod("tolerations"), []any{object{"key": "b", "operator": "Exists"}})},
	{set(inPod("tolerations"), []any{})},
	{set(inPod("nodeSelector"), object{"disk": "hdd"})},
	{set(inPod("nodeSelector"), nil)},
	{set(inPod("nodeSelector"), object{})},
	{set(inPod("serviceAccountName"), "mine")},
	{drop(inPod("serviceAccountName"))},
	{set(inPod("terminationGracePeriodSeconds"), 60)},
	{drop(inPod("terminationGracePeriodSeconds"))},
	{set(inPod("volumes"), []any{object{"name": "data", "configMap": object{"name": "a"}}}), drop(inContainer("volumeMounts"))},
	{drop(inPod("volumes")), drop(inContainer("volumeMounts"))},
	{drop("/spec/template/metadata/annotations")},
	{set("/spec/template/metadata/annotations", object{"example.com/b": "2"})},
	{set("/metadata/annotations", object{"example.com/mine": "1"})},
	{drop("/metadata/labels")},
	{set("/spec/strategy", object{"type": "Recreate"})},
	{set("/spec/strategy", object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": 1}})},
	{drop("/spec/strategy")},
	{drop("/spec/minReadySeconds")},
	{set("/spec/minReadySeconds", nil)},
	{set("/spec/selector", object{"matchLabels": object{"app": "other"}}), set("/spec/template/metadata/labels/app", "other")},
	{drop(inContainer("securityContext"))},
	{set(inContainer("securityContext"), object{"runAsUser": 2})},
}

// dressed is a workload whose manifest names what the touches and the applies are about.
var dressed = []edit{
	set("/spec/replicas", 2), set("/spec/minReadySeconds", 3), set("/spec/strategy", object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": 2, "maxUnavailable": 0}}),
	set("/spec/template/metadata/annotations", object{"example.com/a": "1"}),
	set(inContainer("env"), []any{object{"name": "A", "value": "1"}}), set(inContainer("ports"), []any{object{"containerPort": 80}}), set(inContainer("args"), []any{"a", "b"}),
	set(inContainer("resources"), object{"limits": object{"cpu": "1"}, "requests": object{"cpu": "500m"}}), set(inContainer("readinessProbe"), object{"httpGet": object{"port": 80}, "periodSeconds": 5}),
	set(inContainer("securityContext"), object{"runAsUser": 1, "runAsGroup": 1}), set(inContainer("volumeMounts"), []any{object{"name": "data", "mountPath": "/data"}}),
	set(inPod("volumes"), []any{object{"name": "data", "emptyDir": object{}}}), set(inPod("nodeSelector"), object{"zone": "a"}), set(inPod("terminationGracePeriodSeconds"), 45), set(inPod("serviceAccountName"), "web"),
}

// plain is the same workload with almost nothing named.
var plain = []edit{set("/spec/replicas", 2), set(inContainer("env"), []any{object{"name": "A", "value": "1"}})}

var dressings = map[string][]edit{"dressed": dressed, "plain": plain}

// livePairs are every touch with a share of the applies, in each way that an object came to be and each that the next comes.
func livePairs() []pair {
	ways := []struct{ made, mode string }{
		{"client", "client"}, {"server", "server"}, {"helm", "helm"}, {"create", "client"}, {"create", "replace"}, {"create", "server"}, {"client", "server"}, {"server", "client"}, {"client", "replace"}, {"helm", "client"},
	}
	var pairs []pair
	for _, base := range []string{"deployment-dressed", "deployment-plain"} {
		for t, touches := range touchesOfOthers {
			for n, next := range nextOfLive {
				for w, way := range ways {
					// The usual way of each tool in every eighth combination, the rarer ones in every 23rd.
					nth := 8
					if way.made != way.mode {
						nth = 23
					}
					if (t*7+n*3+w*5)%nth != 0 {
						continue
					}
					pairs = append(pairs, pair{Topic: "live", Base: base, New: next, Mode: way.mode, Made: way.made, Touches: touches})
				}
			}
		}
	}
	return pairs
}
