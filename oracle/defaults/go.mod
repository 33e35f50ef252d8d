module rolloutkit-oracle-defaults

go 1.24.0

require (
	rolloutkit-oracle-recording v0.0.0
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect

replace rolloutkit-oracle-recording => ../recording
