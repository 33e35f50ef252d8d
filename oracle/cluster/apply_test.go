package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// TestApply creates every object of the folders in OBJECTS (a dry run, unknown fields refused), after the CRDs of the folders in CRDS.
// Folders are parted by commas.
func TestApply(t *testing.T) {
	if os.Getenv("OBJECTS") == "" {
		t.Skip("OBJECTS names no folder")
	}
	cluster := connect(t, StartServer(t))
	crds := objectsBelow(t, os.Getenv("CRDS"))
	for _, crd := range crds {
		must(t, cluster.create(crd, false))
	}
	cluster.waitFor(t, crds)

	accepted, unknown := map[string]int{}, map[string]int{}
	for _, object := range objectsBelow(t, os.Getenv("OBJECTS")) {
		err := cluster.create(object, true)
		if meta.IsNoMatchError(err) {
			unknown[object.GetKind()]++
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", object.GetKind(), object.GetName(), err)
			continue
		}
		accepted[object.GetKind()]++
	}
	t.Log("accepted:", accepted)
	if len(unknown) > 0 {
		t.Log("not judged, since their CRDs were not brought:", unknown)
	}
}

type cluster struct {
	client dynamic.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper
}

func connect(t *testing.T, config *rest.Config) cluster {
	client, err := dynamic.NewForConfig(config)
	must(t, err)
	found, err := discovery.NewDiscoveryClientForConfig(config)
	must(t, err)
	return cluster{client, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))}
}

func (c cluster) create(object *unstructured.Unstructured, dryRun bool) error {
	kind := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return err
	}
	options := metav1.CreateOptions{FieldValidation: "Strict"}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	var resource dynamic.ResourceInterface = c.client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		namespace := object.GetNamespace()
		if namespace == "" {
			namespace = metav1.NamespaceDefault
		}
		if err := c.createNamespace(namespace); err != nil {
			return err
		}
		resource = c.client.Resource(mapping.Resource).Namespace(namespace)
	}
	_, err = resource.Create(context.Background(), object, options)
	return err
}

func (c cluster) createNamespace(name string) error {
	namespace := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
	_, err := c.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(context.Background(), namespace, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// waitFor returns once the server serves the kinds of the CRDs.
func (c cluster) waitFor(t *testing.T, crds []*unstructured.Unstructured) {
	for range 60 {
		c.mapper.Reset()
		missing := 0
		for _, crd := range crds {
			group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
			kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
			if _, err := c.mapper.RESTMapping(schema.GroupKind{Group: group, Kind: kind}); err != nil {
				missing++
			}
		}
		if missing == 0 {
			return
		}
		time.Sleep(2 * time.Second)
	}
	t.Fatal("the server does not serve all CRDs")
}

func objectsBelow(t *testing.T, folders string) []*unstructured.Unstructured {
	var objects []*unstructured.Unstructured
	for _, folder := range strings.FieldsFunc(folders, func(r rune) bool { return r == ',' }) {
		must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			found, err := readObjects(path)
			objects = append(objects, found...)
			return err
		}))
	}
	return objects
}

func readObjects(path string) ([]*unstructured.Unstructured, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var objects []*unstructured.Unstructured
	decoder := utilyaml.NewYAMLOrJSONDecoder(bufio.NewReader(file), 4096)
	for {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		if !isObject(raw) {
			continue
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(raw); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
}

// isObject tells what somebody else reads apart from objects: a fleet.yaml, values of a chart, which name neither a version nor a kind.
func isObject(raw json.RawMessage) bool {
	var typeMeta metav1.TypeMeta
	return json.Unmarshal(raw, &typeMeta) != nil || typeMeta.APIVersion != "" || typeMeta.Kind != ""
}
