package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// What the API server does to a Deployment beyond keeping it: defaults, validation, the generation.

func isDryRun(options []client.UpdateOption) bool {
	return len((&client.UpdateOptions{}).ApplyOptions(options).DryRun) > 0
}

func liveDeployment(ctx context.Context, inner client.Client, name client.Object) (*appsv1.Deployment, error) {
	live := &appsv1.Deployment{}
	err := inner.Get(ctx, client.ObjectKeyFromObject(name), live)
	return live, err
}

// asServer has the fake client treat Deployments as the server does.
var asServer = interceptor.Funcs{
	Create: func(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.CreateOption) error {
		deployment, is := object.(*appsv1.Deployment)
		if !is {
			return inner.Create(ctx, object, options...)
		}
		kept, err := admitted(deployment, nil)
		if err != nil {
			return err
		}
		kept.UID = types.UID(kept.Name)
		kept.Generation = 1
		kept.DeepCopyInto(deployment)
		return inner.Create(ctx, deployment)
	},
	Update: func(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.UpdateOption) error {
		deployment, is := object.(*appsv1.Deployment)
		if !is || !isDryRun(options) {
			return inner.Update(ctx, object, options...)
		}
		live, err := liveDeployment(ctx, inner, deployment)
		if err != nil {
			return err
		}
		put := deployment.DeepCopy()
		put.UID, put.ResourceVersion, put.CreationTimestamp, put.Generation = live.UID, live.ResourceVersion, live.CreationTimestamp, live.Generation
		kept, err := admitted(put, live)
		if err != nil {
			return err
		}
		kept.DeepCopyInto(deployment)
		return nil
	},
	Patch: func(ctx context.Context, inner client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
		deployment, is := object.(*appsv1.Deployment)
		if !is {
			return inner.Patch(ctx, object, patch, options...)
		}
		if patch.Type() != types.StrategicMergePatchType {
			return errors.New("KServe patches Deployments otherwise")
		}
		live, err := liveDeployment(ctx, inner, deployment)
		if err != nil {
			return err
		}
		text, err := json.Marshal(live)
		must(err)
		change, err := patch.Data(object)
		must(err)
		merged, err := strategicpatch.StrategicMergePatch(text, change, appsv1.Deployment{})
		must(err)
		next := &appsv1.Deployment{}
		must(json.Unmarshal(merged, next))
		kept, err := admitted(next, live)
		if err != nil {
			return err
		}
		kept.DeepCopyInto(deployment)
		return inner.Update(ctx, deployment)
	},
}

// discovery is what KServe asks for the kinds that are there: Knative's and KEDA's.
func discovery() *rest.Config {
	kinds := map[string]string{"serving.knative.dev/v1": "Service", "keda.sh/v1alpha1": "ScaledObject"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		group := strings.TrimPrefix(r.URL.Path, "/apis/")
		kind, is := kinds[group]
		if !is {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		must(json.NewEncoder(w).Encode(metav1.APIResourceList{
			TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: group,
			APIResources: []metav1.APIResource{{Name: strings.ToLower(kind) + "s", Kind: kind, Namespaced: true}},
		}))
	}))
	return &rest.Config{Host: server.URL}
}
