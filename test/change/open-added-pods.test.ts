import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';
import { deployment, node, running } from '../builders/running-pods';

const priority = (name: string, value: number, more: object = {}) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  ...more,
});
const nodePool = (spec: object = {}) => ({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' }, spec });
const quota = (cpu: string) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'compute', namespace: 'shop' },
  spec: { hard: { 'requests.cpu': cpu } },
});

const NODES = [node('a', 4), node('b', 4)];
const FULL = [...running('batch', { cpu: 1, nodes: ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'] }), ...NODES];
const web = (replicas: number, podSpec: object = {}) => deployment('web', 'm:1', { cpu: 1, nodes: [], replicas, podSpec });

function added(old: readonly object[], next: object) {
  const { capacity, findings } = expectValidPlan(planChange(old, [next])).rollouts.find(({ resource }) => resource.name === 'web')!;
  return [capacity!.verdict, capacity!.message, ...findings.map(({ severity, code }) => `${severity} ${code}`)];
}

describe('pods that an apply adds to full nodes may still fit', () => {
  test('if pods of lower priority may be evicted for them', () => {
    const important = web(2, { priorityClassName: 'high' });
    expect(added([...FULL, priority('high', 100)], important)).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "May not fit: there is capacity for 0 of 2 pods now. This depends on whether pods of lower priority are evicted.",
  "warning kubernetes/insufficient-capacity",
]
`);
    // No class that never evicts, and no pods of the same priority.
    expect(added([...FULL, priority('high', 100, { preemptionPolicy: 'Never' })], important)[0]).toBe('deadlocks');
    expect(added(FULL, web(2))[0]).toBe('deadlocks');
  });

  test('if a NodePool makes nodes for them', () => {
    expect(added([...FULL, nodePool()], web(2))).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "May not fit: there is capacity for 0 of 2 pods now. This depends on whether NodePool "default" makes another node.",
  "info kubernetes/insufficient-capacity",
]
`);
    expect(added([...FULL, nodePool({ limits: { cpu: '0' } })], web(2))[0]).toBe('deadlocks');
  });

  test('once the pods that are being deleted are gone', () => {
    const leaving = FULL.map((object) => {
      const { kind, metadata } = object as { kind: string; metadata: object };
      return kind === 'Pod' ? { ...object, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } : object;
    });
    expect(added(leaving, web(2))).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "May not fit: there is capacity for 0 of 2 pods now. This depends on when the pods that are being deleted are gone.",
  "info kubernetes/insufficient-capacity",
]
`);
  });

  test('but not if a quota lacks capacity as well', () => {
    expect(added([...FULL, priority('high', 100), nodePool(), quota('9')], web(2, { priorityClassName: 'high' }))[0]).toBe('deadlocks');
  });

  test('and a finding says so', () => {
    expect(renderPlanText(planChange([...FULL, nodePool()], [web(2)]))).toMatchInlineSnapshot(`
"1 of 13 objects differs: 1 is new; no pods are affected; assumes Kubernetes 1.36
+ create   Deployment shop/web   2 pods   may not fit
12 objects in OLD are not in NEW and are kept; --prune deletes them

1 rollout on Kubernetes 1.36: 1 info

Deployment shop/web (kubernetes)
  RollingUpdate (kubernetes-default), maxSurge 1, maxUnavailable 0 (user)
  May not fit: there is capacity for 0 of 2 pods now. This depends on whether NodePool "default" makes another node.
  its first pods are created; nothing is replaced

  info  kubernetes/insufficient-capacity  spec.replicas
    The pods may not fit: there is capacity for 0 of 2 pods now. This depends on whether NodePool "default" makes another node.
    fix: Look at NodePool "default" before you apply: a new pod that finds no node stays Pending, and the rollout waits for it.

Not checked: what admission webhooks and policies change on apply.
explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });
});
