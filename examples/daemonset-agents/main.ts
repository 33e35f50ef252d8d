/**
 * Agents on every node: one of the two limits for each DaemonSet, and the nodes that the plan counts.
 *
 * A policy goes onto a cdk8s-plus DaemonSet, onto a plain object of your own, or onto every DaemonSet with a label.
 */
import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { DaemonSetPolicy } from 'rolloutkit';

/** A node as the plan reads it. */
function node(chart: Chart, name: string, pool: string, taints: readonly object[] = []): void {
  new ApiObject(chart, name, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { pool } }, spec: { taints } });
}

/** A DaemonSet as a plain object. */
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

// For the plan alone, in a file of its own: 11 nodes for any pod, and one whose taint keeps pods off.
const nodes = new Chart(app, 'nodes');
for (let number = 1; number <= 11; number++) node(nodes, `worker-${number}`, 'worker');
node(nodes, 'gpu-1', 'gpu', [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }]);

const chart = new Chart(app, 'agents', { namespace: 'ops', disableResourceNameHashes: true });

// Metrics, on 11 nodes: 10% of them is 1.1, so 2 nodes at a time go without.
const metrics = new kplus.DaemonSet(chart, 'metrics', {
  containers: [{ image: 'ops/metrics:2', portNumber: 9100, readiness: kplus.Probe.fromHttpGet('/ready', { port: 9100 }) }],
});
DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(metrics);

// Logs, on all 12, of which none may lose a line: the new pod comes first. The policy writes maxUnavailable: 0 beside maxSurge.
const logs = agent(chart, 'logs', { tolerations: [{ operator: 'Exists' }] });
DaemonSetPolicy.of({ maxSurge: '25%' }).applyTo(logs);

// A driver that changes only when someone has drained the node and deletes the pod.
const driver = agent(chart, 'driver', { nodeSelector: { pool: 'gpu' }, tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] });
DaemonSetPolicy.of({ update: 'OnDelete', revisionHistory: 3 }).applyTo(driver);

app.synth();
