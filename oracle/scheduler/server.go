package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	core "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corev1conversion "k8s.io/kubernetes/pkg/apis/core/v1"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

const namespace = "models"

// fields is a map as JSON has it.
type fields = map[string]any

var serverContext = genericapirequest.WithNamespace(context.Background(), namespace)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// serverPod is a pod as the API server stores it; nil if it refuses the pod.
func serverPod(name string, metadata, spec fields) *corev1.Pod {
	whole := fields{"name": name, "namespace": namespace, "uid": name}
	for key, value := range metadata {
		whole[key] = value
	}
	body, err := json.Marshal(fields{"apiVersion": "v1", "kind": "Pod", "metadata": whole, "spec": spec})
	must(err)
	internal := schema.GroupVersion{Version: runtime.APIVersionInternal}
	object, _, err := legacyscheme.Codecs.CodecForVersions(nil, legacyscheme.Codecs.UniversalDeserializer(), nil, internal).Decode(body, nil, nil)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", body, err))
	}
	made := object.(*core.Pod)
	pod.Strategy.PrepareForCreate(serverContext, made)
	if len(pod.Strategy.Validate(serverContext, made)) > 0 {
		return nil
	}
	stored := &corev1.Pod{}
	must(corev1conversion.Convert_core_Pod_To_v1_Pod(made, stored, nil))
	return stored
}

// decoded is an object of any kind, with the server's defaults.
func decoded(object fields) runtime.Object {
	body, err := json.Marshal(object)
	must(err)
	made, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", body, err))
	}
	legacyscheme.Scheme.Default(made)
	return made
}
