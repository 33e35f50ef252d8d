//go:build !kubernetes1.30

package main

import (
	"context"
	"embed"
	"encoding/json"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apiservice "k8s.io/kubernetes/pkg/api/service"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"sigs.k8s.io/yaml"
)

const aboutObjectValidation = "What the API server makes of sound objects, workloads apart, with something changed. Rows as in kubernetes-workload-validation; " +
	"`refused` has each rule broken in the server's words, with the field in front."

//go:embed objects/*.yaml
var objectFiles embed.FS

// An objectKind is one sound object, and who judges it.
type objectKind struct {
	name     string
	goType   reflect.Type
	strategy rest.RESTCreateStrategy
}

var objectKinds = []objectKind{
	{"service", reflect.TypeFor[corev1.Service](), service.Strategy},
	{"service-load-balancer", reflect.TypeFor[corev1.Service](), service.Strategy},
	{"service-external", reflect.TypeFor[corev1.Service](), service.Strategy},
	{"service-headless", reflect.TypeFor[corev1.Service](), service.Strategy},
	{"hpa", reflect.TypeFor[autoscalingv2.HorizontalPodAutoscaler](), horizontalpodautoscaler.Strategy},
	{"pdb", reflect.TypeFor[policyv1.PodDisruptionBudget](), poddisruptionbudget.Strategy},
	{"pvc", reflect.TypeFor[corev1.PersistentVolumeClaim](), persistentvolumeclaim.Strategy},
	{"rolebinding", reflect.TypeFor[rbacv1.RoleBinding](), rolebinding.Strategy},
	{"clusterrolebinding", reflect.TypeFor[rbacv1.ClusterRoleBinding](), clusterrolebinding.Strategy},
	{"configmap", reflect.TypeFor[corev1.ConfigMap](), configmap.Strategy},
	{"secret", reflect.TypeFor[corev1.Secret](), secret.Strategy},
	{"secret-basic", reflect.TypeFor[corev1.Secret](), secret.Strategy},
	{"replicaset", reflect.TypeFor[appsv1.ReplicaSet](), replicaset.Strategy},
	{"job", reflect.TypeFor[batchv1.Job](), job.Strategy},
	{"cronjob", reflect.TypeFor[batchv1.CronJob](), cronjob.Strategy},
	{"quota", reflect.TypeFor[corev1.ResourceQuota](), resourcequota.Strategy},
	{"quota-scoped", reflect.TypeFor[corev1.ResourceQuota](), resourcequota.Strategy},
	{"limitrange", reflect.TypeFor[corev1.LimitRange](), limitrange.Strategy},
}

// isObjectPlace leaves out the metadata, which is the same in every kind, and most of a pod template, which the workloads have.
func isObjectPlace(at string) bool {
	if strings.HasPrefix(at, "/metadata") || strings.HasPrefix(at, "/status") || at == "/kind" || at == "/apiVersion" {
		return false
	}
	_, inPod, isTemplate := strings.Cut(at, "/template/")
	if !isTemplate || !strings.Contains(at, "/template/") {
		return true
	}
	return slices.Contains([]string{"spec", "spec/restartPolicy", "spec/containers", "spec/containers/0", "spec/containers/0/name", "spec/containers/0/image", "metadata/labels/app"}, inPod)
}

func soundObject(name string) fields {
	text, err := objectFiles.ReadFile("objects/" + name + ".yaml")
	must(err)
	object := fields{}
	must(yaml.Unmarshal(text, &object))
	return object
}

