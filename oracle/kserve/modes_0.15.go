//go:build kserve0.15

package main

import "strings"

// spelled has the names that modes had up to 0.15.
func spelled(text []byte) []byte {
	quoted := strings.NewReplacer(`"Standard"`, `"RawDeployment"`, `"Knative"`, `"Serverless"`, `"Standard\"`, `"RawDeployment\"`, `"Knative\"`, `"Serverless\"`)
	return []byte(quoted.Replace(string(text)))
}

func modeOf(mode string) string {
	return strings.NewReplacer("RawDeployment", "Standard", "Serverless", "Knative").Replace(mode)
}
