/**
 * Agents on every node: a policy with one limit for each DaemonSet, and the nodes for the plan.
 *
 * A policy can be applied to a cdk8s-plus DaemonSet, to a plain object, or to every DaemonSet with a label.
 */
import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { DaemonSetPolicy } from 'rolloutkit';

/** Adds a node for the plan. */
function node(chart: Chart, name: string, pool: string, taints: readonly object[] = []): void {
  new ApiObject(chart, name, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { pool } }, spec: { taints } });
}

/** Adds a DaemonSet as a plain object. */
function agent(chart: Chart, name: string, podSpec: object): ApiObject {
  const labels = { app: name };
  const containers = [{ name, image: `ops/${name}:2`, readinessProbe: { httpGet: { path: '/ready', port: 8080 } } }];
  return new ApiObject(chart, name, {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers, ...podSpec } } },
  });
}

const app = new App();

// Only for the plan, in a separate file: 11 nodes for any pod, and one with a taint.
const nodes = new Chart(app, 'nodes');
for (let number = 1; number <= 11; number++) node(nodes, `worker-${number}`, 'worker');
node(nodes, 'gpu-1', 'gpu', [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }]);

const chart = new Chart(app, 'agents', { namespace: 'ops', disableResourceNameHashes: true });

// Metrics, on 11 nodes: 10% of them is 1.1, so 2 nodes at a time have no available pod.
const metrics = new kplus.DaemonSet(chart, 'metrics', {
  containers: [{ image: 'ops/metrics:2', portNumber: 9100, readiness: kplus.Probe.fromHttpGet('/ready', { port: 9100 }) }],
});
DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(metrics);

// Logs, on all 12 nodes. No line may be lost, so the new pod starts first. The policy writes maxUnavailable: 0 in addition to maxSurge.
const logs = agent(chart, 'logs', { tolerations: [{ operator: 'Exists' }] });
DaemonSetPolicy.of({ maxSurge: '25%' }).applyTo(logs);

// A driver that is only updated when an operator drains the node and deletes the pod.
const driver = agent(chart, 'driver', { nodeSelector: { pool: 'gpu' }, tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] });
DaemonSetPolicy.of({ update: 'OnDelete', revisionHistory: 3 }).applyTo(driver);

app.synth();
