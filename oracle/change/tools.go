package change

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"

	"helm.sh/helm/v3/pkg/kube"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/openapi3"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kubectl/pkg/cmd/apply"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/validation"
)

// object is a manifest as JSON has it.
type object = map[string]any

// An applier writes one object as a tool does. old is what it wrote before, nil for its first write.
type applier func(old, next object) error

// tools are kubectl and helm as they run against the server, and what it last refused.
type tools struct {
	config    *rest.Config
	discovery discovery.CachedDiscoveryInterface
	mapper    meta.RESTMapper
	refused   *refusedWrites
	helm      *kube.Client
	schemas   *readSchemas
	// appliers are the other tools, by their mode.
	appliers map[string]applier
}

// readSchemas keeps the schemas of each group that were read.
type readSchemas struct {
	openapi3.Root
	groups map[schema.GroupVersion]*spec3.OpenAPI
}

func (s *readSchemas) GVSpec(group schema.GroupVersion) (*spec3.OpenAPI, error) {
	if known, has := s.groups[group]; has {
		return known, nil
	}
	read, err := s.Root.GVSpec(group)
	if err == nil {
		s.groups[group] = read
	}
	return read, err
}

// refusedWrites notes the server's words for the last write that it refused.
type refusedWrites struct {
	inner http.RoundTripper
	last  *metav1.Status
}

func (r *refusedWrites) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.inner.RoundTrip(request)
	if err != nil || request.Method == http.MethodGet || response.StatusCode < 400 {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	status := &metav1.Status{}
	if json.Unmarshal(body, status) == nil {
		r.last = status
	}
	return response, nil
}

func newTools(config *rest.Config) (*tools, error) {
	u := &tools{refused: &refusedWrites{}}
	u.config = rest.CopyConfig(config)
	u.config.ContentType, u.config.AcceptContentTypes = "application/json", "application/json"
	u.config.Wrap(func(inner http.RoundTripper) http.RoundTripper {
		return &tap{inner, u.refused}
	})
	found, err := discovery.NewDiscoveryClientForConfig(u.config)
	if err != nil {
		return nil, err
	}
	u.discovery = memory.NewMemCacheClient(found)
	u.mapper = restmapper.NewDeferredDiscoveryRESTMapper(u.discovery)
	u.schemas = &readSchemas{openapi3.NewRoot(u.discovery.OpenAPIV3()), map[schema.GroupVersion]*spec3.OpenAPI{}}
	u.helm = kube.New(u)
	u.helm.Log = func(string, ...interface{}) {}
	kube.ManagedFieldsManager = "helm"
	return u, nil
}

// tap sends what each of several transports is refused to one place.
type tap struct {
	inner http.RoundTripper
	to    *refusedWrites
}

func (t *tap) RoundTrip(request *http.Request) (*http.Response, error) {
	one := &refusedWrites{inner: t.inner}
	response, err := one.RoundTrip(request)
	if one.last != nil {
		t.to.last = one.last
	}
	return response, err
}

func (u *tools) ToRESTConfig() (*rest.Config, error) { return rest.CopyConfig(u.config), nil }
func (u *tools) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) {
	return u.discovery, nil
}
func (u *tools) ToRESTMapper() (meta.RESTMapper, error) { return u.mapper, nil }
func (u *tools) ToRawKubeConfigLoader() clientcmd.ClientConfig {
	// Only its namespace is asked for; without a cluster it is no configuration at all.
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: u.config.Host}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test"}
	config.CurrentContext = "test"
	return clientcmd.NewDefaultClientConfig(*config, &clientcmd.ConfigOverrides{})
}

func (u *tools) helper(o object) (*resource.Helper, *unstructured.Unstructured, error) {
	made := &unstructured.Unstructured{Object: o}
	kind := made.GroupVersionKind()
	mapping, err := u.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, nil, err
	}
	config := rest.CopyConfig(u.config)
	group := kind.GroupVersion()
	config.GroupVersion, config.APIPath = &group, "/apis"
	if group.Group == "" {
		config.APIPath = "/api"
	}
	config.NegotiatedSerializer = resource.UnstructuredPlusDefaultContentConfig().NegotiatedSerializer
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return nil, nil, err
	}
	return resource.NewHelper(client, mapping), made, nil
}

