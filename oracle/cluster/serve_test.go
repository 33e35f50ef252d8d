package cluster

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"
)

// TestServe runs a server with the scheduler, the controllers that decide about rollouts, and a kubelet that we play, until the file STOP
// exists. It writes a kubeconfig to KUBECONFIG_OUT, for kubectl and rolloutkit. See kubelet_test.go for what pods and nodes do.
func TestServe(t *testing.T) {
	out, stop := os.Getenv("KUBECONFIG_OUT"), os.Getenv("STOP")
	if out == "" || stop == "" {
		t.Skip("KUBECONFIG_OUT or STOP names no file")
	}
	// The server of tests logs every request.
	var quietLevel klog.Level
	must(t, quietLevel.Set("0"))
	config := StartServer(t, "--disable-admission-plugins=TaintNodesByCondition")
	client := kubernetes.NewForConfigOrDie(config)
	startControllers(t, client)
	startOtherControllers(t, config, client)
	startScheduler(t, config, client)
	go playKubelet(t, client)
	must(t, writeKubeconfig(config, out))
	for {
		if _, err := os.Stat(stop); err == nil {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func writeKubeconfig(config *rest.Config, path string) error {
	kubeconfig := clientcmdapi.NewConfig()
	kubeconfig.Clusters["played"] = &clientcmdapi.Cluster{Server: config.Host, InsecureSkipTLSVerify: true}
	kubeconfig.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	kubeconfig.Contexts["played"] = &clientcmdapi.Context{Cluster: "played", AuthInfo: "admin", Namespace: "default"}
	kubeconfig.CurrentContext = "played"
	if text, err := json.Marshal(config.TLSClientConfig.CertData); err == nil && len(text) > 4 {
		kubeconfig.AuthInfos["admin"].ClientCertificateData = config.TLSClientConfig.CertData
		kubeconfig.AuthInfos["admin"].ClientKeyData = config.TLSClientConfig.KeyData
	}
	return clientcmd.WriteToFile(*kubeconfig, path)
}
