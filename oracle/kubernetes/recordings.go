//go:build !kubernetes1.30

package main

var recordings = []recording{
	{"kubernetes-deployment-validation", aboutDeploymentValidation, deploymentValidationCases},
	{"kubernetes-statefulset-validation", aboutStatefulSetValidation, statefulSetValidationCases},
	{"kubernetes-deployment-waves", aboutDeploymentWaves, deploymentWaveCases},
	{"kubernetes-deployment-changes", aboutDeploymentChanges, deploymentChangeCases},
	{"kubernetes-statefulset-order", aboutStatefulSetOrder, statefulSetOrderCases},
	{"kubernetes-statefulset-changes", aboutStatefulSetChanges, statefulChangeCases},
	{"kubernetes-daemonset-validation", aboutDaemonSetValidation, daemonSetValidationCases},
	{"kubernetes-daemonset-nodes", aboutDaemonSetNodes, daemonSetNodeCases},
	{"kubernetes-daemonset-waves", aboutDaemonSetWaves, daemonSetWaveCases},
	{"kubernetes-daemonset-changes", aboutDaemonSetChanges, daemonSetChangeCases},
	{"kubernetes-quota-usage", aboutQuotaUsage, quotaUsageCases},
	{"kubernetes-quota-rollouts", aboutQuotaRollouts, quotaRolloutCases},
	{"kubernetes-placement", aboutPlacement, placementCases},
	{"kubernetes-disruption-budgets", aboutDisruptionBudgets, disruptionBudgetCases},
	{"kubernetes-rounding", aboutRounding, roundingCases},
	{"kubernetes-workload-validation", aboutWorkloadValidation, workloadValidationCases},
	{"kubectl-yaml", aboutYAML, yamlCases},
}
