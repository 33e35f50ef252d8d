import { planChange } from '../../../src/headless';
import { pruneObject } from '../../../src/live/prune-object';
import type { Manifest } from '../../../src/core/manifest/manifest';

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a', labels: { 'kubernetes.io/hostname': 'a' } },
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
};

const named = (name: string) => ({ name, namespace: 'shop' });

interface Amounts {
  readonly requested: string;
  readonly allocated: string;
  readonly actual: string;
  readonly conditions?: readonly object[];
}

/** Builds a pod of another owner whose CPU changes. */
function resizedPod({ requested, allocated, actual, conditions = [] }: Amounts): Manifest {
  const resources = { requests: { cpu: requested } };
  const statuses = [{ name: 'db', restartCount: 0, allocatedResources: { cpu: allocated }, resources: { requests: { cpu: actual } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...named('db-0'), ownerReferences: [{ apiVersion: 'v1', kind: 'Db', name: 'db', uid: 'db', controller: true }] },
    spec: { nodeName: 'a', containers: [{ name: 'db', image: 'db:1', resources }] },
    status: { phase: 'Running', containerStatuses: statuses, conditions },
  };
}

function deployment(image: string): Manifest {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named('web'),
    spec: {
      replicas: 1,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image, resources: { requests: { cpu: '1' } } }] } },
    },
  };
}

function groups(image: string): Manifest {
  const { template } = deployment(image).spec as { readonly template: object };
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: named('web'),
    spec: { replicas: 1, leaderWorkerTemplate: { size: 1, workerTemplate: template } },
  };
}

const verdictNextTo = (amounts: Amounts) => {
  const pod = resizedPod(amounts);
  const [live, ofSnapshot] = [pod, pruneObject(pod)].map(
    (each) => planChange([deployment('web:1'), each, NODE], [deployment('web:2')]).rollouts[0]!.capacity!.message,
  );
  expect(ofSnapshot).toBe(live);
  return live;
};

// Source: k/k staging/src/k8s.io/component-helpers/resource/helpers.go, `PodRequests`, with UseStatusResources.
describe('a pod that is being resized in place', () => {
  test('uses the most of what it requests, what its node reserves and what its runtime has', () => {
    expect([
      verdictNextTo({ requested: '1', allocated: '1', actual: '1' }),
      verdictNextTo({ requested: '3', allocated: '1', actual: '1' }),
      verdictNextTo({ requested: '1', allocated: '3', actual: '1' }),
      verdictNextTo({ requested: '1', allocated: '1', actual: '3' }),
    ]).toMatchInlineSnapshot(`
[
  "Fits: there is capacity for its peak of 2 pods.",
  "Fits only with 1 more node in pool "a". Without it the rollout deadlocks at wave 1: a pod needs 1 cpu, and no node has more than 0 left. The nodes also run pods that are not planned: 1 pod of Db shop/db.",
  "May not fit: this depends on pods that are being resized.",
  "May not fit: this depends on pods that are being resized.",
]
`);
  });

  test('uses what its node reserves if the node can never have what it requests', () => {
    const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
    expect(verdictNextTo({ requested: '30', allocated: '1', actual: '1', conditions })).toBe(
      'Fits: there is capacity for its peak of 2 pods.',
    );
  });

  test('leaves open whether added pods and groups fit that lack what its node still reserves', () => {
    const pod = resizedPod({ requested: '1', allocated: '4', actual: '1' });
    expect([
      planChange([pod, NODE], [deployment('web:1')]).rollouts[0]!.capacity!.message,
      planChange([groups('web:1'), pod, NODE], [groups('web:2')]).rollouts[0]!.capacity!.message,
    ]).toMatchInlineSnapshot(`
[
  "May not fit: this depends on pods that are being resized.",
  "May not fit: this depends on pods that are being resized.",
]
`);
  });
});
