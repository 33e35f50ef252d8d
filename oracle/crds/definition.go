package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// A definition is one served version of a CRD.
type definition struct {
	crds       string
	kind       schema.GroupVersionKind
	namespaced bool
	structural *structuralschema.Structural
	fields     apiextensionsv1.JSONSchemaProps
	validate   func(context.Context, runtime.Object) field.ErrorList
	update     func(ctx context.Context, object, old runtime.Object) field.ErrorList
}

// A fault is one error of the API server, without its words: those are upstream's.
type fault struct {
	Field string `json:"field"`
	Type  string `json:"type"`
}

// readDefinitions gives the served versions of every CRD in the folders of a folder, by folder name.
func readDefinitions(root string) []definition {
	files, err := filepath.Glob(filepath.Join(root, "*", "*.yaml"))
	must(err)
	slices.Sort(files)
	var definitions []definition
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
		for {
			document, err := documents.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			must(err)
			crd := &apiextensionsv1.CustomResourceDefinition{}
			must(yaml.Unmarshal(document, crd))
			if crd.Kind == "CustomResourceDefinition" {
				definitions = append(definitions, versionsOf(filepath.Base(filepath.Dir(file)), crd)...)
			}
		}
	}
	return definitions
}

func versionsOf(folder string, crd *apiextensionsv1.CustomResourceDefinition) []definition {
	var definitions []definition
	for _, version := range crd.Spec.Versions {
		if !version.Served || version.Schema == nil {
			continue
		}
		var props apiextensions.JSONSchemaProps
		must(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, &props, nil))
		structural, err := structuralschema.NewStructural(&props)
		must(err)
		validator, _, err := validation.NewSchemaValidator(&props)
		must(err)
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
		namespaced := crd.Spec.Scope == apiextensionsv1.NamespaceScoped
		strategy := customresource.NewStrategy(nil, namespaced, kind, validator, nil, structural, nil, nil, nil)
		definitions = append(definitions, definition{folder, kind, namespaced, structural, *version.Schema.OpenAPIV3Schema, strategy.Validate, strategy.ValidateUpdate})
	}
	return definitions
}

// faults creates the object, or updates the old one, as the API server does with fieldValidation=Strict, as far as its errors.
func (d definition) faults(object, old *unstructured.Unstructured) []fault {
	if d.namespaced && object.GetNamespace() == "" {
		object.SetNamespace("default") // as kubectl does
	}
	var faults []fault
	for _, path := range unknownFields(object, d.structural) {
		faults = append(faults, fault{path, "unknown field"})
	}
	d.fillIn(object)
	for _, err := range d.errors(object, old) {
		faults = append(faults, fault{err.Field, string(err.Type)})
	}
	slices.SortFunc(faults, func(a, b fault) int { return strings.Compare(a.Field+a.Type, b.Field+b.Type) })
	return slices.Compact(faults)
}

// fillIn gives an object the defaults of its schema.
func (d definition) fillIn(object *unstructured.Unstructured) {
	defaulting.PruneNonNullableNullsWithoutDefaults(object.Object, d.structural)
	defaulting.Default(object.Object, d.structural)
}

// errors are those of a new object, or of the update of an old one that is stored, whatever its schema says of it today.
func (d definition) errors(object, old *unstructured.Unstructured) field.ErrorList {
	if old == nil {
		return d.validate(context.Background(), object)
	}
	stored := old.DeepCopy()
	unknownFields(stored, d.structural)
	d.fillIn(stored)
	object.SetResourceVersion("1")
	stored.SetResourceVersion("1")
	return d.update(context.Background(), object, stored)
}

// unknownFields drops the fields that the schema, or ObjectMeta, does not know.
func unknownFields(object *unstructured.Unstructured, structural *structuralschema.Structural) []string {
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown := pruning.PruneWithOptions(object.Object, structural, true, options)
	text, err := yaml.Marshal(object.Object["metadata"])
	must(err)
	if err := yaml.UnmarshalStrict(text, &metav1.ObjectMeta{}); err != nil {
		unknown = append(unknown, "metadata")
	}
	return unknown
}

// fieldsAt names the fields at a path such as spec.helm, sorted.
func (d definition) fieldsAt(path string) []string {
	props := d.fields
	for _, name := range strings.Split(path, ".") {
		props = props.Properties[name]
		if props.Items != nil {
			props = *props.Items.Schema
		}
	}
	names := make([]string, 0, len(props.Properties))
	for name := range props.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
