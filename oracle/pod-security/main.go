// Records what Pod Security admission forbids in pods, by level and version: the evaluator of k8s.io/pod-security-admission.
package main

import (
	"fmt"
	"math/rand"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	recording "rolloutkit-oracle-recording"
)

// The policies of each case, in the order of its answers.
var policies = []struct {
	level api.Level
	minor int
}{
	{api.LevelBaseline, 24}, {api.LevelRestricted, 24},
	{api.LevelBaseline, 33}, {api.LevelRestricted, 33},
	{api.LevelBaseline, 35}, {api.LevelRestricted, 35},
	{api.LevelBaseline, 18}, {api.LevelRestricted, 18},
}

type recorded struct {
	Pod corev1.PodTemplateSpec `json:"pod"`
	// What each policy forbids; empty if it allows the pod.
	Answers []string `json:"answers"`
}

func chance(random *rand.Rand, percent int) bool { return random.Intn(100) < percent }

func pick[T any](random *rand.Rand, values ...T) T { return values[random.Intn(len(values))] }

func maybe[T any](random *rand.Rand, percent int, values ...T) *T {
	if !chance(random, percent) {
		return nil
	}
	value := pick(random, values...)
	return &value
}

func capabilities(random *rand.Rand) *corev1.Capabilities {
	if chance(random, 30) {
		return nil
	}
	made := &corev1.Capabilities{}
	if chance(random, 70) {
		made.Drop = append(made.Drop, pick(random, corev1.Capability("ALL"), "ALL", "ALL", "all", "KILL"))
	}
	for range random.Intn(3) {
		made.Add = append(made.Add, pick(random, corev1.Capability("NET_BIND_SERVICE"), "NET_BIND_SERVICE", "NET_RAW", "CHOWN", "SYS_PTRACE", "ALL"))
	}
	return made
}

func seccomp(random *rand.Rand, percent int) *corev1.SeccompProfile {
	kind := maybe(random, percent, corev1.SeccompProfileTypeRuntimeDefault, corev1.SeccompProfileTypeRuntimeDefault, corev1.SeccompProfileTypeLocalhost, corev1.SeccompProfileTypeUnconfined)
	if kind == nil {
		return nil
	}
	return &corev1.SeccompProfile{Type: *kind}
}

func appArmor(random *rand.Rand, percent int) *corev1.AppArmorProfile {
	kind := maybe(random, percent, corev1.AppArmorProfileTypeRuntimeDefault, corev1.AppArmorProfileTypeLocalhost, corev1.AppArmorProfileTypeUnconfined)
	if kind == nil {
		return nil
	}
	return &corev1.AppArmorProfile{Type: *kind}
}

func seLinux(random *rand.Rand, percent int) *corev1.SELinuxOptions {
	if !chance(random, percent) {
		return nil
	}
	return &corev1.SELinuxOptions{
		Type: pick(random, "", "container_t", "container_engine_t", "spc_t", "super_t"),
		User: pick(random, "", "", "", "system_u"),
		Role: pick(random, "", "", "", "system_r"),
	}
}

func windows(random *rand.Rand, percent int) *corev1.WindowsSecurityContextOptions {
	if !chance(random, percent) {
		return nil
	}
	return &corev1.WindowsSecurityContextOptions{HostProcess: maybe(random, 80, true, false)}
}

func containerContext(random *rand.Rand) *corev1.SecurityContext {
	if chance(random, 15) {
		return nil
	}
	return &corev1.SecurityContext{
		Privileged:               maybe(random, 15, true, false),
		AllowPrivilegeEscalation: maybe(random, 80, false, false, false, true),
		Capabilities:             capabilities(random),
		RunAsNonRoot:             maybe(random, 40, true, true, false),
		RunAsUser:                maybe(random, 20, int64(0), 1000),
		ProcMount:                maybe(random, 10, corev1.DefaultProcMount, corev1.UnmaskedProcMount),
		SeccompProfile:           seccomp(random, 40),
		AppArmorProfile:          appArmor(random, 12),
		SELinuxOptions:           seLinux(random, 12),
		WindowsOptions:           windows(random, 5),
	}
}

func host(random *rand.Rand) string { return pick(random, "", "", "", "127.0.0.1", "db") }

func probe(random *rand.Rand) *corev1.Probe {
	switch random.Intn(5) {
	case 0:
		return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80), Host: host(random)}}}
	case 1:
		return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(80), Host: host(random)}}}
	}
	return nil
}

func lifecycle(random *rand.Rand) *corev1.Lifecycle {
	if !chance(random, 10) {
		return nil
	}
	handler := &corev1.LifecycleHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80), Host: host(random)}}
	if chance(random, 50) {
		return &corev1.Lifecycle{PreStop: handler}
	}
	return &corev1.Lifecycle{PostStart: handler}
}