func judgeObject(object any, strategy rest.RESTCreateStrategy) (verdict workloadVerdict) {
	body, err := json.Marshal(expanded(object))
	must(err)
	// An indexed Job with a successPolicy and without completions: the server answers with 500.
	defer func() {
		if recover() != nil {
			verdict = workloadVerdict{Undecodable: "?"}
		}
	}()
	codec := legacyscheme.Codecs.CodecForVersions(nil, legacyscheme.Codecs.UniversalDeserializer(), nil, runtime.InternalGroupVersioner)
	decoded, _, err := codec.Decode(body, nil, nil)
	if err != nil {
		verdict.Undecodable = undecodableField(err.Error())
		return verdict
	}
	for _, text := range strictErrors(body) {
		verdict.Unknown = append(verdict.Unknown, strings.Trim(strings.TrimPrefix(text, "unknown field "), `"`))
	}
	accessor, err := meta.Accessor(decoded)
	must(err)
	accessor.SetUID("uid")
	ctx := context.Background()
	if service, is := decoded.(*core.Service); is {
		allocate(service)
	}
	strategy.PrepareForCreate(ctx, decoded)
	for _, e := range strategy.Validate(ctx, decoded) {
		if words := shortened(e.Error()); !slices.Contains(verdict.Refused, words) {
			verdict.Refused = append(verdict.Refused, words)
		}
	}
	slices.Sort(verdict.Refused) // maps are walked in any order
	return verdict
}

// shortened cuts the values that the server prints whole, such as pod templates.
func shortened(words string) string {
	if len(words) <= 500 {
		return words
	}
	return words[:250] + "…" + words[len(words)-200:]
}

// allocate does what the storage of Services does before it validates: clusterIPs as clusterIP, and a port for health checks where one is needed.
func allocate(service *core.Service) {
	if service.Spec.ClusterIP != "" && len(service.Spec.ClusterIPs) == 0 {
		service.Spec.ClusterIPs = []string{service.Spec.ClusterIP}
	}
	if apiservice.NeedsHealthCheck(service) && service.Spec.HealthCheckNodePort == 0 {
		service.Spec.HealthCheckNodePort = 30999
	}
}

// Every place alone, then several at once.
func objectValidationCases() []any {
	var rows []any
	for _, kind := range objectKinds {
		sound := soundObject(kind.name)
		if verdict := judgeObject(sound, kind.strategy); !reflect.DeepEqual(verdict, workloadVerdict{}) {
			panic(kind.name + " is not sound: " + strings.Join(append(verdict.Refused, verdict.Unknown...), "; ") + verdict.Undecodable)
		}
		rows = append(rows, fields{"of": kind.name, "object": sound})
	}
	random := rand.New(rand.NewSource(13))
	for _, kind := range objectKinds {
		sound := soundObject(kind.name)
		var values []change
		visit("", sound, kind.goType, func(at string, changes []change) {
			if !isObjectPlace(at) {
				return
			}
			row := workloadRow{Of: kind.name, At: at}
			for _, c := range changes {
				if c.to == "a*254" {
					continue
				}
				row.Cases = append(row.Cases, caseOf(c, judgeObject(changed(sound, parts(at), c), kind.strategy)))
				if !c.drop && c.rename == "" && c.to != nil {
					values = append(values, c)
				}
			}
			for _, to := range further[at] {
				c := change{at: at, to: to}
				row.Cases = append(row.Cases, caseOf(c, judgeObject(changed(sound, parts(at), c), kind.strategy)))
			}
			if len(row.Cases) > 0 {
				rows = append(rows, row)
			}
		})
		rows = append(rows, severalAtOnce(kind, sound, values, random)...)
	}
	return rows
}

