package main

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/kserve/kserve/pkg/apis/serving/v1beta1"
	"github.com/kserve/kserve/pkg/constants"
	"github.com/kserve/kserve/pkg/controller/v1beta1/inferenceservice/reconcilers"
	"github.com/kserve/kserve/pkg/controller/v1beta1/inferenceservice/reconcilers/deployment"
	isvcutils "github.com/kserve/kserve/pkg/controller/v1beta1/inferenceservice/utils"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const aboutStrategies = "An InferenceService through KServe's defaulting webhook, validating webhook, mode resolution and Deployment reconciler: " +
	"`refused` is the validating webhook's error; `mode` the deployment mode; `failed` the reconciler's error; `head` and `worker` the strategies that KServe writes into the Deployments, before the API server fills them in. " +
	"`deploy` is the ConfigMap's `deploy` key, null when it has none."

type fields = map[string]any

type strategyCase struct {
	Deploy      *string                    `json:"deploy"`
	Annotations map[string]string          `json:"annotations,omitempty"`
	Multinode   bool                       `json:"multinode"`
	User        json.RawMessage            `json:"user,omitempty"`
	Refused     string                     `json:"refused,omitempty"`
	Mode        string                     `json:"mode,omitempty"`
	Failed      string                     `json:"failed,omitempty"`
	Head        *appsv1.DeploymentStrategy `json:"head,omitempty"`
	Worker      *appsv1.DeploymentStrategy `json:"worker,omitempty"`
}

// service is the smallest InferenceService that the webhook takes, with the strategy on its predictor.
func (c strategyCase) service() *v1beta1.InferenceService {
	predictor := fields{"model": fields{"modelFormat": fields{"name": "huggingface"}, "storageUri": "pvc://models/llm"}}
	annotations := fields{}
	for name, value := range c.Annotations {
		annotations[name] = value
	}
	if c.User != nil {
		predictor["deploymentStrategy"] = c.User
	}
	if c.Multinode {
		annotations[constants.AutoscalerClass] = "none" // the webhook wants it
		predictor["workerSpec"] = fields{"pipelineParallelSize": 2, "containers": []any{fields{"name": constants.WorkerContainerName}}}
	}
	text, err := json.Marshal(fields{"metadata": fields{"name": "llm", "namespace": "default", "annotations": annotations}, "spec": fields{"predictor": predictor}})
	must(err)
	service := &v1beta1.InferenceService{}
	must(json.Unmarshal(text, service))
	return service
}

// applyDefaults calls DefaultInferenceService, whose last parameters differ by version and are nil here.
func applyDefaults(service *v1beta1.InferenceService, config *v1beta1.DeployConfig) {
	method := reflect.ValueOf(service.DefaultInferenceService)
	arguments := []reflect.Value{reflect.ValueOf(&v1beta1.InferenceServicesConfig{}), reflect.ValueOf(config)}
	for i := len(arguments); i < method.Type().NumIn(); i++ {
		arguments = append(arguments, reflect.Zero(method.Type().In(i)))
	}
	method.Call(arguments)
}

