//go:build !kubernetes1.30

package main

import recording "rolloutkit-oracle-recording"

var recordings = []recording.Maker{
	recording.Of("kubernetes-deployment-validation", aboutDeploymentValidation, deploymentValidationCases),
	recording.Of("kubernetes-statefulset-validation", aboutStatefulSetValidation, statefulSetValidationCases),
	recording.Of("kubernetes-deployment-waves", aboutDeploymentWaves, deploymentWaveCases),
	recording.Of("kubernetes-deployment-changes", aboutDeploymentChanges, deploymentChangeCases),
	recording.Of("kubernetes-statefulset-order", aboutStatefulSetOrder, statefulSetOrderCases),
	recording.Of("kubernetes-statefulset-changes", aboutStatefulSetChanges, statefulChangeCases),
	recording.Of("kubernetes-daemonset-validation", aboutDaemonSetValidation, daemonSetValidationCases),
	recording.Of("kubernetes-daemonset-nodes", aboutDaemonSetNodes, daemonSetNodeCases),
	recording.Of("kubernetes-daemonset-waves", aboutDaemonSetWaves, daemonSetWaveCases),
	recording.Of("kubernetes-daemonset-changes", aboutDaemonSetChanges, daemonSetChangeCases),
	recording.Of("kubernetes-endpoint-changes", aboutEndpointChanges, endpointChangeCases),
	recording.Of("kubernetes-quota-usage", aboutQuotaUsage, quotaUsageCases),
	recording.Of("kubernetes-limit-ranges", aboutLimitRanges, limitRangeCases),
	recording.Of("kubernetes-quota-rollouts", aboutQuotaRollouts, quotaRolloutCases),
	recording.Of("kubernetes-advised-strategies", aboutAdvisedStrategies, advisedStrategyCases),
	recording.Of("kubernetes-quota-scales", aboutQuotaScales, quotaScaleCases),
	recording.Of("kubernetes-placement", aboutPlacement, placementCases),
	recording.Of("kubernetes-disruption-budgets", aboutDisruptionBudgets, disruptionBudgetCases),
	recording.Of("kubernetes-rounding", aboutRounding, roundingCases),
	recording.Of("kubernetes-workload-validation", aboutWorkloadValidation, workloadValidationCases),
	recording.Of("kubernetes-object-validation", aboutObjectValidation, objectValidationCases),
	recording.Of("kubernetes-template-fields", aboutTemplateFields, templateFieldCases),
	recording.Of("kubectl-yaml", aboutYAML, yamlCases),
}
