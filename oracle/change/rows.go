package change

// A row is one change: what makes the first manifest of the base, and the second of the first.
type row struct {
	old, next []edit
}

func to(next ...edit) row                  { return row{next: next} }
func from(old []edit, next ...edit) row    { return row{old, next} }
func was(old ...edit) []edit               { return old }
func inContainer(name string) string       { return container + "/" + name }
func inPod(name string) string             { return podSpec + "/" + name }
func spelled(p string, a, b any) row       { return from(was(set(p, a)), set(p, b)) }
func spelledOut(p string, value any) row   { return to(set(p, value)) }
func nothing(p string) []row               { return []row{to(set(p, nil)), to(set(p, []any{}))} }
func nothingMap(p string) []row            { return []row{to(set(p, nil)), to(set(p, object{}))} }
func limits(name string) string            { return inContainer("resources/limits/" + name) }
func volumes(list ...any) edit             { return set(inPod("volumes"), list) }
func volume(source string, of object) edit { return volumes(object{"name": "v", source: of}) }

// respelled are two spellings each: most say the same, some only look alike.
var respelled = func() []row {
	rows := []row{
		to(),
		// Quantities in one format and in another.
		spelled(limits("cpu"), "1", "1000m"), spelled(limits("cpu"), "1", 1), spelled(limits("cpu"), "0.5", "500m"), spelled(limits("cpu"), "1.5", "1500m"), spelled(limits("cpu"), 1.5, "1500m"),
		spelled(limits("cpu"), "1", "1e0"), spelled(limits("cpu"), "1000", "1k"), spelled(limits("cpu"), "1000", "1e3"), spelled(limits("cpu"), "100u", "1m"), spelled(limits("cpu"), "1.0001", "1001m"),
		spelled(limits("cpu"), "+1", "1"), spelled(limits("cpu"), "1.0", "1"), spelled(limits("cpu"), "1.", "1"), spelled(limits("cpu"), ".5", "0.5"), spelled(limits("cpu"), "0", "0m"), spelled(limits("cpu"), "1n", "1m"),
		spelled(limits("memory"), "1024Mi", "1Gi"), spelled(limits("memory"), "0.5Gi", "512Mi"), spelled(limits("memory"), "1Gi", "1073741824"), spelled(limits("memory"), "1Gi", 1073741824),
		spelled(limits("memory"), "1000000", "1M"), spelled(limits("memory"), "1G", "1e9"), spelled(limits("memory"), "1G", "1000M"), spelled(limits("memory"), "1.5Gi", "1536Mi"), spelled(limits("memory"), "128974848", "129e6"),
		spelled(limits("memory"), "1000Ki", "1024000"), spelled(limits("memory"), "1E", "1e18"), spelled(limits("memory"), "1e3", "1000"), spelled(limits("memory"), "1e3", "1e+3"), spelled(limits("memory"), "1E3", "1e3"),
		spelled(limits("memory"), "10e2", "1e3"), spelled(limits("memory"), "12e-1", "1200m"), spelled(limits("memory"), "100e6", "100M"), spelled(limits("memory"), "0Gi", "0"), spelled(limits("memory"), "2000000000000000000000", "2000E"),
		spelled(limits("memory"), "8Ei", "9223372036854775807"), spelled(limits("memory"), "1.1Gi", "1181116007"), spelled(limits("memory"), "0.001Ki", "1024m"), spelled(limits("example.com~1gpu"), "1", 1),
		from(was(volume("emptyDir", object{"sizeLimit": "1Gi"})), volume("emptyDir", object{"sizeLimit": 1073741824})),
		from(was(volume("emptyDir", object{"sizeLimit": "1Gi"})), volume("emptyDir", object{"sizeLimit": "1024Mi"})),
		spelled(inPod("overhead"), object{"cpu": "1"}, object{"cpu": "1000m"}),
		// Aliases.
		spelled(inPod("serviceAccountName"), "web", "web"),
		from(was(set(inPod("serviceAccountName"), "web")), drop(inPod("serviceAccountName")), set(inPod("serviceAccount"), "web")),
		from(was(set(inPod("serviceAccountName"), "web")), set(inPod("serviceAccount"), "web")),
		from(was(set(inPod("serviceAccountName"), "web")), set(inPod("serviceAccount"), "old")),
		from(was(set(inPod("serviceAccount"), "web")), set(inPod("serviceAccount"), "other")),
		// Defaults spelled out.
		spelledOut(inPod("dnsPolicy"), "ClusterFirst"), spelledOut(inPod("restartPolicy"), "Always"), spelledOut(inPod("schedulerName"), "default-scheduler"), spelledOut(inPod("terminationGracePeriodSeconds"), 30),
		spelledOut(inPod("securityContext"), object{}), spelledOut(inContainer("imagePullPolicy"), "IfNotPresent"), spelledOut(inContainer("imagePullPolicy"), "Always"),
		spelledOut(inContainer("terminationMessagePath"), "/dev/termination-log"), spelledOut(inContainer("terminationMessagePolicy"), "File"), spelledOut(inContainer("resources"), object{}),
		from(was(set(inContainer("ports"), []any{object{"containerPort": 80}})), set(inContainer("ports/0/protocol"), "TCP")),
		from(was(set(inContainer("image"), "web")), set(inContainer("imagePullPolicy"), "Always")), from(was(set(inContainer("image"), "web:latest")), set(inContainer("imagePullPolicy"), "Always")),
		from(was(set(inContainer("image"), "host:5000/web")), set(inContainer("imagePullPolicy"), "Always")), from(was(set(inContainer("image"), "web@sha256:"+digest)), set(inContainer("imagePullPolicy"), "IfNotPresent")),
		from(was(set(inContainer("image"), "web:latest@sha256:"+digest)), set(inContainer("imagePullPolicy"), "IfNotPresent")), from(was(set(inContainer("image"), "web:1")), set(inContainer("image"), "web:latest")),
		from(was(set(inContainer("readinessProbe"), object{"httpGet": object{"port": 80}})), set(inContainer("readinessProbe"), object{
			"httpGet": object{"port": 80, "path": "/", "scheme": "HTTP"}, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3, "initialDelaySeconds": 0})),
		from(was(set(inContainer("readinessProbe"), object{"httpGet": object{"port": 80}})), set(inContainer("readinessProbe/periodSeconds"), 0)),
		from(was(set(inContainer("readinessProbe"), object{"httpGet": object{"port": 80}})), set(inContainer("readinessProbe/httpGet/port"), "http")),
		from(was(set(inContainer("livenessProbe"), object{"grpc": object{"port": 80}})), set(inContainer("livenessProbe/grpc/service"), "")),
		from(was(set(inContainer("lifecycle"), object{"preStop": object{"httpGet": object{"port": 80}}})), set(inContainer("lifecycle/preStop/httpGet/path"), "/"), set(inContainer("lifecycle/preStop/httpGet/scheme"), "HTTP")),
		from(was(set(inContainer("env"), []any{object{"name": "A", "valueFrom": object{"fieldRef": object{"fieldPath": "metadata.name"}}}})), set(inContainer("env/0/valueFrom/fieldRef/apiVersion"), "v1")),
		from(was(set(inContainer("env"), []any{object{"name": "A", "valueFrom": object{"resourceFieldRef": object{"resource": "limits.cpu"}}}})), set(inContainer("env/0/valueFrom/resourceFieldRef/divisor"), "0")),
		from(was(set(inContainer("env"), []any{object{"name": "A"}})), set(inContainer("env/0/value"), "")),
		from(was(volumes(object{"name": "v"})), volume("emptyDir", object{})), from(was(volume("emptyDir", object{})), volume("emptyDir", object{"medium": ""})),
		from(was(volume("secret", object{"secretName": "s"})), volume("secret", object{"secretName": "s", "defaultMode": 420})),
		from(was(volume("configMap", object{"name": "s"})), volume("configMap", object{"name": "s", "defaultMode": 420})),
		from(was(volume("configMap", object{"name": "s"})), volume("configMap", object{"name": "s", "items": []any{}})), from(was(volume("configMap", object{"name": "s"})), volume("configMap", object{"name": "s", "optional": false})),
		from(was(volume("downwardAPI", object{"items": []any{}})), volume("downwardAPI", object{"defaultMode": 420})), from(was(volume("hostPath", object{"path": "/a"})), volume("hostPath", object{"path": "/a", "type": ""})),
		from(was(volume("projected", object{"sources": []any{object{"serviceAccountToken": object{"path": "t"}}}})), volume("projected", object{"defaultMode": 420, "sources": []any{object{"serviceAccountToken": object{"path": "t", "expirationSeconds": 3600}}}})),
		// What only pods get by default: spelled out in a template it is a change.
		spelledOut(inPod("enableServiceLinks"), true), spelledOut(inPod("serviceAccountName"), "default"), spelledOut(inPod("automountServiceAccountToken"), true), spelledOut(inPod("preemptionPolicy"), "PreemptLowerPriority"),
		spelledOut(inPod("priority"), 0), spelledOut(inPod("tolerations"), []any{object{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}}),
		from(was(set(limits("cpu"), "1")), set(inContainer("resources/requests/cpu"), "1")),
		from(was(set(inPod("hostNetwork"), true), set(inContainer("ports"), []any{object{"containerPort": 80}})), set(inContainer("ports/0/hostPort"), 80)),
		from(was(set(inPod("topologySpreadConstraints"), []any{object{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}})), set(inPod("topologySpreadConstraints/0/nodeTaintsPolicy"), "Ignore")),
		// Zero where there is no pointer, and where there is one.
		spelledOut(inPod("hostNetwork"), false), spelledOut(inPod("hostPID"), false), spelledOut(inPod("hostIPC"), false), spelledOut(inContainer("stdin"), false), spelledOut(inContainer("tty"), false), spelledOut(inContainer("workingDir"), ""),
		spelledOut(inPod("nodeName"), ""), spelledOut(inPod("hostname"), ""), spelledOut(inPod("priorityClassName"), ""), spelledOut(inPod("serviceAccountName"), ""), spelledOut(inPod("schedulerName"), ""), spelledOut(inPod("dnsPolicy"), ""),
		spelledOut(inContainer("terminationMessagePath"), ""), spelledOut(inContainer("imagePullPolicy"), ""), spelledOut(inContainer("terminationMessagePolicy"), ""),
		spelledOut(inPod("shareProcessNamespace"), false), spelledOut(inPod("hostUsers"), true), spelledOut(inPod("setHostnameAsFQDN"), false), spelledOut(inPod("automountServiceAccountToken"), false),
		from(was(set(inPod("serviceAccountName"), "a")), set(inPod("serviceAccountName"), "")),
		spelledOut(inContainer("securityContext"), object{}), spelledOut(inContainer("securityContext"), object{"privileged": false}), spelledOut(inContainer("securityContext"), object{"capabilities": object{}}),
		spelledOut(inContainer("lifecycle"), object{}), spelledOut(inPod("affinity"), object{}), spelledOut(inPod("affinity"), object{"nodeAffinity": object{}}), spelledOut(inPod("dnsConfig"), object{}),
		from(was(volumes(object{"name": "v"}), set(inContainer("volumeMounts"), []any{object{"name": "v", "mountPath": "/v"}})), set(inContainer("volumeMounts/0/readOnly"), false), set(inContainer("volumeMounts/0/subPath"), "")),
		from(was(set(inContainer("ports"), []any{object{"containerPort": 80}})), set(inContainer("ports/0/hostPort"), 0), set(inContainer("ports/0/name"), "")),
		// Annotations that no template keeps, and the creationTimestamp of old dumps.
		spelledOut("/spec/template/metadata/creationTimestamp", nil), spelledOut("/spec/template/metadata/name", "web"), spelledOut("/spec/template/metadata/namespace", "shop"),
		spelledOut("/spec/template/metadata/annotations", object{"pod.alpha.kubernetes.io/init-containers": "[]", "pod.beta.kubernetes.io/init-containers": "[]"}),
		spelledOut("/spec/template/metadata/annotations", object{"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"}),
		spelledOut("/spec/template/metadata/finalizers", []any{"example.com/a"}), spelledOut("/spec/template/metadata/generateName", "a-"),
		spelledOut("/spec/template/metadata/ownerReferences", []any{object{"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b"}}),
		// What is dropped while a gate is off.
		spelledOut(inPod("hostnameOverride"), "a"), to(volume("image", object{"reference": "a:1"})),
		to(volume("image", object{"reference": "a:1"}), set(inContainer("volumeMounts"), []any{object{"name": "v", "mountPath": "/v"}})),
		to(volumes(object{"name": "v", "image": object{"reference": "a:1"}}, object{"name": "w"}), set(inContainer("volumeMounts"), []any{object{"name": "v", "mountPath": "/v"}, object{"name": "w", "mountPath": "/w"}})),
		spelledOut(inContainer("lifecycle"), object{"stopSignal": "SIGUSR1"}), to(set(inPod("os"), object{"name": "linux"}), set(inContainer("lifecycle"), object{"stopSignal": "SIGUSR1"})),
		to(set(inPod("os"), object{"name": "linux"}), set(inContainer("lifecycle"), object{"stopSignal": "SIGUSR1", "preStop": object{"sleep": object{"seconds": 1}}})),
		spelledOut(inContainer("restartPolicy"), "Always"), to(set(inContainer("restartPolicy"), "Never"), set(inContainer("restartPolicyRules"), []any{object{"action": "Restart", "exitCodes": object{"operator": "In", "values": []any{1}}}})),
		to(set(inContainer("env"), []any{object{"name": "A", "valueFrom": object{"fileKeyRef": object{"volumeName": "v", "path": "a", "key": "A"}}}}), volumes(object{"name": "v"})),
		to(volume("projected", object{"sources": []any{object{"clusterTrustBundle": object{"name": "a", "path": "b"}}}})),
		to(volume("projected", object{"sources": []any{object{"podCertificate": object{"signerName": "a.example/b", "keyType": "ED25519", "credentialBundlePath": "c"}}}})),
		// YAML and JSON types.
		spelledOut(inContainer("env"), []any{object{"name": "A", "value": 1}}), spelledOut(inContainer("env"), []any{object{"name": "A", "value": true}}), spelledOut(inPod("terminationGracePeriodSeconds"), "30"),
		spelledOut(inPod("terminationGracePeriodSeconds"), 30.0), spelledOut(inPod("terminationGracePeriodSeconds"), 30.5), spelledOut(inPod("hostNetwork"), "false"), spelledOut(inContainer("command"), "serve"),
		spelledOut(inContainer("image"), 1), spelledOut(inPod("nodeSelector"), object{"a": 1}), spelledOut(inPod("nodeSelector"), object{"a": true}), spelledOut(inPod("nodeSelector"), object{"a": nil}), spelledOut(inPod("nodeSelector"), []any{}),
		spelledOut("/spec/template/metadata/annotations", object{"a": 1}), spelledOut(inContainer("ports"), []any{object{"containerPort": "80"}}), spelledOut(inContainer("ports"), object{"containerPort": 80}),
		spelledOut(limits("cpu"), "abc"), spelledOut(limits("cpu"), true), spelledOut(limits("cpu"), ""), spelledOut(inPod("unknown"), 1), spelledOut(inContainer("unknown"), 1), spelledOut("/spec/containers", []any{}), spelledOut("/unknown", 1),
		spelledOut("/spec/template/spec/containers/0/Image", "web:2"), spelledOut("/spec/template/spec/containers", []any{nil}), spelledOut("/spec/template/spec/containers", nil),
	}
	for _, name := range []string{"command", "args", "env", "envFrom", "ports", "volumeMounts", "volumeDevices", "resizePolicy"} {
		rows = append(rows, nothing(inContainer(name))...)
	}
	for _, name := range []string{"volumes", "tolerations", "imagePullSecrets", "hostAliases", "readinessGates", "schedulingGates", "topologySpreadConstraints", "initContainers", "resourceClaims", "ephemeralContainers"} {
		rows = append(rows, nothing(inPod(name))...)
	}
	for _, name := range []string{"nodeSelector", "overhead", "securityContext", "affinity", "dnsConfig", "resources"} {
		rows = append(rows, nothingMap(inPod(name))...)
	}
	for _, name := range []string{"resources", "resources/limits", "securityContext", "lifecycle", "readinessProbe"} {
		rows = append(rows, nothingMap(inContainer(name))...)
	}
	return append(rows, nothingMap("/spec/template/metadata/annotations")...)
}()

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// templateRows change the template and what stands beside it.
var templateRows = []row{
	to(set(inContainer("image"), "web:2")),
	to(set(inContainer("image"), "web:2"), set("/spec/replicas", 3)),
	to(set("/spec/replicas", 3)), to(set("/spec/replicas", 0)), to(drop("/spec/replicas")), to(set("/spec/replicas", nil)), to(set("/spec/replicas", "3")), to(set("/spec/replicas", -1)),
	to(set("/metadata/labels/team", "a")), to(set("/metadata/annotations/team", "a")), to(drop("/metadata/labels")),
	to(set("/spec/minReadySeconds", 5)), to(set("/spec/minReadySeconds", 0)), to(set("/spec/revisionHistoryLimit", 3)), to(set("/spec/revisionHistoryLimit", 10)), to(set("/spec/progressDeadlineSeconds", 600)), to(set("/spec/progressDeadlineSeconds", 300)),
	to(set("/spec/paused", true)), to(set("/spec/paused", false)), to(set("/spec/paused", true), set(inContainer("image"), "web:2")),
	from(was(set("/spec/paused", true)), set("/spec/paused", false), set(inContainer("image"), "web:2")),
	to(set("/spec/selector", object{"matchLabels": object{"app": "other"}})), to(set("/spec/selector", object{"matchLabels": object{"app": "other"}}), set("/spec/template/metadata/labels", object{"app": "other"})),
	to(drop("/spec/selector")), to(set("/spec/selector", object{})), to(set("/spec/selector/matchLabels/tier", "a"), set("/spec/template/metadata/labels/tier", "a")),
	to(set("/spec/selector/matchExpressions", []any{object{"key": "app", "operator": "In", "values": []any{"web"}}})),
	to(set("/spec/selector/matchExpressions", []any{})), to(set("/spec/template/metadata/labels", object{"app": "other"})), to(set("/spec/template/metadata/labels/tier", "a")), to(drop("/spec/template/metadata/labels")),
	to(set("/spec/template/metadata/labels/pod-template-hash", "123")), to(set("/spec/template/metadata/annotations/kubectl.kubernetes.io~1restartedAt", "2026-01-01T00:00:00Z")),
	to(set(podSpec+"/containers/-", object{"name": "side", "image": "side:1"})), to(set(inContainer("name"), "renamed")),
	to(drop("/spec/template")), to(drop(podSpec)), to(drop(podSpec + "/containers")),
	from(was(set(podSpec+"/containers/-", object{"name": "side", "image": "side:1"})), drop(podSpec+"/containers/1")),
	from(was(set(podSpec+"/containers/-", object{"name": "side", "image": "side:1"})), drop(podSpec+"/containers/0"), set(podSpec+"/containers/-", object{"name": "web", "image": "web:1"})),
	to(set(podSpec+"/containers/-", object{"name": "web", "image": "web:2"})),
	// Ports whose number stands twice, and spread constraints whose key does.
	from(was(set(inContainer("ports"), []any{object{"containerPort": 53}})), set(inContainer("ports/-"), object{"containerPort": 53, "protocol": "UDP"})),
	from(was(set(inContainer("ports"), []any{object{"containerPort": 53}})), set(inContainer("ports/0/protocol"), "UDP")),
	from(was(set(inContainer("ports"), []any{object{"containerPort": 53, "protocol": "TCP"}, object{"containerPort": 53, "protocol": "UDP"}})), drop(inContainer("ports/0"))),
	from(was(set(inPod("topologySpreadConstraints"), []any{spread("DoNotSchedule")})), set(inPod("topologySpreadConstraints/-"), spread("ScheduleAnyway"))),
	from(was(set(inPod("topologySpreadConstraints"), []any{spread("DoNotSchedule")})), set(inPod("topologySpreadConstraints/0/whenUnsatisfiable"), "ScheduleAnyway")),
	// What is kept of a field that goes.
	from(was(set(inPod("serviceAccountName"), "a")), drop(inPod("serviceAccountName"))), from(was(set(inPod("serviceAccount"), "a")), drop(inPod("serviceAccount"))), from(was(set(inPod("serviceAccountName"), "a")), set(inPod("serviceAccountName"), "b")),
	from(was(set(inContainer("readinessProbe"), object{"httpGet": object{"port": 80}})), drop(inContainer("readinessProbe"))), from(was(set(inContainer("readinessProbe"), object{"httpGet": object{"port": 80}})), set(inContainer("readinessProbe"), nil)),
	from(was(set(inContainer("readinessProbe"), object{"httpGet": object{"port": 80}, "periodSeconds": 5})), set(inContainer("readinessProbe"), object{"tcpSocket": object{"port": 80}})),
	from(was(volume("emptyDir", object{})), volume("configMap", object{"name": "a"})), from(was(volume("configMap", object{"name": "a", "optional": true})), volume("secret", object{"secretName": "a"})),
	from(was(set(inContainer("env"), []any{object{"name": "A", "value": "1"}})), set(inContainer("env"), []any{object{"name": "A", "valueFrom": object{"fieldRef": object{"fieldPath": "metadata.name"}}}})),
	from(was(set(inContainer("env"), []any{object{"name": "A", "value": "1"}, object{"name": "B", "value": "$(A)"}})), set(inContainer("env"), []any{object{"name": "B", "value": "$(A)"}, object{"name": "A", "value": "1"}})),
	from(was(set(inContainer("env"), []any{object{"name": "A", "value": "1"}, object{"name": "B", "value": "2"}, object{"name": "C", "value": "3"}})), set(inContainer("env"), []any{object{"name": "C", "value": "3"}, object{"name": "N", "value": "4"}, object{"name": "A", "value": "9"}})),
	from(was(set(inContainer("env"), []any{object{"name": "A", "value": "1"}})), set(inContainer("env"), []any{object{"name": "A", "value": "1"}, object{"name": "A", "value": "2"}})),
	from(was(set(inPod("tolerations"), []any{object{"key": "a", "operator": "Exists"}})), set(inPod("tolerations"), []any{object{"key": "b", "operator": "Exists"}})),
	from(was(set(inPod("nodeSelector"), object{"a": "1", "b": "2"})), set(inPod("nodeSelector"), object{"b": "3", "c": "4"})), from(was(set(inPod("nodeSelector"), object{"a": "1"})), set(inPod("nodeSelector"), object{"a": nil})),
	from(was(set(inContainer("args"), []any{"a", "b"})), set(inContainer("args"), []any{"b"})), from(was(set(inContainer("args"), []any{"a"})), set(inContainer("args"), []any{})), from(was(set(inContainer("args"), []any{"a"})), set(inContainer("args"), nil)),
	// Strategies of all three kinds; the others drop or refuse those that are not theirs.
	to(set("/spec/strategy", object{"type": "Recreate"})), from(was(set("/spec/strategy", object{"type": "Recreate"})), drop("/spec/strategy")), from(was(set("/spec/strategy", object{"type": "Recreate"})), set("/spec/strategy", object{"type": "RollingUpdate"})),
	to(set("/spec/strategy", object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": "25%", "maxUnavailable": "25%"}})), to(set("/spec/strategy", object{"rollingUpdate": object{"maxSurge": 1}})),
	from(was(set("/spec/strategy", object{"rollingUpdate": object{"maxSurge": 1}})), drop("/spec/strategy")), from(was(set("/spec/strategy", object{"rollingUpdate": object{"maxSurge": 1}})), set("/spec/strategy", object{"type": "Recreate"})),
	from(was(set("/spec/strategy", object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": 1}})), set("/spec/strategy", object{"type": "Recreate"})), to(set("/spec/strategy", object{"type": "Recreate", "rollingUpdate": nil})),
	to(set("/spec/strategy", object{"rollingUpdate": object{"maxSurge": 0, "maxUnavailable": 0}})),
	to(set("/spec/updateStrategy", object{"type": "OnDelete"})), to(set("/spec/updateStrategy", object{"type": "RollingUpdate"})), to(set("/spec/updateStrategy", object{"rollingUpdate": object{"partition": 2}})), to(set("/spec/updateStrategy", object{"type": "RollingUpdate", "rollingUpdate": object{"partition": 0}})),
	to(set("/spec/updateStrategy", object{"type": "RollingUpdate", "rollingUpdate": object{"maxUnavailable": 1}})), to(set("/spec/updateStrategy", object{"type": "RollingUpdate", "rollingUpdate": object{"maxUnavailable": 1, "maxSurge": 0}})),
	to(set("/spec/updateStrategy", object{"type": "RollingUpdate", "rollingUpdate": object{}})), from(was(set("/spec/updateStrategy", object{"type": "OnDelete"})), drop("/spec/updateStrategy")),
	from(was(set("/spec/updateStrategy", object{"type": "OnDelete"})), set(inContainer("image"), "web:2")), to(set("/spec/updateStrategy", object{"type": "OnDelete"}), set(inContainer("image"), "web:2")),
	to(set("/spec/serviceName", "other")), to(drop("/spec/serviceName")), to(set("/spec/podManagementPolicy", "Parallel")), to(set("/spec/podManagementPolicy", "OrderedReady")), to(set("/spec/ordinals", object{"start": 2})),
	to(set("/spec/volumeClaimTemplates", []any{claimTemplate("1Gi")})), from(was(set("/spec/volumeClaimTemplates", []any{claimTemplate("1Gi")})), set("/spec/volumeClaimTemplates", []any{claimTemplate("2Gi")})),
	from(was(set("/spec/volumeClaimTemplates", []any{claimTemplate("1Gi")})), set("/spec/volumeClaimTemplates", []any{claimTemplate("1024Mi")})), from(was(set("/spec/volumeClaimTemplates", []any{claimTemplate("1Gi")})), set("/spec/volumeClaimTemplates/0/metadata/labels", object{"a": "b"})),
	from(was(set("/spec/volumeClaimTemplates", []any{claimTemplate("1Gi")})), drop("/spec/volumeClaimTemplates")), from(was(set("/spec/volumeClaimTemplates", []any{claimTemplate("1Gi")})), set("/spec/volumeClaimTemplates/0/spec/volumeMode", "Filesystem")),
	from(was(set("/spec/volumeClaimTemplates", []any{claimTemplate("1Gi")})), set("/spec/volumeClaimTemplates/0/spec/storageClassName", "slow")),
	to(set("/spec/persistentVolumeClaimRetentionPolicy", object{"whenScaled": "Delete"})), to(set("/spec/persistentVolumeClaimRetentionPolicy", object{"whenScaled": "Retain", "whenDeleted": "Retain"})),
	to(set("/spec/serviceName", "other"), set("/spec/replicas", 3)), to(set("/spec/serviceName", "other"), set("/spec/selector", object{"matchLabels": object{"app": "other"}}), set("/spec/template/metadata/labels", object{"app": "other"})),
	to(set("/spec", nil)), to(set("/metadata/labels", object{"a": 1})), to(set("/metadata/annotations", object{"a": nil})), to(set("/spec/template/metadata/labels", object{"app": "web", "x": "not valid!"})),
}

func spread(when string) object {
	return object{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": when, "labelSelector": object{"matchLabels": object{"app": "web"}}}
}

func claimTemplate(size string) object {
	return object{"metadata": object{"name": "data"}, "spec": object{"accessModes": []any{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": size}}}}
}

type kindRow struct {
	base string
	row
}

// otherRows are changes of other kinds: what may not change, and what only looks like a change.
var otherRows = []kindRow{
	{"job", to(set(inContainer("image"), "web:2"))}, {"job", to(set("/spec/completions", 3))}, {"job", to(set("/spec/parallelism", 3))}, {"job", to(set("/spec/suspend", true))}, {"job", to(set("/spec/backoffLimit", 1))},
	{"job", to(set("/spec/completionMode", "Indexed"), set("/spec/completions", 1))}, {"job", to(set("/spec/selector", object{"matchLabels": object{"a": "b"}}))}, {"job", to(set("/spec/ttlSecondsAfterFinished", 60))}, {"job", to(set("/spec/activeDeadlineSeconds", 60))},
	{"job", from(was(set("/spec/suspend", true)), set(inContainer("image"), "web:2"))}, {"job", from(was(set("/spec/suspend", true)), set(inPod("nodeSelector"), object{"a": "b"}))}, {"job", from(was(set("/spec/suspend", true)), set("/spec/template/metadata/labels/b", "c"))},
	{"job", from(was(set("/spec/completionMode", "Indexed"), set("/spec/completions", 2), set("/spec/parallelism", 2)), set("/spec/completions", 3), set("/spec/parallelism", 3))},
	{"job", from(was(set("/spec/completionMode", "Indexed"), set("/spec/completions", 2), set("/spec/parallelism", 2)), set("/spec/completions", 3))},
	{"job", from(was(set("/spec/completionMode", "Indexed"), set("/spec/completions", 2)), set("/spec/backoffLimitPerIndex", 1))}, {"job", to(set("/spec/podFailurePolicy", object{"rules": []any{object{"action": "Ignore", "onExitCodes": object{"operator": "In", "values": []any{1}}}}}))},
	{"job", to(set("/spec/managedBy", "example.com/a"))}, {"job", from(was(set("/spec/completionMode", "Indexed"), set("/spec/completions", 2)), set("/spec/successPolicy", object{"rules": []any{object{"succeededCount": 1}}}))},
	{"cronjob", to(set("/spec/jobTemplate/spec/template/spec/containers/0/image", "web:2"))}, {"cronjob", to(set("/spec/schedule", "0 4 * * *"))}, {"cronjob", to(set("/spec/suspend", true))},
	{"replicaset", to(set(inContainer("image"), "web:2"))}, {"replicaset", to(set("/spec/selector", object{"matchLabels": object{"app": "b"}}), set("/spec/template/metadata/labels", object{"app": "b"}))}, {"replicaset", to(set("/spec/replicas", 2))},
	{"pod", to(set("/spec/containers/0/image", "web:2"))}, {"pod", to(set("/spec/containers/0/command", []any{"a"}))}, {"pod", to(set("/spec/nodeName", "n"))}, {"pod", to(set("/spec/tolerations", []any{object{"key": "a", "operator": "Exists"}}))}, {"pod", to(set("/spec/activeDeadlineSeconds", 5))},
	{"pod", to(set("/spec/containers/0/resources/limits/cpu", "1"))}, {"pod", to(set("/spec/containers/-", object{"name": "b", "image": "b"}))}, {"pod", to(set("/spec/terminationGracePeriodSeconds", 5))},
	{"service", to(set("/spec/clusterIP", "None"))}, {"service", to(set("/spec/clusterIP", "10.0.0.99"))}, {"service", to(set("/spec/clusterIP", ""))}, {"service", to(set("/spec/type", "NodePort"))}, {"service", to(set("/spec/type", "LoadBalancer"))}, {"service", to(set("/spec/type", "ClusterIP"))},
	{"service", to(set("/spec", object{"type": "ExternalName", "externalName": "a.example.com"}))}, {"service", to(set("/spec/ipFamilyPolicy", "SingleStack"))}, {"service", to(set("/spec/ipFamilies", []any{"IPv6"}))}, {"service", to(set("/spec/ipFamilies", []any{"IPv4"}))}, {"service", to(set("/spec/sessionAffinity", "ClientIP"))}, {"service", to(set("/spec/sessionAffinity", "None"))},
	{"service", to(set("/spec/ports/1/targetPort", 9090))}, {"service", to(set("/spec/ports/0/protocol", "TCP"))}, {"service", to(set("/spec/ports/-", object{"name": "dns", "port": 80, "protocol": "UDP"}))}, {"service", to(set("/spec/internalTrafficPolicy", "Cluster"))}, {"service", to(set("/spec/internalTrafficPolicy", "Local"))},
	{"service", to(set("/spec/publishNotReadyAddresses", true))}, {"service", to(set("/spec/selector", object{"app": "b"}))}, {"service", to(set("/spec/externalIPs", []any{"1.2.3.4"}))}, {"service", to(drop("/spec/selector"))},
	{"service-headless", to(drop("/spec/clusterIP"))}, {"service-headless", to(set("/spec/clusterIP", "10.0.0.98"))}, {"service-headless", to(set("/spec/type", "NodePort"))}, {"service-headless", to(set("/spec/clusterIP", ""))},
	{"service-load-balancer", to(set("/spec/loadBalancerClass", "example.com/b"))}, {"service-load-balancer", to(drop("/spec/loadBalancerClass"))}, {"service-load-balancer", to(set("/spec/type", "ClusterIP"), drop("/spec/loadBalancerClass"), drop("/spec/externalTrafficPolicy"))},
	{"service-load-balancer", to(set("/spec/healthCheckNodePort", 32000))}, {"service-load-balancer", to(set("/spec/externalTrafficPolicy", "Cluster"))}, {"service-load-balancer", to(set("/spec/allocateLoadBalancerNodePorts", false))}, {"service-load-balancer", to(set("/spec/loadBalancerSourceRanges", []any{"10.0.0.0/8"}))},
	{"service-external", to(set("/spec", object{"ports": []any{object{"port": 80}}}))}, {"service-external", to(set("/spec/type", "ClusterIP"), set("/spec/ports", []any{object{"port": 80}}))},
	{"configmap", to(set("/data/mode", "slow"))}, {"configmap", to(set("/immutable", true))}, {"configmap", to(set("/data/new", "1"))}, {"configmap", to(set("/data/mode", nil))}, {"configmap", to(set("/data/mode", 1))}, {"configmap", to(set("/data", object{}))}, {"configmap", to(set("/binaryData/blob", "not base64!"))},
	{"configmap-immutable", to(set("/immutable", false))}, {"configmap-immutable", to(set("/data/mode", "slow"))}, {"configmap-immutable", to(set("/metadata/labels/a", "b"))}, {"configmap-immutable", to(set("/data/new", "1"), set("/binaryData/blob", "AAE="))}, {"configmap-immutable", to(drop("/immutable"), set("/data/mode", "slow"))},
	{"secret", to(set("/stringData/user", "b"))}, {"secret", to(drop("/stringData"), set("/data/user", "c2hvcA=="))}, {"secret", to(set("/stringData/token", "secret"))}, {"secret", to(set("/type", "kubernetes.io/basic-auth"))}, {"secret", to(drop("/type"))}, {"secret", to(set("/type", ""))}, {"secret", to(set("/immutable", true))},
	{"secret-immutable", to(set("/data/token", "YQ=="))}, {"secret-immutable", to(set("/stringData", object{"token": "a"}))}, {"secret-immutable", to(set("/stringData", object{"token": "secret"}))}, {"secret-immutable", to(set("/immutable", false))}, {"secret-immutable", to(set("/type", "a/b"), set("/data/token", "YQ=="))},
	{"hpa", to(set("/spec/minReplicas", 3))}, {"hpa", to(drop("/spec/minReplicas"))}, {"hpa", to(drop("/spec/metrics"))}, {"hpa", to(set("/spec/minReplicas", 9))}, {"hpa", to(set("/spec/scaleTargetRef/name", "b"))}, {"hpa", from(was(drop("/spec/metrics"), drop("/spec/behavior"), drop("/spec/minReplicas")), set("/spec/minReplicas", 1))},
	{"hpa", to(drop("/spec/behavior"))}, {"hpa", to(set("/spec/behavior/scaleUp", object{"policies": []any{object{"type": "Percent", "value": 50, "periodSeconds": 30}}}))},
	{"pdb", to(set("/spec/minAvailable", 2))}, {"pdb", to(set("/spec/minAvailable", "50%"))}, {"pdb", to(drop("/spec/minAvailable"), set("/spec/maxUnavailable", 1))}, {"pdb", to(set("/spec/selector", object{"matchLabels": object{"app": "b"}}))}, {"pdb", to(set("/spec/unhealthyPodEvictionPolicy", "AlwaysAllow"))}, {"pdb", to(set("/spec/maxUnavailable", 1))},
	{"pvc", to(set("/spec/resources/requests/storage", "3Gi"))}, {"pvc", to(set("/spec/resources/requests/storage", "1Gi"))}, {"pvc", to(set("/spec/resources/requests/storage", "2048Mi"))}, {"pvc", to(set("/spec/storageClassName", "slow"))}, {"pvc", to(set("/spec/accessModes", []any{"ReadWriteMany"}))}, {"pvc", to(set("/spec/volumeMode", "Filesystem"))}, {"pvc", to(set("/spec/volumeMode", "Block"))}, {"pvc", to(set("/spec/volumeName", "v"))},
	{"quota", to(set("/spec/hard/pods", "30"))}, {"quota", to(set("/spec/hard/pods", 20))}, {"quota", to(set("/spec/hard/requests.memory", "1Gi"))}, {"quota", to(set("/spec/scopes", []any{"NotTerminating"}))}, {"quota", to(drop("/spec/hard/pods"))},
	{"rolebinding", to(set("/roleRef/name", "edit"))}, {"rolebinding", to(set("/subjects/0/name", "b"))}, {"rolebinding", to(drop("/roleRef/apiGroup"))}, {"rolebinding", to(set("/subjects/0/apiGroup", ""))},
}
