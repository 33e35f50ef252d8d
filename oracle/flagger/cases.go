package main

import (
	"context"
	"fmt"
	"math/rand"

	flaggerv1 "github.com/fluxcd/flagger/pkg/apis/flagger/v1beta1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	recording "rolloutkit-oracle-recording"
)

type object = map[string]any

// Case is one Canary and one change of its target.
type Case struct {
	// Spec is that of the Canary, without its service and the addresses of its webhooks.
	Spec object `json:"canary"`
	// Target is the spec of the Deployment before.
	Target object `json:"target"`
	// Autoscaler is minReplicas and maxReplicas of HorizontalPodAutoscaler load.
	Autoscaler *object `json:"autoscaler,omitempty"`
	// Change is what an apply writes into the spec of the Deployment; Config says that a ConfigMap of it changes.
	Change object `json:"change"`
	Config bool   `json:"config,omitempty"`
	// Closed is how often each webhook refuses.
	Closed map[string]int `json:"closed,omitempty"`
	// Stuck is the Deployment whose new pods never get ready; Delay how many turns pods take.
	Stuck string `json:"stuck,omitempty"`
	Delay int    `json:"delay,omitempty"`
	// First are the rows of a new Canary, Rows those after the change.
	First    []Row    `json:"first"`
	Rows     []Row    `json:"rows,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Primary  *object  `json:"primary,omitempty"`
}

func choose[T any](r *rand.Rand, values ...T) T { return values[r.Intn(len(values))] }

func drawAnalysis(r *rand.Rand) object {
	analysis := object{"interval": choose(r, "30s", "1m", "5s", "1m30s", "soon"), "threshold": choose(r, 0, 1, 3, 5)}
	switch r.Intn(10) {
	case 0, 1, 2:
		analysis["stepWeight"] = choose(r, 5, 10, 20, 30, 50, 100)
		if r.Intn(4) > 0 {
			analysis["maxWeight"] = choose(r, 10, 50, 80, 100)
		}
	case 3, 4:
		analysis["stepWeights"] = choose(r, []int{1, 5, 10, 50}, []int{10, 60, 100}, []int{30}, []int{50, 20}, []int{40, 120})
		if r.Intn(3) == 0 {
			analysis["maxWeight"] = choose(r, 20, 80)
		}
	case 5, 6:
		analysis["iterations"] = choose(r, 1, 2, 5)
		if r.Intn(3) == 0 {
			analysis["stepWeight"] = 10
		}
	case 7:
		analysis["iterations"] = choose(r, 1, 3)
		analysis["match"] = []any{object{"headers": object{"x-canary": object{"exact": "yes"}}}}
	case 8:
		analysis["stepWeight"], analysis["stepWeights"] = choose(r, 10, 25), []int{20, 45}
	case 9:
		if r.Intn(2) == 0 {
			analysis["maxWeight"] = 50
		}
	}
	if r.Intn(5) == 0 {
		analysis["mirror"] = true
	}
	if r.Intn(4) == 0 {
		analysis["stepWeightPromotion"] = choose(r, 20, 50, 70)
	}
	return analysis
}

func drawTarget(r *rand.Rand) object {
	labels := choose(r, object{"app": "web"}, object{"app": "web"}, object{"app": "site"}, object{"name": "web"}, object{"app.kubernetes.io/name": "web"},
		object{"app": "web", "tier": "front"}, object{"name": "web", "app.kubernetes.io/name": "other"}, object{"component": "web"})
	podLabels := object{"team": "a"}
	for label, value := range labels {
		podLabels[label] = value
	}
	pod := object{"containers": []any{object{"name": "web", "image": "web:1", "envFrom": []any{object{"configMapRef": object{"name": "settings"}}}}}}
	if r.Intn(3) == 0 {
		selector := object{"matchLabels": object{"app": "web"}}
		pod["topologySpreadConstraints"] = []any{object{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}}
		pod["affinity"] = object{"podAntiAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": []any{object{"topologyKey": "host",
			"labelSelector": object{"matchExpressions": []any{object{"key": "app", "operator": "In", "values": []any{"web", "other"}}}}}}}}
	}
	target := object{"selector": object{"matchLabels": labels}, "template": object{"metadata": object{"labels": podLabels}, "spec": pod}}
	// The API server writes 1 where a manifest names no replicas.
	target["replicas"] = choose(r, 0, 1, 1, 2, 3, 6)
	if r.Intn(2) == 0 {
		target["strategy"] = choose(r, object{"type": "Recreate"}, object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": 2, "maxUnavailable": 0}})
	}
	if r.Intn(4) == 0 {
		target["minReadySeconds"] = 7
	}
	return target
}

func merge(into, from object) object {
	merged := object{}
	for key, value := range into {
		merged[key] = value
	}
	for key, value := range from {
		merged[key] = value
	}
	return merged
}

func withImage(template object, image string) object {
	spec := template["spec"].(object)
	container := spec["containers"].([]any)[0].(object)
	return merge(template, object{"spec": merge(spec, object{"containers": []any{merge(container, object{"image": image})}})})
}

func drawChange(r *rand.Rand, target object) (object, bool) {
	change := object{}
	kind := r.Intn(12)
	if kind == 0 {
		return change, true
	}
	if kind != 1 && kind != 2 {
		change["template"] = withImage(target["template"].(object), "web:2")
	}
	if kind < 6 {
		change["replicas"] = choose(r, 1, 2, 4)
	}
	if r.Intn(5) == 0 {
		change["strategy"] = object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": 1, "maxUnavailable": 0}}
	}
	return change, false
}

func (c *Case) run(index int) {
	w := &world{namespace: namespaceOf(index), delay: c.Delay, rolled: map[string]string{}, pending: map[string]int{}}
	spec := merge(c.Spec, object{"targetRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": name}, "service": object{"port": 80, "hosts": []any{"web"}, "gatewayRefs": []any{object{"name": "gateway"}}}})
	var webhooks []any
	for _, hook := range []string{"confirm-rollout", "confirm-traffic-increase", "confirm-promotion", "pre-rollout", "rollout"} {
		if _, has := c.Closed[hook]; has {
			path := fmt.Sprintf("/%s/%s", w.namespace, hook)
			hooks.close(path, 0)
			defer hooks.close(path, 0)
			webhooks = append(webhooks, object{"name": hook, "type": hook, "url": server.URL + path})
		}
	}
	if len(webhooks) > 0 {
		spec["analysis"] = merge(spec["analysis"].(object), object{"webhooks": webhooks})
	}
	cd := &flaggerv1.Canary{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.namespace}, Spec: decode[flaggerv1.CanarySpec](spec)}
	must(flagger.FlaggerV1beta1().Canaries(w.namespace).Create(context.TODO(), cd, metav1.CreateOptions{}))
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings", Namespace: w.namespace}, Data: map[string]string{"a": "1"}}
	must(kube.CoreV1().ConfigMaps(w.namespace).Create(context.TODO(), settings, metav1.CreateOptions{}))
	if c.Autoscaler != nil {
		limits := decode[struct {
			MinReplicas *int32
			MaxReplicas int32
		}](*c.Autoscaler)
		w.createAutoscaler(limits.MinReplicas, limits.MaxReplicas)
	}
	w.createDeployment(decode[appsv1.DeploymentSpec](c.Target))
	c.First, c.Warnings = w.rows(20)
	if c.First[len(c.First)-1].Phase != "Initialized" {
		return
	}

	for hook, times := range c.Closed {
		hooks.close(fmt.Sprintf("/%s/%s", w.namespace, hook), times)
	}
	w.stuck = c.Stuck
	if c.Config {
		settings.Data["a"] = "2"
		must(kube.CoreV1().ConfigMaps(w.namespace).Update(context.TODO(), settings, metav1.UpdateOptions{}))
	}
	// What the apply does not name stays as Flagger left it.
	deployment := w.deployment(name)
	changed := decode[appsv1.DeploymentSpec](merge(decode[object](deployment.Spec), c.Change))
	deployment.Spec = changed
	must(kube.AppsV1().Deployments(w.namespace).Update(context.TODO(), deployment, metav1.UpdateOptions{}))
	rows, warnings := w.rows(90)
	c.Rows, c.Warnings = rows, warnings
	primary := w.deployment(primaryName)
	template := primary.Spec.Template
	_, hasID := template.Annotations["flagger-id"]
	c.Primary = &object{
		"selector": primary.Spec.Selector.MatchLabels, "labels": template.Labels, "strategy": primary.Spec.Strategy, "minReadySeconds": primary.Spec.MinReadySeconds,
		"hasID": hasID, "affinity": template.Spec.Affinity, "topologySpreadConstraints": template.Spec.TopologySpreadConstraints,
		"envFrom": template.Spec.Containers[0].EnvFrom[0].ConfigMapRef.Name,
	}
	if c.Autoscaler != nil {
		if hpa, err := kube.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Get(context.TODO(), "load-primary", metav1.GetOptions{}); err == nil {
			(*c.Primary)["minReplicas"], (*c.Primary)["maxReplicas"] = hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas
		}
	}
}

func canaryCases() []any {
	r := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 38))))
	var cases []any
	for index := range recording.NumberOf("CASES", 600) {
		c := &Case{Spec: object{"analysis": drawAnalysis(r)}, Target: drawTarget(r)}
		if provider := choose(r, "", "istio", "kubernetes", "kubernetes", "gatewayapi:v1", "linkerd"); provider != "" {
			c.Spec["provider"] = provider
		}
		if r.Intn(8) == 0 {
			c.Spec["skipAnalysis"] = true
		}
		if r.Intn(3) == 0 {
			limits := object{"maxReplicas": 9}
			if r.Intn(4) > 0 {
				limits["minReplicas"] = choose(r, 1, 2, 4)
			}
			c.Autoscaler = &limits
			ref := object{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "name": "load"}
			if r.Intn(3) == 0 {
				ref["primaryScalerReplicas"] = choose(r, object{"minReplicas": 3}, object{"maxReplicas": 12}, object{"minReplicas": 2, "maxReplicas": 7})
			}
			c.Spec["autoscalerRef"] = ref
		}
		if r.Intn(10) == 0 {
			c.Spec["suspend"] = false
		}
		c.Change, c.Config = drawChange(r, c.Target)
		if r.Intn(4) == 0 {
			c.Closed = map[string]int{}
			for range 1 + r.Intn(2) {
				c.Closed[choose(r, "confirm-rollout", "confirm-traffic-increase", "confirm-promotion", "pre-rollout", "rollout")] = choose(r, 0, 1, 2, 8)
			}
		}
		if r.Intn(12) == 0 {
			c.Stuck = choose(r, name, primaryName)
		}
		c.Delay = choose(r, 0, 0, 0, 1, 2)
		c.run(index)
		cases = append(cases, c)
	}
	return cases
}
