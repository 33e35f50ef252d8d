import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { podTemplate, workload } from '../builders/workload';

function web({ kind = 'Deployment', cpu = '1', image = 'web:1' }: { kind?: string; cpu?: string; image?: string } = {}) {
  const template = podTemplate({ image, resources: { requests: { cpu } } });
  const service = kind === 'StatefulSet' ? { serviceName: 'web' } : {};
  return workload(kind, { replicas: 14, ...service, template }, { name: 'web', namespace: 'shop' });
}

/** Returns a live workload with this many of its 14 pods. */
function live(object: object, replicas: number, status: object = {}) {
  const { metadata, ...rest } = object as { metadata: object };
  const uid = '5b5b1a3e-0000-4000-8000-000000000001';
  const counts = { observedGeneration: 1, replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  return { ...rest, metadata: { ...metadata, uid, resourceVersion: '7' }, status: { ...counts, ...status } };
}

function quota(cpu: string, used?: string, more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'compute', namespace: 'shop', ...(used !== undefined && { uid: 'u', resourceVersion: '3' }) },
    spec: { hard: { 'requests.cpu': cpu }, ...more },
    ...(used !== undefined && { status: { hard: { 'requests.cpu': cpu }, used: { 'requests.cpu': used } } }),
  };
}

function change(old: readonly object[], next: readonly object[], options?: ChangeOptions) {
  const { change: plan, rollouts } = expectValidPlan(planChange(old, next, options));
  const { effect, pods, causedBy } = plan.objects[0]!;
  const found = rollouts[0]!.findings.filter(({ code }) => code === 'kubernetes/insufficient-capacity').map(({ messageId }) => messageId);
  return { effect, pods, causedBy: causedBy?.map(({ kind, name }) => `${kind} ${name}`), added: plan.summary.podsAdded, findings: found };
}

const COME = { effect: 'scale', pods: { before: 10, after: 14 }, causedBy: ['ResourceQuota compute'], added: 4, findings: [] };

describe('a raised quota', () => {
  test.each(['Deployment', 'StatefulSet'])('admits the pods of a %s that it refused until then', (kind) => {
    expect(change([live(web({ kind }), 10), quota('10', '10')], [web({ kind }), quota('20')])).toEqual(COME);
  });

  test('is the cause if the Deployment names it, without the status of the quota', () => {
    const message =
      'pods "web-1" is forbidden: exceeded quota: compute, requested: requests.cpu=1, used: requests.cpu=10, limited: requests.cpu=10';
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }];
    expect(change([live(web(), 10, { conditions }), quota('10')], [web(), quota('20')])).toEqual(COME);
  });

  test('admits as many pods as fit, and the plan reports what happens to the others', () => {
    expect(change([live(web(), 10), quota('10', '10')], [web(), quota('12')])).toMatchObject({
      effect: 'scale',
      causedBy: ['ResourceQuota compute'],
      findings: ['added'],
    });
  });

  test('counts the pods that come at the peak, which the ReplicaSet desired before', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: '5b5b1a3e-0000-4000-8000-000000000001', controller: true };
    const { template } = web().spec;
    const labels = { 'pod-template-hash': 'a' };
    const replicaSet = {
      ...workload('ReplicaSet', { replicas: 14, template: { ...template, metadata: { labels } } }, { name: 'web-a', namespace: 'shop' }),
      metadata: { name: 'web-a', namespace: 'shop', uid: 'r', resourceVersion: '2', labels, ownerReferences: [owner] },
      status: { replicas: 10, readyReplicas: 10, availableReplicas: 10, observedGeneration: 1 },
    };
    const { summary } = planChange([live(web(), 10), replicaSet, quota('10', '10')], [web(), quota('20')]).change;
    expect(summary).toMatchObject({ podsAdded: 4, peakExtraPods: 4 });
  });

  test('admits the same pods if the apply deletes it', () => {
    expect(change([live(web(), 10), quota('10', '10')], [web()], { prune: true })).toEqual(COME);
  });

  test('needs no rollback: the pods were already desired before', () => {
    const { rollouts } = planChange([live(web(), 10), quota('10', '10')], [web(), quota('20')]);
    expect(rollouts[0]).not.toHaveProperty('rollback');
  });

  test.each<[string, object[], object[]]>([
    ['all pods exist', [live(web(), 14), quota('14', '14')], [web(), quota('20')]],
    ['it had capacity for one more pod', [live(web(), 10), quota('12', '10')], [web(), quota('20')]],
    ['it is unchanged', [live(web(), 10), quota('10', '10')], [web(), quota('10')]],
    ['it is lowered', [live(web(), 10), quota('10', '10')], [web(), quota('9')]],
    [
      'it counts other pods',
      [live(web(), 10), quota('10', '10', { scopes: ['BestEffort'] })],
      [web(), quota('20', undefined, { scopes: ['BestEffort'] })],
    ],
    ['the number of existing pods is not known', [web(), quota('10')], [web(), quota('20')]],
  ])('admits no pods if %s', (_what, old, next) => {
    expect(change(old, next)).toMatchObject({ effect: 'none', added: 0 });
  });
});
