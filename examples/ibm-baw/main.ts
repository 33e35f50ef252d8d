/**
 * IBM Business Automation Workflow with the strategy of IBM's page, and with one that really takes the steps which the page walks through.
 *
 * The plan shows the waves of the Deployment that the operator makes of each.
 */
import { App, Chart } from 'cdk8s';
import { OperatorRollingUpdate, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'workflow', { namespace: 'workflow' });

// The page's walk-through: 5 replicas, one pod more, 25 % (one pod) fewer. The cluster deletes an old pod before the new one is ready.
new OperatorRollingUpdate(chart, 'baw', {
  resource: { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: { appVersion: '25.0.1' } },
  replicas: 5,
  strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' },
});

// One at a time and never fewer than 5, as the page describes it.
new OperatorRollingUpdate(chart, 'baw-one-by-one', {
  resource: { spec: { appVersion: '25.0.1' } },
  replicas: 5,
  strategy: Rollout.availability(1),
});

// An operator that reads the strategy elsewhere in its resource.
new OperatorRollingUpdate(chart, 'runtime', {
  resource: { kind: 'WorkflowRuntime', spec: { runtime_configuration: {} } },
  mountPath: 'spec.runtime_configuration.strategy',
  replicas: 2,
  strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '99%' },
});

app.synth();
