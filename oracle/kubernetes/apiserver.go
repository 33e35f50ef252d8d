package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
)

// fields is a map as JSON has it.
type fields = map[string]any

// A verdict is what the API server makes of an object that is created.
type verdict struct {
	Spec fields `json:"spec"`
	// Undecodable says why the body is no object of this kind at all.
	Undecodable string `json:"undecodable,omitempty"`
	// Unknown is what fieldValidation=Strict says, kubectl's default.
	Unknown []string `json:"unknown,omitempty"`
	// Errors are the rules broken, in the server's order.
	Errors []fieldError `json:"errors,omitempty"`
	// Stored is the part of the spec under test as the server would keep it.
	Stored fields `json:"stored"`
}

type fieldError struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// withTemplate adds a selector and a template, the least that the server takes.
func withTemplate(spec fields) fields {
	whole := fields{
		"selector": fields{"matchLabels": fields{"app": "web"}},
		"template": fields{
			"metadata": fields{"labels": fields{"app": "web"}},
			"spec":     fields{"containers": []any{fields{"name": "web", "image": "web:1"}}},
		},
	}
	for name, value := range spec {
		whole[name] = value
	}
	return whole
}

// create sends an object down the server's own way: decode, default, convert, prepare, validate, and back to apps/v1.
// kept picks from the stored spec what is recorded.
func create(kind string, spec fields, strategy rest.RESTCreateStrategy, kept func(runtime.Object) fields) verdict {
	body, err := json.Marshal(fields{
		"apiVersion": "apps/v1", "kind": kind,
		"metadata": fields{"name": "web", "namespace": "default"},
		"spec":     withTemplate(spec),
	})
	if err != nil {
		panic(err)
	}
	result := verdict{Spec: spec}
	group := schema.GroupVersion{Group: "apps", Version: runtime.APIVersionInternal}
	lenient := legacyscheme.Codecs.CodecForVersions(nil, legacyscheme.Codecs.UniversalDeserializer(), nil, group)
	decoded, _, err := lenient.Decode(body, nil, nil)
	if err != nil {
		result.Undecodable = err.Error()
		return result
	}
	result.Unknown = strictErrors(body)

	ctx := context.Background()
	strategy.PrepareForCreate(ctx, decoded)
	for _, e := range strategy.Validate(ctx, decoded) {
		result.Errors = append(result.Errors, fieldError{string(e.Type), e.Field, e.Detail})
	}
	if result.Errors != nil {
		return result
	}
	strategy.Canonicalize(decoded)
	stored, err := legacyscheme.Scheme.ConvertToVersion(decoded, appsv1.SchemeGroupVersion)
	if err != nil {
		panic(err)
	}
	result.Stored = kept(stored)
	return result
}

func strictErrors(body []byte) []string {
	strict := serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	_, _, err := strict.Decode(bytes.Clone(body), nil, nil)
	if err == nil {
		return nil
	}
	reasons, isStrict := runtime.AsStrictDecodingError(err)
	if !isStrict {
		panic(fmt.Sprintf("not a strict error: %v", err))
	}
	var texts []string
	for _, reason := range reasons.Errors() {
		texts = append(texts, reason.Error())
	}
	return texts
}

// withStored leaves of what is stored the strategy and the fields that were sent.
func (v verdict) withStored(sent fields, strategy string) verdict {
	if v.Stored == nil {
		return v
	}
	left := fields{strategy: v.Stored[strategy]}
	for name := range sent {
		if value, known := v.Stored[name]; known {
			left[name] = value
		}
	}
	v.Stored = left
	return v
}

// unique drops specs that were made twice.
func unique(specs []fields) []fields {
	seen := map[string]bool{}
	var once []fields
	for _, spec := range specs {
		text, err := json.Marshal(spec)
		if err != nil {
			panic(err)
		}
		if !seen[string(text)] {
			seen[string(text)] = true
			once = append(once, spec)
		}
	}
	return once
}