// further are values of forms of their own.
var further = map[string][]any{
	"/spec/schedule": {
		"* * * * *", "*/5 * * * *", "0 0 1 1 0", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 7", "* * * jan-mar mon,fri", "5-3 * * * *",
		"1-2-3 * * * *", "1/2/3 * * * *", "*/0 * * * *", "? * * * ?", "-1 * * * *", "x * * * *", "1,,2 * * * *", ", * * * *", "@daily", "@every 1h30m", "@every x", "@often", "TZ=UTC * * * * *",
		"CRON_TZ=Europe/Berlin 0 3 * * *", "TZ=Nowhere * * * * *", "* * * *", "* * * * * *", " 0 3 * * * ", "0  3 * * *", "1-70 * * * *", "0 3 * * 1-5/2", "*-5 * * * *", "1/70 * * * *", "0 3 L * *",
	},
	"/spec/timeZone": {"UTC", "Etc/UTC", "Local", "local", "europe/berlin", "Europe/Nowhere", "America/Argentina/Buenos_Aires", "GMT+1", "Etc/GMT+1", "EST", "Europe/../UTC"},
	"/spec/successPolicy/rules/0/succeededIndexes": {"0-3", "3-0", "0,0", "1-2,2-3", "0-", "-", "0-1-2", "4", "0,,1", "1,0", "00", "+1", ""},
	"/spec/managedBy":                         {"kubernetes.io/job-controller", "Acme.io/foo", "acme.io/", "/foo", "acme.io/a b", "acme.io/a/b"},
	"/spec/loadBalancerSourceRanges/0":        {"10.0.0.0", "10.0.0.0/33", "::/0", "10.0.0.0/08", "010.0.0.0/8", " 10.0.0.0/8 ", "2001:db8::/129", "10.0.0/8"},
	"/spec/externalIPs/0":                     {"127.0.0.1", "169.254.1.1", "224.0.0.1", "0.0.0.0", "::", "::1", "fe80::1", "ff02::1", "10.0.0.01", "2001:db8::1", "239.1.1.1", "::ffff:10.0.0.1"},
	"/spec/minAvailable":                      {"101%", "100%", "0%", "-1%", "50", "050%", "1.5%", "%"},
	"/spec/scaleTargetRef/apiVersion":         {"a/b/c", "/v1", "apps/", "apps"},
	"/spec/hard":                              hardLimits(),
	"/spec/hard/cpu":                          amounts,
	"/spec/hard/pods":                         amounts,
	"/spec/hard/requests.cpu":                 amounts,
	"/spec/hard/requests.nvidia.com~1gpu":     amounts,
	"/spec/hard/count~1deployments.apps":      amounts,
	"/spec/scopes":                            scopeLists(),
	"/spec/scopeSelector/matchExpressions":    scopeExpressions(),
	"/spec/limits":                            limitItems(),
	"/spec/limits/0/max/cpu":                  amounts,
	"/spec/limits/0/min/cpu":                  amounts,
	"/spec/limits/0/default/cpu":              amounts,
	"/spec/limits/0/defaultRequest/cpu":       amounts,
	"/spec/limits/0/maxLimitRequestRatio/cpu": amounts,
	"/spec/limits/1/maxLimitRequestRatio/cpu": amounts,
	"/spec/limits/0/type":                     {"container", "Pod", "PersistentVolumeClaim", "Node", "example.com/x", "/x", "a/b/c"},
	"/data/tls.crt":                           {"AAECAw", "AAECAw=", "AAEC\nAw==", "AA EC", "====", "A", "_-8=", "/+8="},
}

var amounts = []any{"-1", "-500m", "500m", "0", "1", "1.5", "1500m", "1e3", "100u", "-100n", "2k", "2Ki", " 3 ", "5", "12", "9Gi", number("0.1")}

var limitedResources = []string{
	"cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage",
	"pods", "resourcequotas", "services", "services.nodeports", "services.loadbalancers", "replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims",
	"requests.storage", "storage", "hugepages-2Mi", "requests.hugepages-2Mi", "limits.hugepages-2Mi", "hugepages-", "nvidia.com/gpu", "requests.nvidia.com/gpu", "limits.nvidia.com/gpu",
	"count/pods", "count/", "count/deployments.apps", "gold.storageclass.storage.k8s.io/persistentvolumeclaims", "kubernetes.io/x", "requests.kubernetes.io/x", "gpu", "deployments.apps",
	"Example.com/x", "a/b/c", "", "Pods", "requests.example.com/" + "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcd", "example.com/abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabc",
	"count/deployments.apps/x", "gold.volumeattributesclass.storage.k8s.io/requests.storage", "a.requests.cpu",
}

