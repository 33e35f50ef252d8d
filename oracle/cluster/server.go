// Package cluster runs a real API server over a real etcd, in this process and on the loopback address alone.
package cluster

import (
	"net"
	"net/url"
	"testing"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/rest"
	apiservertesting "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
)

// freeAddress lets several programs run side by side.
func freeAddress(t *testing.T) url.URL {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	return url.URL{Scheme: "http", Host: listener.Addr().String()}
}

func startEtcd(t *testing.T) string {
	config := embed.NewConfig()
	config.Dir = t.TempDir()
	config.LogLevel = "fatal"
	client, peer := freeAddress(t), freeAddress(t)
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	must(t, err)
	t.Cleanup(server.Close)
	<-server.Server.ReadyNotify()
	return client.String()
}

// StartServer stops server and etcd when the test ends. Flags are those of kube-apiserver, besides what a test needs.
func StartServer(t *testing.T, flags ...string) *rest.Config {
	storage := &storagebackend.Config{Prefix: "/registry", Transport: storagebackend.TransportConfig{ServerList: []string{startEtcd(t)}}}
	// Nobody makes service accounts here, nor namespaces.
	needed := []string{"--disable-admission-plugins=ServiceAccount,NamespaceLifecycle,PodSecurity", "--bind-address=127.0.0.1"}
	server := apiservertesting.StartTestServerOrDie(t, nil, append(needed, flags...), storage)
	t.Cleanup(server.TearDownFn)
	config := rest.CopyConfig(server.ClientConfig)
	config.QPS, config.Burst = 1000, 1000
	return config
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
