module rolloutkit-oracle-defaults

go 1.24.0

require (
	rolloutkit-oracle-recording v0.0.0
	sigs.k8s.io/yaml v1.6.0
)

replace rolloutkit-oracle-recording => ../recording
