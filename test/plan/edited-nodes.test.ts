import { planManifests } from '../../src/headless';
import { sound } from '../sound-workload';

/** A Node as in `kubectl get nodes -o json`, whose fields a program edits. */
function editableNode() {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', labels: { disk: 'hdd' } as Record<string, string> },
    spec: { taints: [] as object[] },
    status: { allocatable: { cpu: 4 } },
  };
}

/** One pod that requires a flash disk and one CPU, with no surge. */
function editableDeployment() {
  const container = { name: 'db', image: 'db:2', resources: { requests: { cpu: 1 } } };
  const podSpec = { nodeSelector: { disk: 'ssd' }, containers: [container] };
  const strategy = { type: 'Recreate' };
  const metadata = { name: 'db', namespace: 'shop' };
  const spec = { replicas: 1, strategy, template: { metadata: { labels: { app: 'db' } }, spec: podSpec } };
  return { container, podSpec, object: sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec }) };
}

test('a Node and a pod that are edited in place between two plans are planned with their new values', () => {
  const node = editableNode();
  const { object, podSpec, container } = editableDeployment();
  const capacity = { apiVersion: 'v1', kind: 'List', items: [node] };
  const lacking = () => planManifests([object], { capacity }).rollouts[0]!.capacity?.shortage?.kind ?? 'nothing';
  expect(lacking()).toBe('labels');
  node.metadata.labels.disk = 'ssd';
  expect(lacking()).toBe('nothing');
  node.spec.taints.push({ key: 'gpu', effect: 'NoSchedule' });
  expect(lacking()).toBe('taints');
  node.spec.taints.pop();
  node.status.allocatable.cpu = 0.5;
  expect(lacking()).toBe('one-node');
  container.resources.requests.cpu = 0.25;
  expect(lacking()).toBe('nothing');
  podSpec.nodeSelector.disk = 'nvme';
  expect(lacking()).toBe('labels');
});