func recordStrategy(c strategyCase) strategyCase {
	configMap := &corev1.ConfigMap{}
	if c.Deploy != nil {
		configMap.Data = map[string]string{"deploy": *c.Deploy}
	}
	config, err := v1beta1.NewDeployConfig(configMap)
	must(err)

	service := c.service()
	applyDefaults(service, config)
	if _, err := (&v1beta1.InferenceServiceValidator{}).ValidateCreate(context.Background(), service); err != nil {
		c.Refused = err.Error()
		return c
	}
	c.Mode = string(isvcutils.GetDeploymentMode("", service.Annotations, config))
	if c.Mode != string(constants.Standard) {
		return c
	}
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{}, Annotations: service.Annotations}
	}
	variables := []corev1.EnvVar{{Name: constants.RayNodeCountEnvName, Value: "2"}, {Name: constants.RequestGPUCountEnvName, Value: "1"}}
	head := &corev1.PodSpec{Containers: []corev1.Container{{Name: constants.InferenceServiceContainerName, Env: variables}}}
	var worker *corev1.PodSpec
	if service.Spec.Predictor.WorkerSpec != nil {
		worker = &corev1.PodSpec{Containers: []corev1.Container{{Name: constants.WorkerContainerName, Env: variables}}}
	}
	// As NewRawKubeReconciler does, which itself wants a cluster.
	mode := constants.ParseDeploymentMode(service.Annotations[constants.DeploymentMode])
	workload, err := reconcilers.NewReconcilerFactory().CreateWorkloadReconciler(context.Background(), mode, reconcilers.WorkloadReconcilerParams{
		ComponentMeta: meta("llm-predictor"), WorkerComponentMeta: meta("llm-predictor-worker"),
		ComponentExt: &service.Spec.Predictor.ComponentExtensionSpec, PodSpec: head, WorkerPodSpec: worker, DeployConfig: config,
	})
	if err != nil {
		c.Failed = err.Error()
		return c
	}
	deployments := workload.(*deployment.DeploymentReconciler).DeploymentList
	c.Head = &deployments[0].Spec.Strategy
	if c.Multinode {
		c.Worker = &deployments[1].Spec.Strategy
	}
	return c
}

var userStrategies = []string{
	"", `{}`, `{"type":"RollingUpdate"}`, `{"type":"Recreate"}`, `{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":"50%"}}`, `{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"10%"}}`,
	`{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":0}}`, `{"rollingUpdate":{"maxSurge":2}}`, `{"type":"RollingUpdate","rollingUpdate":{}}`, `{"type":"Recreate","rollingUpdate":{"maxSurge":1}}`, `{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"1","maxUnavailable":"0"}}`,
}

var rollouts = []string{
	"", `{"maxSurge":"30%","maxUnavailable":"10%"}`, `{"maxSurge":"30%"}`, `{"maxUnavailable":"10%"}`, `{"mode":"Availability"}`, `{"mode":"Availability","maxSurge":"30%","maxUnavailable":"10%"}`, `{"mode":"ResourceAware","maxSurge":"30%"}`, `{"maxSurge":"1","maxUnavailable":"0"}`,
}

func deployText(mode, rollout string) *string {
	text := `{"defaultDeploymentMode":"` + mode + `"}`
	if rollout != "" {
		text = `{"defaultDeploymentMode":"` + mode + `","deploymentRolloutStrategy":{"defaultRollout":` + rollout + `}}`
	}
	return &text
}

// strategyCases: every strategy under every platform level on one node and several, then every annotation.
func strategyCases() []any {
	var cases []any
	add := func(deploy *string, annotations map[string]string, multinode bool, user string) {
		c := strategyCase{Deploy: deploy, Annotations: annotations, Multinode: multinode}
		if user != "" {
			c.User = json.RawMessage(user)
		}
		cases = append(cases, recordStrategy(c))
	}
	for _, multinode := range []bool{false, true} {
		for _, user := range userStrategies {
			for _, mode := range []string{"Standard", "RawDeployment"} {
				for _, rollout := range rollouts {
					add(deployText(mode, rollout), nil, multinode, user)
				}
			}
		}
	}
	full := rollouts[1]
	for _, user := range []string{"", userStrategies[1], userStrategies[4]} {
		for _, mode := range []string{"Standard", "Knative", "ModelMesh", "Serverless"} {
			for _, annotation := range []string{"", "Standard", "RawDeployment", "Knative", "Serverless", "ModelMesh", "standard", "Nonsense", ""} {
				add(deployText(mode, full), map[string]string{constants.DeploymentMode: annotation}, false, user)
			}
			add(deployText(mode, full), nil, false, user)
			add(deployText(mode, full), map[string]string{"autoscaling.knative.dev/class": "hpa.autoscaling.knative.dev"}, false, user)
			add(deployText(mode, full), map[string]string{"autoscaling.knative.dev/class": "kpa.autoscaling.knative.dev"}, false, user)
		}
		add(nil, nil, false, user)
		add(nil, map[string]string{constants.DeploymentMode: "Standard"}, false, user)
	}
	return cases
}
