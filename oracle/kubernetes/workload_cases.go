//go:build !kubernetes1.30

package main

import "strings"

// A chosenWorkload changes several places that have to do with each other: place, value, place, value.
type chosenWorkload struct {
	of      string
	changes []any
}

const (
	webAt  = podAt + "/containers/0"
	sideAt = podAt + "/containers/1"
	initAt = podAt + "/initContainers/0"
	carAt  = podAt + "/initContainers/1"
)

// inDeployment takes the one of the three Deployments that has what is changed.
func inDeployment(changes ...any) chosenWorkload {
	of := "pod"
	for i := 0; i < len(changes); i += 2 {
		at := changes[i].(string)
		switch {
		case strings.HasPrefix(at, podAt+"/volumes"):
			of = "volumes"
		case strings.HasPrefix(at, podAt+"/containers"), strings.HasPrefix(at, podAt+"/initContainers"), at == podAt+"/resources":
			of = "containers"
		}
	}
	return chosenWorkload{of, changes}
}

func inStatefulSet(changes ...any) chosenWorkload { return chosenWorkload{"statefulset", changes} }
func inDaemonSet(changes ...any) chosenWorkload   { return chosenWorkload{"daemonset", changes} }

// volume 0 is replaced by these.
func volume(source string, value any) chosenWorkload {
	return inDeployment(podAt+"/volumes/8", fields{"name": "other", source: value})
}

func resources(requests, limits fields) chosenWorkload {
	return inDeployment(sideAt+"/resources", fields{"requests": requests, "limits": limits})
}

func env(variable fields) chosenWorkload { return inDeployment(webAt+"/env/0", variable) }

func from(source fields) chosenWorkload { return env(fields{"name": "X", "valueFrom": source}) }

func probe(value fields) chosenWorkload { return inDeployment(webAt+"/readinessProbe", value) }

func port(value fields) chosenWorkload { return inDeployment(webAt+"/ports/1", value) }

func toleration(value fields) chosenWorkload { return inDeployment(podAt+"/tolerations/0", value) }

func spread(constraints ...any) chosenWorkload {
	return inDeployment(podAt+"/topologySpreadConstraints", constraints)
}

func selector(value any, labels any) chosenWorkload {
	return inDeployment("/spec/selector", value, "/spec/template/metadata/labels", labels)
}

func mount(value fields) chosenWorkload { return inDeployment(webAt+"/volumeMounts/0", value) }

func nodeTerm(requirement fields) chosenWorkload {
	return inDeployment(podAt+"/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0", requirement)
}

func podTerm(term fields) chosenWorkload {
	return inDeployment(podAt+"/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/0", term)
}

var app = fields{"matchLabels": fields{"app": "web"}}