// Each resource alone, whole and in part.
func hardLimits() []any {
	var made []any
	for _, name := range limitedResources {
		for _, amount := range []any{"1", "1500m", "-1"} {
			made = append(made, fields{name: amount})
		}
	}
	return append(made, fields{"cpu": nil}, fields{"pods": nil}, fields{"pods": number("2")}, fields{"pods": "x"}, fields{"pods": true}, fields{"pods": fields{}})
}

var scopes = []string{"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity", "VolumeAttributesClass", "terminating", "Bad_Name!", ""}

func scopeLists() []any {
	var made []any
	for _, one := range scopes {
		made = append(made, []any{one})
		for _, other := range scopes {
			made = append(made, []any{one, other})
		}
	}
	return made
}

func scopeExpressions() []any {
	var made []any
	for _, scope := range scopes {
		for _, operator := range []string{"Exists", "DoesNotExist", "In", "NotIn", "exists", ""} {
			for _, values := range []any{nil, []any{"high"}} {
				made = append(made, []any{fields{"scopeName": scope, "operator": operator, "values": values}})
			}
		}
		for _, other := range scopes {
			made = append(made, []any{fields{"scopeName": scope, "operator": "Exists"}, fields{"scopeName": other, "operator": "Exists"}})
		}
	}
	return made
}

// Random limits of each type: what they name, and the order of their amounts.
func limitItems() []any {
	random := rand.New(rand.NewSource(29))
	names := []string{"cpu", "memory", "storage", "ephemeral-storage", "nvidia.com/gpu", "hugepages-2Mi", "pods", "requests.cpu", "kubernetes.io/x", "gpu", "Example.com/x"}
	usual := []string{"cpu", "cpu", "memory", "nvidia.com/gpu", "hugepages-2Mi", "storage"}
	quantities := []any{"0", "1", "2", "3", "500m", "1500m", "4Gi", "1G", "0.5Gi", "-1", "7", "100u", "1e17", "3000000000000"}
	types := []string{"Container", "Container", "Pod", "PersistentVolumeClaim", "example.com/x", "Node"}
	var made []any
	for range 700 {
		item := fields{"type": types[random.Intn(len(types))]}
		of := usual
		if random.Intn(6) == 0 {
			of = names
		}
		name := of[random.Intn(len(of))]
		for _, field := range []string{"max", "min", "default", "defaultRequest", "maxLimitRequestRatio"} {
			if random.Intn(2) == 0 {
				item[field] = fields{name: quantities[random.Intn(len(quantities))]}
			}
		}
		made = append(made, []any{item})
	}
	return append(made, []any{fields{"type": "Pod"}, fields{"type": "Pod"}}, []any{fields{}}, []any{fields{"type": "PersistentVolumeClaim", "default": fields{"storage": "1"}}})
}

const pairsOfEach = 60

// severalAtOnce changes two or three places at a time.
func severalAtOnce(kind objectKind, sound fields, values []change, random *rand.Rand) []any {
	var rows []any
	for range pairsOfEach {
		object := any(maps.Clone(sound))
		var made [][2]any
		taken := map[string]bool{}
		for range 2 + random.Intn(2) {
			c := values[random.Intn(len(values))]
			if slices.ContainsFunc(slices.Collect(maps.Keys(taken)), func(at string) bool {
				return strings.HasPrefix(at+"/", c.at+"/") || strings.HasPrefix(c.at+"/", at+"/")
			}) {
				continue
			}
			taken[c.at] = true
			object = changed(object, parts(c.at), c)
			made = append(made, [2]any{c.at, c.to})
		}
		rows = append(rows, withVerdict(fields{"of": kind.name, "change": made}, judgeObject(object, kind.strategy)))
	}
	return rows
}