func container(random *rand.Rand, name string) corev1.Container {
	made := corev1.Container{
		Name:            name,
		SecurityContext: containerContext(random),
		LivenessProbe:   probe(random),
		ReadinessProbe:  probe(random),
		StartupProbe:    probe(random),
		Lifecycle:       lifecycle(random),
	}
	for range random.Intn(2) {
		made.Ports = append(made.Ports, corev1.ContainerPort{ContainerPort: pick(random, int32(80), 443), HostPort: pick(random, int32(0), 0, 0, 8080, 9)})
	}
	return made
}

func volume(random *rand.Rand, name string) corev1.Volume {
	made := corev1.Volume{Name: name}
	switch random.Intn(7) {
	case 0:
		made.HostPath = &corev1.HostPathVolumeSource{Path: "/"}
	case 1:
		made.NFS = &corev1.NFSVolumeSource{Server: "nfs", Path: "/"}
	case 2:
		made.ConfigMap = &corev1.ConfigMapVolumeSource{}
	case 3:
		made.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}
	case 4:
		made.Image = &corev1.ImageVolumeSource{Reference: "image"}
	case 5:
		made.ISCSI = &corev1.ISCSIVolumeSource{TargetPortal: "portal", IQN: "iqn"}
	default:
		made.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	return made
}

func podContext(random *rand.Rand) *corev1.PodSecurityContext {
	if chance(random, 30) {
		return nil
	}
	made := &corev1.PodSecurityContext{
		RunAsNonRoot:    maybe(random, 60, true, true, true, false),
		RunAsUser:       maybe(random, 20, int64(0), 1000),
		SeccompProfile:  seccomp(random, 60),
		AppArmorProfile: appArmor(random, 10),
		SELinuxOptions:  seLinux(random, 10),
		WindowsOptions:  windows(random, 4),
	}
	for range pick(random, 0, 0, 0, 1, 2) {
		made.Sysctls = append(made.Sysctls, corev1.Sysctl{
			Name: pick(random, "kernel.shm_rmid_forced", "net.ipv4.tcp_rmem", "net.ipv4.tcp_keepalive_time", "net.ipv4.ip_local_reserved_ports", "kernel.msgmax"), Value: "1",
		})
	}
	return made
}

func annotations(random *rand.Rand) map[string]string {
	made := map[string]string{}
	if chance(random, 8) {
		made["container.apparmor.security.beta.kubernetes.io/a"] = pick(random, "runtime/default", "localhost/x", "unconfined", "")
	}
	if chance(random, 5) {
		made["seccomp.security.alpha.kubernetes.io/pod"] = pick(random, "runtime/default", "unconfined")
	}
	if chance(random, 5) {
		made["container.seccomp.security.alpha.kubernetes.io/b"] = pick(random, "docker/default", "unconfined")
	}
	return made
}

// The API server fills in the host ports of a pod in the network of its host.
func fillHostPorts(containers []corev1.Container) {
	for i := range containers {
		for j := range containers[i].Ports {
			if port := &containers[i].Ports[j]; port.HostPort == 0 {
				port.HostPort = port.ContainerPort
			}
		}
	}
}

func pod(random *rand.Rand) corev1.PodTemplateSpec {
	made := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Annotations: annotations(random)}}
	spec := &made.Spec
	spec.HostNetwork = chance(random, 6)
	spec.HostPID = chance(random, 4)
	spec.HostIPC = chance(random, 4)
	spec.HostUsers = maybe(random, 20, true, false)
	spec.SecurityContext = podContext(random)
	if chance(random, 5) {
		spec.OS = &corev1.PodOS{Name: pick(random, corev1.Windows, corev1.Linux)}
	}
	for i := range random.Intn(3) {
		spec.Volumes = append(spec.Volumes, volume(random, fmt.Sprintf("v%d", i)))
	}
	if chance(random, 30) {
		spec.InitContainers = append(spec.InitContainers, container(random, "init"))
	}
	spec.Containers = append(spec.Containers, container(random, "a"))
	if chance(random, 40) {
		spec.Containers = append(spec.Containers, container(random, "b"))
	}
	return made
}

func answers(evaluator policy.Evaluator, template corev1.PodTemplateSpec) []string {
	filled := template.DeepCopy()
	if filled.Spec.HostNetwork {
		fillHostPorts(filled.Spec.InitContainers)
		fillHostPorts(filled.Spec.Containers)
	}
	var made []string
	for _, one := range policies {
		version := api.LevelVersion{Level: one.level, Version: api.MajorMinorVersion(1, one.minor)}
		result := policy.AggregateCheckResults(evaluator.EvaluatePod(version, &filled.ObjectMeta, &filled.Spec))
		made = append(made, result.ForbiddenDetail())
	}
	return made
}

func main() {
	recording.Run([]recording.Maker{
		recording.Of("pod-security", "What Pod Security admission forbids in pods, by level and version of the policy.", func() []any {
			evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
			if err != nil {
				panic(err)
			}
			random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 1))))
			var cases []any
			for range recording.NumberOf("CASES", 5000) {
				template := pod(random)
				cases = append(cases, recorded{Pod: template, Answers: answers(evaluator, template)})
			}
			return cases
		}),
	}, "", "k8s.io/pod-security-admission")
}
