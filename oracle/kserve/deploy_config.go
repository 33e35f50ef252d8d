package main

import (
	"fmt"

	"github.com/kserve/kserve/pkg/apis/serving/v1beta1"
	corev1 "k8s.io/api/core/v1"
)

const aboutDeployConfig = "KServe's NewDeployConfig on texts of the ConfigMap's `deploy` key: `parsed`, or `error`."

type configCase struct {
	Text   string                `json:"text"`
	Parsed *v1beta1.DeployConfig `json:"parsed,omitempty"`
	Error  string                `json:"error,omitempty"`
}

// parseConfig gives a panic of the parser as an error.
func parseConfig(text string) (config *v1beta1.DeployConfig, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			config, err = nil, fmt.Errorf("panic: %v", reason)
		}
	}()
	return v1beta1.NewDeployConfig(&corev1.ConfigMap{Data: map[string]string{"deploy": text}})
}

func deployConfigCases() []any {
	var cases []any
	for _, text := range deployConfigTexts {
		parsed, err := parseConfig(text)
		c := configCase{Text: text, Parsed: parsed}
		if err != nil {
			c.Error = err.Error()
		}
		cases = append(cases, c)
	}
	return cases
}

func withRollout(rollout string) string {
	return `{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": ` + rollout + `}}`
}

var deployConfigTexts = []string{
	// sound
	`{"defaultDeploymentMode": "Standard"}`, `{"defaultDeploymentMode": "Knative"}`, `{"defaultDeploymentMode": "ModelMesh"}`, `{"defaultDeploymentMode": "RawDeployment"}`, `{"defaultDeploymentMode": "Serverless"}`,
	withRollout(`{"maxSurge": "25%", "maxUnavailable": "0%"}`), withRollout(`{"maxSurge": "1", "maxUnavailable": "0"}`), withRollout(`{"maxSurge": "25%"}`), withRollout(`{"mode": "Availability"}`), withRollout(`{}`), withRollout(`null`),
	withRollout(`{"maxSurge": null, "maxUnavailable": "1%"}`), withRollout(`{"maxSurge": "", "maxUnavailable": ""}`), " \t\r\n" + `{"defaultDeploymentMode": "Standard"}` + "\n ",
	// no mode, or none that KServe knows
	`{}`, `null`, `{"defaultDeploymentMode": null}`, `{"defaultDeploymentMode": ""}`, `{"defaultDeploymentMode": "standard"}`, `{"defaultDeploymentMode": "STANDARD"}`, `{"defaultDeploymentMode": " Standard"}`, `{"defaultDeploymentMode": "ModelMeshDeployment"}`, `{"deploymentRolloutStrategy": null}`,
	// wrong types
	withRollout(`{"maxSurge": 1, "maxUnavailable": "0%"}`), withRollout(`{"maxSurge": "1", "maxUnavailable": 0}`), withRollout(`{"maxSurge": 1, "maxUnavailable": 0}`), withRollout(`{"maxUnavailable": 0, "maxSurge": 1}`), withRollout(`{"maxSurge": 1.5}`), withRollout(`{"maxSurge": -1}`), withRollout(`{"maxSurge": 1e400}`),
	withRollout(`{"maxSurge": true}`), withRollout(`{"maxSurge": false}`), withRollout(`{"maxSurge": {}}`), withRollout(`{"maxSurge": {"a": 1}}`), withRollout(`{"maxSurge": []}`), withRollout(`{"maxSurge": ["1"]}`), withRollout(`[]`), withRollout(`"25%"`), withRollout(`5`), withRollout(`true`),
	`{"deploymentRolloutStrategy": []}`, `{"deploymentRolloutStrategy": "x"}`, `{"deploymentRolloutStrategy": 1}`, `{"defaultDeploymentMode": 1}`, `{"defaultDeploymentMode": {}}`, `{"defaultDeploymentMode": ["Standard"]}`, `{"defaultDeploymentMode": true}`, `{"defaultDeploymentMode": 1, "deploymentRolloutStrategy": 2}`,
	`[]`, `"Standard"`, `5`, `true`, `[{}]`,
	// keys in any case; of two the last counts
	`{"DefaultDeploymentMode": "Standard"}`, `{"DEFAULTDEPLOYMENTMODE": "Standard"}`, `{"defaultdeploymentmode": "Standard"}`, `{"default_deployment_mode": "Standard"}`, `{"defaultDeploymentMode": "Standard", "DEFAULTDEPLOYMENTMODE": "Knative"}`, `{"DEFAULTDEPLOYMENTMODE": "Knative", "defaultDeploymentMode": "Standard"}`,
	`{"defaultDeploymentMode": "Standard", "defaultDeploymentMode": "Knative"}`, `{"defaultDeploymentMode": "Standard", "defaultDeploymentMode": null}`, `{"defaultDeploymentMode": 1, "defaultDeploymentMode": "Knative"}`,
	withRollout(`{"MAXSURGE": "1%", "MaxUnavailable": "2%"}`), withRollout(`{"max_surge": "1%"}`), withRollout(`{"maxſurge": "1%"}`), withRollout(`{"maxSurge": "1%", "maxSurge": "2%"}`), withRollout(`{"maxSurge": "1%", "maxsurge": 2}`),
	`{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "1%"}}, "deploymentRolloutStrategy": {"defaultRollout": {"maxUnavailable": "2%"}}}`,
	`{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "1%"}}, "DeploymentRolloutStrategy": null}`, `{"default\u0044eploymentMode": "Standard"}`, `{"defaultDeploymentMode": "Standard", "a": "\ud800"}`, `{"defaultDeploymentMode": "Standard", "a": "` + "\x7f" + `"}`,
	// not JSON
	``, ` `, `{`, `}`, `{"a"`, `{"a":`, `{"a": 1`, `{"a": 1,}`, `{,}`, `{a: 1}`, `{'a': 1}`, `{"a": 'x'}`, `{"a": 1} x`, `{"a": 1}{}`, `{"a": 01}`, `{"a": +1}`, `{"a": .5}`, `{"a": 1.}`, `{"a": 1e}`, `{"a": -}`, `{"a": NaN}`, `{"a": nul}`, `{"a": tru}`, `{"a": True}`, `[1,]`, `[1`, `[1 2]`, `{"a" 1}`, `{"a": "x`, `"`,
	"{\"a\": \"x\ny\"}", "{\"a\": \"\t\"}", `{"a": "\x"}`, `{"a": "\u12"}`, `{"a": "\u12G4"}`, "{\n  # comment\n  \"a\": 1\n}", "// c\n{}", "{\"a\": /* c */ 1}", "defaultDeploymentMode: Standard\n", "\ufeff{}", "{}\x00", "\u00a0{}", "é", "{\"a\": é}", `{1: 2}`, `{"a": 1;}`, "{\"a\": 1\x01}",
	`{"defaultDeploymentMode": "Standard", "a": [1, {"b": }]}`, `{"defaultDeploymentMode": 1, "a": }`, `{"a": 1]`, `[1}`, `{"a": --1}`, `{"a": 1e+}`, `{"a": 1.5.2}`, `{"a": 0x1}`, `{"a": falsE}`, `nulll`, `null null`,
}