var chosenWorkloads = []chosenWorkload{
	selector(nil, fields{"app": "web"}), selector(fields{}, fields{"app": "web"}), selector(app, fields{"app": "shop"}), selector(app, nil), selector(app, fields{"app": "web", "x": "y"}),
	selector(fields{"matchExpressions": []any{fields{"key": "app", "operator": "NotIn", "values": []any{"web"}}}}, fields{"app": "web"}),
	selector(fields{"matchExpressions": []any{fields{"key": "app", "operator": "Exists"}}}, fields{"app": "web"}),
	selector(fields{"matchExpressions": []any{fields{"key": "app", "operator": "in", "values": []any{"web"}}}}, fields{"app": "web"}),
	selector(fields{"matchLabels": fields{"app": "not valid"}}, fields{"app": "not valid"}),
	selector(fields{"matchLabels": fields{"app": ""}}, fields{"app": ""}),

	resources(fields{"cpu": "2"}, fields{"cpu": "1"}), resources(fields{"cpu": "1000m"}, fields{"cpu": 1}), resources(fields{"cpu": "100u"}, fields{"cpu": "1m"}),
	resources(fields{"memory": "1025Mi"}, fields{"memory": "1Gi"}), resources(fields{"memory": "1G"}, fields{"memory": "1Gi"}), resources(fields{"cpu": "-1"}, fields{}),
	resources(fields{"nvidia.com/gpu": 1}, fields{}), resources(fields{}, fields{"nvidia.com/gpu": 1}), resources(fields{"nvidia.com/gpu": 1}, fields{"nvidia.com/gpu": 2}),
	resources(fields{"nvidia.com/gpu": "500m"}, fields{"nvidia.com/gpu": "500m"}), resources(fields{}, fields{"nvidia.com/gpu": "1.5"}), resources(fields{}, fields{"nvidia.com/gpu": "1000m"}),
	resources(fields{}, fields{"gpu": 1}), resources(fields{"storage": "1Gi"}, fields{}), resources(fields{"pods": 1}, fields{}), resources(fields{"kubernetes.io/x": 1}, fields{}),
	resources(fields{"requests.example.com/x": 1}, fields{"requests.example.com/x": 1}), resources(fields{"example.com/": 1}, fields{}), resources(fields{"Example.com/x": 1}, fields{"Example.com/x": 1}),
	resources(fields{"hugepages-2Mi": "4Mi"}, fields{"hugepages-2Mi": "4Mi"}), resources(fields{"cpu": 1}, fields{"cpu": 1, "hugepages-2Mi": "3Mi"}),
	resources(fields{"cpu": 1, "hugepages-2Mi": "2Mi"}, fields{"hugepages-2Mi": "4Mi"}), resources(fields{"cpu": 1, "hugepages-x": "2Mi"}, fields{"hugepages-x": "2Mi"}),
	resources(fields{"cpu": "1 "}, fields{}), resources(fields{"cpu": "0x1"}, fields{}), resources(fields{"cpu": ""}, fields{}), resources(fields{"cpu": "1e3"}, fields{}), resources(fields{"memory": "1gb"}, fields{}),
	resources(fields{"cpu": nil}, fields{"cpu": 1}), resources(fields{"ephemeral-storage": "2Gi"}, fields{"ephemeral-storage": "1Gi"}),
	inDeployment(sideAt+"/resources", fields{"claims": []any{fields{"name": "gpu"}, fields{"name": "gpu"}}}),
	inDeployment(sideAt+"/resources", fields{"claims": []any{fields{"name": "gpu", "request": "a"}, fields{"name": "gpu"}}}),
	inDeployment(sideAt+"/resources", fields{"claims": []any{fields{"name": "gpu", "request": "a"}, fields{"name": "gpu", "request": "b"}}}),
	inDeployment(sideAt+"/resources", fields{"claims": []any{fields{"name": "none"}}}),
	inDeployment(podAt+"/resources", fields{"requests": fields{"cpu": "2"}, "limits": fields{"cpu": "4", "memory": "8Gi", "hugepages-2Mi": "4Mi"}}),
	inDeployment(podAt+"/resources", fields{"requests": fields{"cpu": "100m"}}), inDeployment(podAt+"/resources", fields{"requests": fields{"nvidia.com/gpu": 1}}),
	inDeployment(podAt+"/resources", fields{"limits": fields{"cpu": "500m"}}), inDeployment(podAt+"/resources", fields{"limits": fields{"cpu": 2, "hugepages-2Mi": "2Mi"}}),
	inDeployment(podAt+"/resources", fields{"claims": []any{fields{"name": "gpu"}}}), inDeployment(podAt+"/resources", fields{}),
	inDeployment(podAt+"/overhead", fields{"gpu": 1}), inDeployment(podAt+"/overhead", fields{"cpu": "-1"}), inDeployment(podAt+"/overhead", fields{"nvidia.com/gpu": "1.5"}),

	env(fields{"name": "A=B"}), env(fields{"name": "1A"}), env(fields{"name": "a.b-c"}), env(fields{"name": "ä"}), env(fields{"name": "A", "value": "x", "valueFrom": fields{"fieldRef": fields{"fieldPath": "metadata.name"}}}),
	env(fields{"name": "A", "value": 5}), env(fields{"name": "A", "value": true}), env(fields{"name": "A", "valueFrom": fields{}}), env(fields{"name": "A", "value": "", "valueFrom": fields{"fieldRef": fields{"fieldPath": "metadata.name"}}}),
	from(fields{"fieldRef": fields{"fieldPath": "metadata.labels"}}), from(fields{"fieldRef": fields{"fieldPath": "metadata.labels['Bad_Name!']"}}), from(fields{"fieldRef": fields{"fieldPath": "metadata.annotations['a/b']"}}),
	from(fields{"fieldRef": fields{"fieldPath": "spec.host"}}), from(fields{"fieldRef": fields{"fieldPath": "spec.nodeName"}}), from(fields{"fieldRef": fields{"fieldPath": "status.phase"}}), from(fields{"fieldRef": fields{"fieldPath": "spec.nodeName['a']"}}),
	from(fields{"fieldRef": fields{"fieldPath": "metadata.name", "apiVersion": "v2"}}), from(fields{"resourceFieldRef": fields{"resource": "limits.gpu"}}), from(fields{"resourceFieldRef": fields{"resource": "limits.hugepages-2Mi"}}),
	from(fields{"resourceFieldRef": fields{"resource": "limits.cpu", "divisor": "1Mi"}}), from(fields{"resourceFieldRef": fields{"resource": "limits.memory", "divisor": "1m"}}), from(fields{"resourceFieldRef": fields{"resource": "limits.memory", "divisor": "1024Ki"}}),
	from(fields{"resourceFieldRef": fields{"resource": "limits.cpu", "divisor": "1000m"}}), from(fields{"resourceFieldRef": fields{"resource": "limits.memory", "divisor": 2}}), from(fields{"resourceFieldRef": fields{"resource": "limits.memory", "divisor": "0"}}),
	from(fields{"configMapKeyRef": fields{"name": "a"}}), from(fields{"configMapKeyRef": fields{"key": "a"}}), from(fields{"secretKeyRef": fields{"name": "A", "key": "a"}}), from(fields{"secretKeyRef": fields{"name": "a", "key": "a/b"}}), from(fields{"secretKeyRef": fields{"name": "a", "key": "..x"}}),
	from(fields{"secretKeyRef": fields{"name": "a", "key": "a"}, "configMapKeyRef": fields{"name": "a", "key": "a"}}), from(fields{"fileKeyRef": fields{"volumeName": "scratch", "path": "a", "key": "a"}}),
	inDeployment(webAt+"/envFrom/0", fields{}), inDeployment(webAt+"/envFrom/0", fields{"configMapRef": fields{"name": "a"}, "secretRef": fields{"name": "a"}}), inDeployment(webAt+"/envFrom/0", fields{"configMapRef": fields{"name": "a-"}}),
	inDeployment(webAt+"/envFrom/0", fields{"prefix": "a=", "configMapRef": fields{"name": "a"}}),

	probe(fields{}), probe(fields{"exec": fields{"command": []any{"a"}}, "httpGet": fields{"port": 80}}), probe(fields{"httpGet": fields{"port": 0}}), probe(fields{"httpGet": fields{"port": "80"}}), probe(fields{"httpGet": fields{"port": "http"}}),
	probe(fields{"httpGet": fields{"port": "http--x"}}), probe(fields{"httpGet": fields{"port": "a-very-long-port-name"}}), probe(fields{"httpGet": fields{"path": "/"}}), probe(fields{"httpGet": fields{"port": 80, "scheme": "http"}}),
	probe(fields{"httpGet": fields{"port": 80, "httpHeaders": []any{fields{"name": "X Y", "value": "1"}}}}), probe(fields{"tcpSocket": fields{"port": 70000}}), probe(fields{"grpc": fields{"port": 0}}), probe(fields{"grpc": fields{"port": "http"}}),
	probe(fields{"tcpSocket": fields{"port": 80}, "terminationGracePeriodSeconds": 5}), probe(fields{"tcpSocket": fields{"port": 80}, "periodSeconds": 0}), probe(fields{"tcpSocket": fields{"port": 80}, "successThreshold": 0}),
	inDeployment(webAt+"/livenessProbe", fields{"tcpSocket": fields{"port": 80}, "successThreshold": 2}), inDeployment(webAt+"/livenessProbe", fields{"tcpSocket": fields{"port": 80}, "successThreshold": -1}),
	inDeployment(webAt+"/lifecycle", fields{"preStop": fields{"sleep": fields{"seconds": 46}}}), inDeployment(webAt+"/lifecycle", fields{"preStop": fields{"sleep": fields{"seconds": 0}}}), inDeployment(webAt+"/lifecycle", fields{"preStop": fields{"sleep": fields{"seconds": -1}}}),
	inDeployment(webAt+"/lifecycle", fields{"preStop": fields{}}), inDeployment(webAt+"/lifecycle", fields{}), inDeployment(webAt+"/lifecycle", fields{"stopSignal": "SIGHUB"}), inDeployment(initAt+"/lifecycle", fields{"stopSignal": "SIGHUP"}),
	inDeployment(webAt+"/lifecycle", fields{"preStop": fields{"sleep": fields{"seconds": 40}}}, podAt+"/terminationGracePeriodSeconds", 30), inDeployment(podAt+"/terminationGracePeriodSeconds", -1),
	inDeployment(initAt+"/readinessProbe", fields{"tcpSocket": fields{"port": 80}}), inDeployment(initAt+"/lifecycle", fields{"postStart": fields{"exec": fields{"command": []any{"a"}}}}), inDeployment(carAt+"/readinessProbe", fields{}),
	inDeployment(initAt+"/restartPolicy", "Never"), inDeployment(initAt+"/restartPolicy", "x"), inDeployment(webAt+"/restartPolicy", "Always"), inDeployment(webAt+"/restartPolicy", "x"),
	inDeployment(initAt+"/name", "web"), inDeployment(sideAt+"/name", "web"), inDeployment(carAt+"/name", "setup"),

	port(fields{"containerPort": 9090, "name": "http"}), port(fields{"containerPort": 8080}), port(fields{"containerPort": 8080, "protocol": "UDP"}), port(fields{"containerPort": 9090, "protocol": "tcp"}), port(fields{"containerPort": 9090, "name": "HTTP"}), port(fields{"containerPort": 9090, "name": "1234"}),
	port(fields{"containerPort": "9090"}), port(fields{"containerPort": 9090, "hostPort": 65536}), port(fields{"containerPort": 9090, "hostIP": "x"}),
	inDeployment(webAt+"/ports", []any{fields{"containerPort": 1, "hostPort": 1}, fields{"containerPort": 1, "hostPort": 1}}),
	inDeployment(webAt+"/ports", []any{fields{"containerPort": 1, "hostPort": 1}, fields{"containerPort": 1, "hostPort": 1, "protocol": "UDP"}}),
	inDeployment(sideAt+"/ports", []any{fields{"containerPort": 9090, "hostPort": 9090, "hostIP": "10.0.0.3"}}), inDeployment(carAt+"/ports", []any{fields{"containerPort": 9090, "hostPort": 9090, "hostIP": "10.0.0.3"}}),
	inDeployment(podAt+"/hostNetwork", true, webAt+"/stdin", true), inDeployment(podAt+"/hostNetwork", true, webAt+"/ports/1", fields{"containerPort": 9090, "hostPort": 9091}), inDeployment(podAt+"/hostNetwork", true, webAt+"/ports/1", fields{"containerPort": 9090}),

	mount(fields{"name": "none", "mountPath": "/data"}), mount(fields{"name": "data", "mountPath": "/tmp"}), mount(fields{"name": "data", "mountPath": "data"}), mount(fields{"name": "block", "mountPath": "/data"}), mount(fields{"name": "data", "mountPath": "/dev/xvda"}),
	mount(fields{"name": "data", "mountPath": "/data", "subPath": "/abs"}), mount(fields{"name": "data", "mountPath": "/data", "subPath": "a/../b"}), mount(fields{"name": "data", "mountPath": "/data", "subPath": "a", "subPathExpr": "b"}),
	mount(fields{"name": "data", "mountPath": "/data", "mountPropagation": "Bidirectional"}), mount(fields{"name": "data", "mountPath": "/data", "recursiveReadOnly": "Enabled"}), mount(fields{"name": "data", "mountPath": "/data", "recursiveReadOnly": "IfPossible", "readOnly": true, "mountPropagation": "HostToContainer"}),
	inDeployment(webAt+"/volumeDevices", []any{fields{"name": "scratch", "devicePath": "/dev/a"}}), inDeployment(webAt+"/volumeDevices", []any{fields{"name": "block", "devicePath": "/dev/a"}, fields{"name": "block", "devicePath": "/dev/b"}}),
	inDeployment(webAt+"/volumeDevices", []any{fields{"name": "block", "devicePath": "/dev/../a"}}), inDeployment(webAt+"/volumeDevices", []any{fields{"name": "data", "devicePath": "/dev/a"}}), inDeployment(webAt+"/volumeDevices", []any{fields{"name": "block", "devicePath": "/data"}}), inDeployment(webAt+"/volumeDevices", []any{fields{"name": "none", "devicePath": "/dev/a"}}),

	volume("emptyDir", fields{"sizeLimit": "-1"}), volume("emptyDir", nil), volume("hostPath", fields{"path": "/a/../b"}), volume("hostPath", fields{"path": "/a", "type": "Dir"}), volume("hostPath", fields{}), volume("secret", fields{}), volume("secret", fields{"secretName": "a", "defaultMode": 512}), volume("secret", fields{"secretName": "a", "defaultMode": "0400"}),
	volume("secret", fields{"secretName": "a", "items": []any{fields{"key": "a", "path": "../a"}}}), volume("secret", fields{"secretName": "a", "items": []any{fields{"key": "a", "path": "..a"}}}), volume("secret", fields{"secretName": "a", "items": []any{fields{"key": "a"}}}), volume("configMap", fields{}), volume("persistentVolumeClaim", fields{}),
	volume("downwardAPI", fields{"items": []any{fields{"path": "a"}}}), volume("downwardAPI", fields{"items": []any{fields{"path": "a", "resourceFieldRef": fields{"resource": "limits.cpu"}}}}), volume("downwardAPI", fields{"items": []any{fields{"path": "a", "fieldRef": fields{"fieldPath": "status.podIP"}}}}),
	volume("projected", fields{"sources": []any{fields{"secret": fields{"name": "a"}, "configMap": fields{"name": "b"}}}}), volume("projected", fields{"sources": []any{fields{"serviceAccountToken": fields{"path": "a", "expirationSeconds": 599}}}}), volume("projected", fields{"sources": []any{fields{}}}), volume("projected", fields{}),
	volume("projected", fields{"sources": []any{fields{"secret": fields{"name": "a", "items": []any{fields{"key": "a", "path": "x"}}}}, fields{"configMap": fields{"name": "a", "items": []any{fields{"key": "a", "path": "x"}}}}}}), volume("projected", fields{"sources": []any{fields{"serviceAccountToken": fields{"path": ""}}}}),
	volume("projected", fields{"sources": []any{fields{"clusterTrustBundle": fields{"name": "a", "path": "b"}}}}), volume("image", fields{"reference": "a:1"}), volume("csi", fields{"driver": "CSI.example.com"}), volume("csi", fields{}), volume("nfs", fields{"server": "a", "path": "b"}), volume("ephemeral", fields{}),
	volume("ephemeral", fields{"volumeClaimTemplate": fields{"spec": fields{"accessModes": []any{"ReadWriteOnce"}}}}), volume("ephemeral", fields{"volumeClaimTemplate": fields{"metadata": fields{"name": "a"}, "spec": fields{"accessModes": []any{"ReadWriteOnce"}, "resources": fields{"requests": fields{"storage": "1Gi"}}}}}),
	volume("ephemeral", fields{"volumeClaimTemplate": fields{"spec": fields{"accessModes": []any{"ReadWriteOnce", "ReadWriteOncePod", "x"}, "resources": fields{"requests": fields{"storage": "0"}}}}}),
	volume("ephemeral", fields{"volumeClaimTemplate": fields{"spec": fields{"accessModes": []any{"ReadWriteOnce"}, "resources": fields{"requests": fields{"storage": "1Gi"}}, "dataSourceRef": fields{"kind": "Pod", "name": "a"}}}}),
	inDeployment(podAt+"/volumes/8", fields{"name": "data", "emptyDir": fields{}}), inDeployment(podAt+"/volumes/8", fields{"name": "other"}), inDeployment(podAt+"/volumes/8", fields{"emptyDir": fields{}}), inDeployment(podAt+"/volumes/8", fields{"name": "other", "emptyDir": fields{}, "hostPath": fields{"path": "/a"}, "secret": fields{"secretName": "a"}}),

	toleration(fields{}), toleration(fields{"operator": "Exists"}), toleration(fields{"operator": "Exists", "key": "a", "value": "b"}), toleration(fields{"key": "a", "value": "not valid"}), toleration(fields{"key": "a", "operator": "Gt", "value": "1"}), toleration(fields{"key": "a", "effect": "NoRun"}),
	toleration(fields{"key": "a", "tolerationSeconds": 5}), toleration(fields{"key": "a", "effect": "NoExecute", "tolerationSeconds": -1}), toleration(fields{"key": "a b"}), toleration(fields{"operator": "Equal", "value": "x"}),

	spread(fields{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}, fields{"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}),
	spread(fields{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}, fields{"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}),
	spread(fields{"maxSkew": 0, "topologyKey": "zone", "whenUnsatisfiable": "x"}), spread(fields{}), spread(fields{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "minDomains": 2}), spread(fields{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "minDomains": 0}),
	spread(fields{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "matchLabelKeys": []any{"app"}}), spread(fields{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "matchLabelKeys": []any{"app"}, "labelSelector": app}),
	spread(fields{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "matchLabelKeys": []any{"a b"}, "labelSelector": app}), spread(fields{"maxSkew": 1, "topologyKey": "not valid", "whenUnsatisfiable": "DoNotSchedule", "nodeAffinityPolicy": "x"}),

	nodeTerm(fields{"key": "a", "operator": "In"}), nodeTerm(fields{"key": "a", "operator": "Exists", "values": []any{"b"}}), nodeTerm(fields{"key": "a", "operator": "Gt", "values": []any{"1", "2"}}), nodeTerm(fields{"key": "a", "operator": "gt", "values": []any{"1"}}), nodeTerm(fields{"key": "a b", "operator": "Exists"}), nodeTerm(fields{"key": "a", "operator": "In", "values": []any{"not valid"}}), nodeTerm(fields{}),
	podTerm(fields{"labelSelector": app}), podTerm(fields{"topologyKey": "a b", "labelSelector": app}), podTerm(fields{"topologyKey": "zone"}), podTerm(fields{"topologyKey": "zone", "matchLabelKeys": []any{"app"}}), podTerm(fields{"topologyKey": "zone", "labelSelector": app, "matchLabelKeys": []any{"a"}, "mismatchLabelKeys": []any{"a"}}),
	podTerm(fields{"topologyKey": "zone", "labelSelector": fields{"matchExpressions": []any{fields{"key": "a", "operator": "x"}}}}), podTerm(fields{"topologyKey": "zone", "namespaces": []any{"Bad_Name!"}}), podTerm(fields{"topologyKey": "zone", "labelSelector": app, "matchLabelKeys": []any{"app"}}),

	inDeployment(podAt+"/restartPolicy", "Never"), inDeployment(podAt+"/restartPolicy", "OnFailure"), inDeployment(podAt+"/activeDeadlineSeconds", 60), inDeployment(podAt+"/activeDeadlineSeconds", 0), inDeployment(podAt+"/ephemeralContainers", []any{fields{"name": "debug", "image": "debug"}}),
	inDeployment(podAt+"/dnsPolicy", "None", podAt+"/dnsConfig", nil), inDeployment(podAt+"/dnsPolicy", "None", podAt+"/dnsConfig", fields{"searches": []any{"a"}}), inDeployment(podAt+"/dnsPolicy", "None"), inDeployment(podAt+"/dnsConfig", fields{"nameservers": []any{"1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"}}),
	inDeployment(podAt+"/dnsConfig", fields{"nameservers": []any{"1.1.1.256", "::1", "fe80::1", "1.1.1", "010.0.0.1", "2001:db8::1:2:3:4:5:6:7", "::ffff:1.2.3.4"}, "searches": []any{".", "a_b.c.", "_a", "A"}, "options": []any{fields{"value": "a"}}}),
	inDeployment(podAt+"/hostUsers", false), inDeployment(podAt+"/hostUsers", false, webAt+"/stdin", true), inDeployment(podAt+"/hostUsers", false, podAt+"/hostNetwork", true), inDeployment(podAt+"/hostUsers", true, webAt+"/securityContext/procMount", "Unmasked"), inDeployment(podAt+"/hostPID", true, podAt+"/shareProcessNamespace", true),
	inDeployment(podAt+"/hostNetwork", true, podAt+"/securityContext/sysctls", []any{fields{"name": "net.core.somaxconn", "value": "1"}}), inDeployment(podAt+"/hostIPC", true, podAt+"/securityContext/sysctls", []any{fields{"name": "kernel/shmmax", "value": "1"}, fields{"name": "kernel/shmmax", "value": "2"}}),
	inDeployment(podAt+"/serviceAccount", "Bad_Name!"), inDeployment(podAt+"/serviceAccount", "Bad_Name!", podAt+"/serviceAccountName", nil), inDeployment(podAt+"/priorityClassName", "A"), inDeployment(podAt+"/priority", 5),
	inDeployment(webAt+"/securityContext", fields{"privileged": true, "allowPrivilegeEscalation": false}), inDeployment(webAt+"/securityContext", fields{"capabilities": fields{"add": []any{"CAP_SYS_ADMIN"}}, "allowPrivilegeEscalation": false}), inDeployment(webAt+"/securityContext", fields{"capabilities": fields{"add": []any{"SYS_ADMIN"}}, "allowPrivilegeEscalation": false}),
	inDeployment(webAt+"/securityContext", fields{"seccompProfile": fields{"type": "Localhost"}}), inDeployment(webAt+"/securityContext", fields{"seccompProfile": fields{"type": "RuntimeDefault", "localhostProfile": "a"}}), inDeployment(webAt+"/securityContext", fields{"appArmorProfile": fields{"type": "Localhost", "localhostProfile": " a"}}), inDeployment(webAt+"/securityContext", fields{"runAsUser": number("4294967296")}),
	inDeployment(sideAt+"/securityContext", fields{"windowsOptions": fields{"runAsUserName": `NT AUTHORITY\SYSTEM`}}), inDeployment(sideAt+"/securityContext", fields{"windowsOptions": fields{"runAsUserName": `a\b\c`}}), inDeployment(sideAt+"/securityContext", fields{"windowsOptions": fields{"hostProcess": true}}),
	inDeployment(podAt+"/os", fields{"name": "linux"}), inDeployment(podAt+"/os", fields{"name": "windows"}), inDeployment(podAt+"/os", fields{"name": "linux"}, webAt+"/stdin", true), inDeployment(podAt+"/os", fields{"name": "windows"}, webAt+"/stdin", true), inDeployment(podAt+"/os", fields{"name": "plan9"}), inDeployment(podAt+"/os", fields{}), inDeployment(podAt+"/os", fields{"name": "windows"}, podAt+"/resources", fields{"limits": fields{"cpu": 9}}),
	inDeployment(webAt+"/resizePolicy", []any{fields{"resourceName": "cpu", "restartPolicy": "NotRequired"}, fields{"resourceName": "cpu", "restartPolicy": "x"}}), inDeployment(webAt+"/resizePolicy", []any{fields{"resourceName": "gpu"}}), inDeployment(webAt+"/image", " a"), inDeployment(webAt+"/image", "a b"),
	inDeployment(podAt+"/resourceClaims", []any{fields{"name": "gpu", "resourceClaimName": "a", "resourceClaimTemplateName": "b"}}), inDeployment(podAt+"/resourceClaims", []any{fields{"name": "gpu"}}), inDeployment(podAt+"/resourceClaims", []any{fields{"name": "gpu", "resourceClaimName": "a"}, fields{"name": "gpu", "resourceClaimName": "a"}}),
	inDeployment(podAt+"/schedulingGates", []any{fields{"name": "a"}, fields{"name": "a"}}), inDeployment(podAt+"/hostnameOverride", "a"), inDeployment(podAt+"/setHostnameAsFQDN", true), inDeployment(podAt+"/nodeName", "Bad_Name!"), inDeployment(podAt+"/nodeSelector", fields{"a": "not valid"}),
	inDeployment("/spec/template/metadata/annotations", fields{"controller.kubernetes.io/pod-deletion-cost": "x"}), inDeployment("/spec/template/metadata/annotations", fields{"controller.kubernetes.io/pod-deletion-cost": "-2147483648"}), inDeployment("/spec/template/metadata/annotations", fields{"controller.kubernetes.io/pod-deletion-cost": "+1"}), inDeployment("/spec/template/metadata/annotations", fields{"A.B/c": "1"}),
	inDeployment("/spec/template/metadata/annotations", fields{"big": "a*262144"}), inDeployment("/metadata/labels", fields{"a": "not valid"}), inDeployment("/metadata/ownerReferences", []any{fields{}}), inDeployment("/metadata/finalizers", []any{"x"}), inDeployment("/metadata/generateName", "web-"),

	inStatefulSet("/metadata/name", "db.shop"), inStatefulSet("/spec/serviceName", "db.shop"), inStatefulSet("/spec/serviceName", ""), inStatefulSet("/spec/volumeClaimTemplates", nil), inStatefulSet("/spec/volumeClaimTemplates/1/metadata/name", "data"), inStatefulSet("/spec/volumeClaimTemplates/0/metadata", nil),
	inStatefulSet("/spec/volumeClaimTemplates/0/metadata/name", "logs"), inStatefulSet("/spec/volumeClaimTemplates/0/spec", fields{}), inStatefulSet(podAt+"/hostname", "Bad_Name!"), inStatefulSet(podAt+"/subdomain", "Bad_Name!"), inStatefulSet(podAt+"/restartPolicy", "Never"), inStatefulSet(podAt+"/volumes/0", fields{"name": "data", "secret": fields{}}),
	inStatefulSet("/spec/selector", nil), inStatefulSet("/spec/selector", fields{}), inStatefulSet("/spec/persistentVolumeClaimRetentionPolicy", fields{"whenDeleted": "x"}), inStatefulSet("/spec/revisionHistoryLimit", -1),
	inDaemonSet("/spec/selector", nil), inDaemonSet("/spec/selector", fields{}), inDaemonSet("/spec/selector", fields{"matchLabels": fields{"a": "b"}}), inDaemonSet(podAt+"/restartPolicy", "OnFailure"), inDaemonSet(podAt+"/activeDeadlineSeconds", 5), inDaemonSet(webAt+"/ports/0/hostPort", 1), inDaemonSet(webAt+"/securityContext", nil),
	inDaemonSet("/spec/replicas", 1), inDaemonSet("/spec/strategy", fields{"type": "RollingUpdate"}), inDaemonSet(podAt+"/hostnameOverride", "a"),
}
