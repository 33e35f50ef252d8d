/**
 * IBM Business Automation Workflow with the strategy of IBM's page, and with one that takes the steps that the page describes.
 *
 * The plan shows the waves of the Deployment that the operator creates from each.
 */
import { App, Chart } from 'cdk8s';
import { OperatorRollingUpdate, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'workflow', { namespace: 'workflow' });

// The page's example: 5 replicas, one extra pod, 25% (one pod) unavailable. The controller deletes an old pod before the new one is ready.
new OperatorRollingUpdate(chart, 'baw', {
  resource: { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: { appVersion: '25.0.1' } },
  replicas: 5,
  strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' },
});

// One at a time and always at least 5 available, as the page describes it.
new OperatorRollingUpdate(chart, 'baw-one-by-one', {
  resource: { spec: { appVersion: '25.0.1' } },
  replicas: 5,
  strategy: Rollout.availability(1),
});

// An operator that reads the strategy at another path of its resource.
new OperatorRollingUpdate(chart, 'runtime', {
  resource: { kind: 'WorkflowRuntime', spec: { runtime_configuration: {} } },
  mountPath: 'spec.runtime_configuration.strategy',
  replicas: 2,
  strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '99%' },
});

app.synth();