// write brings an object to the server the way that mode names. old is what a former write of the same way had sent; nil for the first.
func (u *tools) write(mode string, old, next object) error {
	u.refused.last = nil
	if apply, has := u.appliers[mode]; has {
		return apply(old, next)
	}
	if old == nil && mode != "client" && mode != "server" && mode != "helm" {
		mode = "create"
	}
	switch mode {
	case "client", "server":
		return u.kubectlApply(mode == "server", next)
	case "helm":
		return u.helmUpgrade(old, next)
	}
	helper, made, err := u.helper(next)
	if err != nil {
		return err
	}
	helper = helper.WithFieldValidation(metav1.FieldValidationStrict)
	if mode == "create" {
		_, err = helper.WithFieldManager("kubectl-create").Create(made.GetNamespace(), true, made)
	} else {
		_, err = helper.WithFieldManager("kubectl-replace").Replace(made.GetNamespace(), made.GetName(), true, made)
	}
	return err
}

func (u *tools) kubectlApply(server bool, next object) error {
	text, err := json.Marshal(next)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "next-*.json")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(text); err != nil {
		return err
	}
	file.Close()
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard}
	factory := cmdutil.NewFactory(u)
	flags := apply.NewApplyFlags(streams)
	command := apply.NewCmdApply("kubectl", factory, streams)
	// The command's own flags are out of reach, so those of a second one are set.
	command.ResetFlags()
	flags.AddFlags(command)
	for name, value := range map[string]string{"filename": file.Name(), "server-side": boolText(server)} {
		if err := command.Flags().Set(name, value); err != nil {
			return err
		}
	}
	options, err := flags.ToOptions(factory, command, "kubectl", nil)
	if err != nil {
		return err
	}
	// The server validates strictly, as it does for kubectl; asking it each time whether it can, and reading its schemas anew, takes most of an apply.
	options.Validator = validation.NullSchema{}
	options.OpenAPIV3Root = u.schemas
	if err := options.Validate(); err != nil {
		return err
	}
	return options.Run()
}

func boolText(value bool) string {
	if value {
		return "true"
	}
	return "false"
}

func (u *tools) helmUpgrade(old, next object) error {
	target, err := u.helmList(next)
	if err != nil {
		return err
	}
	if old == nil {
		_, err = u.helm.Create(target)
		return err
	}
	original, err := u.helmList(old)
	if err != nil {
		return err
	}
	_, err = u.helm.Update(original, target, false)
	return err
}

func (u *tools) helmList(o object) (kube.ResourceList, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	u.helm.Namespace = o["metadata"].(object)["namespace"].(string)
	return u.helm.Build(bytes.NewReader(text), false)
}

// A touch is what somebody else does to the live object.
type touch struct {
	// Manager is the field manager.
	Manager string `json:"manager"`
	// Sub is the subresource written.
	Sub string `json:"sub,omitempty"`
	// Patch is a strategic merge patch; of status and scale a merge patch.
	Patch object `json:"patch"`
}

func (u *tools) touch(o object, t touch) error {
	helper, made, err := u.helper(o)
	if err != nil {
		return err
	}
	text, err := json.Marshal(t.Patch)
	if err != nil {
		return err
	}
	kind := types.StrategicMergePatchType
	if t.Sub != "" {
		kind = types.MergePatchType
		helper = helper.WithSubresource(t.Sub)
	}
	_, err = helper.WithFieldManager(t.Manager).Patch(made.GetNamespace(), made.GetName(), kind, text, nil)
	return err
}

func (u *tools) get(o object) (*unstructured.Unstructured, error) {
	helper, made, err := u.helper(o)
	if err != nil {
		return nil, err
	}
	found, err := helper.Get(made.GetNamespace(), made.GetName())
	if err != nil {
		return nil, err
	}
	return found.(*unstructured.Unstructured), nil
}

func (u *tools) remove(o object) error {
	helper, made, err := u.helper(o)
	if err != nil {
		return err
	}
	background := metav1.DeletePropagationBackground
	none := int64(0)
	_, err = helper.DeleteWithOptions(made.GetNamespace(), made.GetName(), &metav1.DeleteOptions{PropagationPolicy: &background, GracePeriodSeconds: &none})
	return err
}

var background = context.Background()
